import type { ControlDeps } from '#loop/control-deps.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration, Surroundings } from '#registrations/decide/registration.ts';
import type { Resource } from '#kube/resource.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import type { ChildInformers } from './child-informers.ts';
import type { GateInformers } from './gate-watch.ts';
import type { HookFigures } from './hook-figures.ts';
import type { HookLine } from './hook-line.ts';
import type { ReferenceWatch } from './reference-watch.ts';

/** What reconciling the instances of one registration takes. */
export type InstanceDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'report'> & {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly surroundings: Surroundings;
  readonly resource: Resource;
  readonly instances: Informer;
  readonly children: ChildInformers;
  readonly references: ReferenceWatch;
  /** Present when the registration has a gate. */
  readonly gate: GateInformers | undefined;
  /** Present when it has a hook. */
  readonly line: HookLine | undefined;
  /** Present when somebody reads them. */
  readonly figures: HookFigures | undefined;
  readonly events: EventRecorder;
};
