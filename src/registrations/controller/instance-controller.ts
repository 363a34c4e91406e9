import type { ControlDeps } from '#loop/control-deps.ts';
import type { ControllerState } from '#registrations/decide/registration-status.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration, ControllerEnvironment } from '#registrations/model/registration.ts';
import { runController, sourceOf } from '#loop/controller.ts';
import { keyOf } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createInformer } from '#loop/informer.ts';
import { isStale } from '#loop/owned/write.ts';
import { ChildInformers } from './child-informers.ts';
import { gateInformers, gateSources } from './gate-runs.ts';
import { HookMetrics } from './hook-metrics.ts';
import type { HookClient } from './hook-client.ts';
import { InformerHealth } from './informer-health.ts';
import { InstanceReconciler } from './instance-reconciler.ts';
import { FormerChildren } from './former-children.ts';
import { packedInstance } from './packed-instance.ts';
import { ReferenceWatch } from './reference-watch.ts';
import { instanceResource } from './resources.ts';

export type InstanceControllerDeps = Pick<
  ControlDeps,
  'client' | 'clock' | 'random' | 'tasks' | 'report' | 'informers' | 'metrics'
> & {
  readonly events: EventRecorder;
  readonly environment: ControllerEnvironment;
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly hookClient: HookClient | undefined;
  /** Called when the state changes. */
  readonly changed: () => void;
};

/** The controller of the instances of one registration. */
export type InstanceController = {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly hookClient: HookClient | undefined;
  state(): ControllerState;
  /** Reconciles all instances, after a change that concerns them all. */
  requeueAll(): void;
  close(): Promise<void>;
};

const stateOf = (problem: string | undefined, isStarted: boolean): ControllerState =>
  problem === undefined ? { type: isStarted ? 'running' : 'starting' } : { type: 'failed', message: problem };

export function startInstanceController(deps: InstanceControllerDeps): InstanceController {
  const { client, clock, random, tasks, report, metrics, registration, kind, hookClient } = deps;
  const common = { clock, random, tasks, report, metrics };
  const health = new InformerHealth(deps.changed);
  const follow = { client: health.watching(client), clock, random, report: health.hearing(report) };
  const resource = instanceResource(kind);
  const instances = createInformer({ ...follow, resource, decode: packedInstance });
  const formerChildren = new FormerChildren({ client, clock, random, report, registration, kind });
  const children = new ChildInformers({ ...follow, registration, kind, formerChildren });
  const changed = (key: string): void => controller.add(key);
  const references = new ReferenceWatch({ client, clock, random, report, changed });
  const gate = registration.gate === undefined ? undefined : gateInformers(deps);
  const hookMetrics = metrics && new HookMetrics(metrics, registration, clock);
  const parts = { resource, instances, children, references, gate, hookMetrics };
  const reconciler = new InstanceReconciler({ ...deps, ...parts });
  const controller = runController({
    ...common,
    name: `crdregistration ${registration.name}`,
    queue: { parallel: registration.concurrency, isExpected: isStale },
    sources: [
      sourceOf(instances, (delta) => reconciler.observe(delta)),
      ...children.sources(),
      ...(gate === undefined ? [] : gateSources(gate, registration, { kind, instances })),
    ],
    reconcile: (key, signal) => reconciler.reconcile(key, signal),
  });
  const stop = new AbortController();
  const running = [instances, ...children.informers].map((informer) => informer.run(stop.signal));
  running.push(formerChildren.find(changed, stop.signal));
  let isStarted = false;
  void controller.started.then(() => {
    isStarted = true;
    return deps.changed();
  });
  return {
    registration,
    kind,
    hookClient,
    state: () => stateOf(health.problem, isStarted),
    requeueAll() {
      for (const instance of instances.list()) controller.add(keyOf(instance));
    },
    async close() {
      stop.abort();
      await controller.close();
      await Promise.all([references.close(), ...running]);
    },
  };
}
