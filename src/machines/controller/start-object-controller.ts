import type { ControlDeps } from '#loop/control-deps.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { isStale } from '#loop/owned/write.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import { uidOf } from '#kube/object.ts';
import { ConnectionSlots } from './connection-slots.ts';
import type { InformerReader } from './informer-reader.ts';
import type { MachineIo } from './machine-io.ts';
import { MachineMetrics, machineMetrics, phaseSamples } from './machine-metrics.ts';
import { ObjectReconciler, type ObjectKind } from './object-reconciler.ts';

/** Reconciles at a time; most of them only wait for a connection slot. */
const parallel = 200;
/** Operations that are connected to their machines at a time. */
const mostConnected = 16;

/** The operations of each kind of object. */
const operationsOf: Readonly<Record<'cluster' | 'machine', readonly OperationKind[]>> = {
  cluster: ['cluster.create', 'cluster.upgrade', 'cluster.delete', 'node.join', 'node.delete'],
  machine: ['node.join', 'node.upgrade', 'node.delete'],
};

export type ObjectControllerParts = {
  readonly deps: ControlDeps;
  readonly io: MachineIo;
  readonly reader: InformerReader;
  readonly name: 'cluster' | 'machine';
  readonly kind: ObjectKind;
  /** `interrupting` makes a source whose changes interrupt the operation that runs. */
  readonly sources: (interrupting: (source: Source) => Source) => readonly Source[];
};

/** Starts the controller of Clusters, or of Machines. */
export function startObjectController(parts: ObjectControllerParts): Controller {
  const { deps, io, reader, name } = parts;
  const { clock, random, tasks, report, metrics } = deps;
  const reconciler = new ObjectReconciler(
    {
      ...deps,
      metrics: metrics && new MachineMetrics(metrics, operationsOf[name]),
      io,
      events: deps.recorder(`${name}-controller`),
      newest: reader.newest,
      slots: new ConnectionSlots(mostConnected),
      holder: `${io.holder} ${random.uuid()}`,
      run: (namespace, run) => reader.run(namespace, run),
      template: (namespace, template) => reader.template(namespace, template),
    },
    parts.kind,
  );
  const controller = runController({
    name,
    clock,
    random,
    tasks,
    report,
    metrics,
    queue: { parallel, isExpected: isStale },
    sources: parts.sources((source) => interruptingSource(reconciler, source)),
    reconcile: (key, signal) => reconciler.reconcile(key, signal),
  });
  const objects = name === 'cluster' ? reader.clusters : reader.machines;
  const unmeasure = metrics?.sampled(machineMetrics.phases, () =>
    phaseSamples(name === 'cluster' ? 'Cluster' : 'Machine', objects.list()),
  );
  return {
    ...controller,
    // An operation may take hours: a caller that waits for an idle controller does not wait for it.
    idle: () => controller.started,
    close() {
      unmeasure?.();
      return controller.close();
    },
  };
}

/** The controller without access to machines. */
export const idleController: Controller = {
  started: Promise.resolve(),
  add: () => undefined,
  idle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** A change interrupts the operation that runs; its key would wait for the end of that operation. */
const interruptingSource = (reconciler: ObjectReconciler, source: Source): Source => ({
  ...source,
  keysOf(delta) {
    const keys = [...source.keysOf(delta)];
    if (delta.type === 'deleted') reconciler.forget(delta.object);
    for (const key of keys) reconciler.changed(key);
    return keys;
  },
});

/** The key of a changed object; own writes of a deleted one are dropped. */
export function ownKey(reader: InformerReader, { type, object }: Delta): readonly string[] {
  if (type === 'deleted') reader.newest.forget(uidOf(object));
  return [keyOf(object)];
}
