import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Packed } from '#loop/decoder.ts';
import type { Informer } from '#loop/informer.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { ControllerEnvironment, Registration } from '#registrations/model/registration.ts';
import type { ChildInformers } from './child-informers.ts';
import type { GateInformers } from './gate-runs.ts';
import type { HookClient } from './hook-client.ts';
import type { HookMetrics } from './hook-metrics.ts';
import type { InstanceReader } from './instance-snapshot.ts';
import type { ReferenceWatch } from './reference-watch.ts';
import type { TrackedInstance } from './tracked-instance.ts';

/** What reconciling the instances of one registration needs. */
export type InstanceDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'report'> & {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly environment: ControllerEnvironment;
  readonly resource: Resource;
  readonly instances: Informer<Packed<KubeObject>>;
  readonly children: ChildInformers;
  readonly references: ReferenceWatch;
  /** Undefined without a gate. */
  readonly gate: GateInformers | undefined;
  /** Undefined without a hook. */
  readonly hookClient: HookClient | undefined;
  /** Undefined when no metrics are served. */
  readonly hookMetrics: HookMetrics | undefined;
  readonly events: EventRecorder;
};

/** One reconciliation of one instance. */
export type ReconcileContext = {
  readonly deps: InstanceDeps;
  readonly reader: InstanceReader;
  /** `namespace/name` of the instance. */
  readonly key: string;
  readonly instance: KubeObject;
  readonly tracked: TrackedInstance;
  readonly signal: AbortSignal;
};
