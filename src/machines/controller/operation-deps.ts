import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Newest } from '#loop/owned/newest.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { MachineIo } from './machine-io.ts';
import type { MachineMetrics } from './machine-metrics.ts';

export type OperationDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'report' | 'hmac'> & {
  readonly io: MachineIo;
  readonly events: EventRecorder;
  readonly newest: Newest;
  readonly slots: ConnectionSlots;
  /** Identifies this process among others that might work on the same object. */
  readonly holder: string;
  readonly run: (namespace: string, name: string) => KubeObject | undefined;
  /** Undefined when no metrics are served. */
  readonly metrics?: MachineMetrics | undefined;
  readonly template: (namespace: string, name: string) => HookTemplate | undefined;
};
