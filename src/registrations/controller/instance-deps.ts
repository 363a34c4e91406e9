import type { ControlDeps } from '#loop/control-deps.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration, ControllerEnvironment } from '#registrations/model/registration.ts';
import type { Resource } from '#kube/resource.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import type { ChildInformers } from './child-informers.ts';
import type { GateInformers } from './gate-runs.ts';
import type { HookMetrics } from './hook-metrics.ts';
import type { HookClient } from './hook-client.ts';
import type { ReferenceWatch } from './reference-watch.ts';

/** What reconciling the instances of one registration takes. */
export type InstanceDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'report'> & {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly environment: ControllerEnvironment;
  readonly resource: Resource;
  readonly instances: Informer;
  readonly children: ChildInformers;
  readonly references: ReferenceWatch;
  /** Present when the registration has a gate. */
  readonly gate: GateInformers | undefined;
  /** Present when it has a hook. */
  readonly hookClient: HookClient | undefined;
  /** Present when somebody reads them. */
  readonly hookMetrics: HookMetrics | undefined;
  readonly events: EventRecorder;
};
