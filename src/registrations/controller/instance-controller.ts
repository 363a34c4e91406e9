import type { ControlDeps } from '#loop/control-deps.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration, Surroundings } from '#registrations/decide/registration.ts';
import { runController } from '#loop/controller.ts';
import { keyOf } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createInformer } from '#loop/informer.ts';
import { isStale } from '#loop/owned/write.ts';
import { ChildInformers } from './child-informers.ts';
import { gateInformers, gateSources } from './gate-watch.ts';
import { HookFigures } from './hook-figures.ts';
import type { HookLine } from './hook-line.ts';
import { InformerHealth } from './informer-health.ts';
import { InstanceWork } from './instance-work.ts';
import { LeftOvers } from './left-overs.ts';
import { packedInstance } from './packed-instance.ts';
import { ReferenceWatch } from './reference-watch.ts';
import { instanceResource } from './resources.ts';

export type InstanceControllerDeps = Pick<
  ControlDeps,
  'client' | 'clock' | 'random' | 'tasks' | 'report' | 'informers' | 'metrics'
> & {
  readonly events: EventRecorder;
  readonly surroundings: Surroundings;
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly line: HookLine | undefined;
  /** Whether it runs, or why not, has changed. */
  readonly changed: () => void;
};

/** The controller of the instances of one registration. */
export type InstanceController = {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly line: HookLine | undefined;
  /** Starting until everything is known; failed while something cannot be followed. */
  state(): ControllerState;
  /** Looks at all instances, since something changed that concerns them all. */
  lookAtAll(): void;
  close(): Promise<void>;
};

export type ControllerState =
  { readonly type: 'starting' | 'running' } | { readonly type: 'failed'; readonly message: string };

const stateOf = (trouble: string | undefined, isStarted: boolean): ControllerState =>
  trouble === undefined ? { type: isStarted ? 'running' : 'starting' } : { type: 'failed', message: trouble };

export function startInstanceController(deps: InstanceControllerDeps): InstanceController {
  const { client, clock, random, tasks, report, metrics, registration, kind, line } = deps;
  const common = { clock, random, tasks, report, metrics };
  const health = new InformerHealth(deps.changed);
  const follow = { client: health.watching(client), clock, random, report: health.hearing(report) };
  const resource = instanceResource(kind);
  const instances = createInformer({ ...follow, resource, decode: packedInstance });
  const leftOvers = new LeftOvers({ client, report, registration, kind });
  const children = new ChildInformers({ ...follow, registration, kind, leftOvers });
  const changed = (key: string): void => controller.add(key);
  const references = new ReferenceWatch({ client, clock, random, report, changed });
  const gate = registration.gate === undefined ? undefined : gateInformers(deps);
  const figures = metrics && new HookFigures(metrics, registration, clock);
  const work = new InstanceWork({ ...deps, resource, instances, children, references, gate, figures });
  const controller = runController({
    ...common,
    name: `crdregistration ${registration.name}`,
    queue: { parallel: registration.concurrency, isExpected: isStale },
    sources: [
      { informer: instances, keysOf: (delta) => work.observe(delta) },
      ...children.sources(),
      ...(gate === undefined ? [] : gateSources(gate, registration, { kind, instances })),
    ],
    reconcile: (key, signal) => work.reconcile(key, signal),
  });
  const stop = new AbortController();
  const running = [instances, ...children.informers].map((informer) => informer.run(stop.signal));
  running.push(leftOvers.find(changed, stop.signal));
  let isStarted = false;
  const noteStart = async (): Promise<void> => {
    await controller.started;
    isStarted = true;
    deps.changed();
  };
  void noteStart();
  return {
    registration,
    kind,
    line,
    state: () => stateOf(health.trouble, isStarted),
    lookAtAll() {
      for (const instance of instances.list()) controller.add(keyOf(instance));
    },
    async close() {
      stop.abort();
      await controller.close();
      await Promise.all([references.close(), ...running]);
    },
  };
}
