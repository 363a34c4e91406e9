import { at, listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { isStale, removeObject } from '#loop/owned/write.ts';
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { addressTaken } from '#machines/decide/objects/address-taken.ts';
import { nodesUnderWay } from '#machines/decide/objects/due.ts';
import { asCluster, asMachine } from '#machines/decide/objects/objects.ts';
import { removeArtifacts } from './artifacts.ts';
import { clusterSubject } from './cluster-subject.ts';
import { planInputsHash } from '#machines/decide/objects/plan-inputs-hash.ts';
import type { MachineDoors, WithMachines } from './machine-doors.ts';
import { machineSubject } from './machine-subject.ts';
import { ObjectReconciler, type ObjectKind } from './object-reconciler.ts';
import { clusterFinalizer, machineFinalizer, machines } from '#machines/kinds/resources.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { Sight } from './sight.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Reconciles at a time; most of them only wait for a connection slot. */
const parallel = 200;
/** Operations that are connected to their machines at a time. */
const mostConnected = 16;

/** Keeps Clusters: made, upgraded and removed on their machines. */
export function clusterController(deps: ControlDeps & WithMachines): Controller {
  const { machines: doors } = deps;
  if (doors === undefined) return idleController;
  const sight = new Sight(deps, doors);
  const kind: ObjectKind = {
    finalizer: clusterFinalizer,
    subject: (name) => clusterSubject(deps.client, sight, name),
    async release(cluster, signal) {
      for (const machine of sight.machinesOf(nameOf(cluster)))
        if (!isDeleting(machine)) await removeObject(deps.client, machines, machine, signal);
      await removeArtifacts({ ...deps, namespace: doors.namespace }, nameOf(cluster), signal);
    },
  };
  const work = new ObjectReconciler(operationDeps(deps, doors, sight, 'cluster-controller'), kind);
  return start(deps, 'cluster', work, [
    told(work, { informer: sight.clusters, keysOf: (delta) => forgetting(sight, delta) }),
    { informer: sight.clusters, keysOf: (delta) => waitingFor(sight, delta, sight.clusters) },
    { informer: sight.machines, keysOf: (delta) => waitingFor(sight, delta, sight.clusters) },
    { informer: sight.runs, keysOf: (delta) => ownerOf(delta, 'Cluster') },
    { informer: sight.templates, keysOf: ({ object }) => usersOf(sight, object) },
    told(work, {
      informer: sight.machines,
      keysOf: (delta) => (isNews(delta) ? [textAt(delta.object, 'spec', 'clusterName') ?? ''] : []),
    }),
  ]);
}

/** Keeps Machines: workers that join, follow and leave their Cluster. */
export function machineController(deps: ControlDeps & WithMachines): Controller {
  const { machines: doors } = deps;
  if (doors === undefined) return idleController;
  const sight = new Sight(deps, doors);
  const kind: ObjectKind = {
    finalizer: machineFinalizer,
    subject: (name) => machineSubject(sight, name),
    release: () => Promise.resolve(),
  };
  const work = new ObjectReconciler(operationDeps(deps, doors, sight, 'machine-controller'), kind);
  const membersOf = (name: string): readonly string[] => sight.machinesOf(name).map(keyOf);
  return start(deps, 'machine', work, [
    told(work, { informer: sight.machines, keysOf: (delta) => forgetting(sight, delta) }),
    { informer: sight.machines, keysOf: (delta) => waitingFor(sight, delta, sight.machines) },
    { informer: sight.clusters, keysOf: (delta) => waitingFor(sight, delta, sight.machines) },
    told(work, {
      informer: sight.clusters,
      keysOf: (delta) => (matters(delta) ? membersOf(nameOf(delta.object)) : []),
    }),
    { informer: sight.runs, keysOf: (delta) => ownerOf(delta, 'Machine') },
    { informer: sight.templates, keysOf: ({ object }) => usersOf(sight, object).flatMap(membersOf) },
  ]);
}

const idleController: Controller = {
  started: Promise.resolve(),
  add: () => undefined,
  idle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function operationDeps(
  deps: ControlDeps,
  doors: MachineDoors,
  sight: Sight,
  component: string,
): OperationDeps {
  return {
    ...deps,
    doors,
    events: deps.recorder(component),
    newest: sight.newest,
    slots: new ConnectionSlots(mostConnected),
    holder: `${doors.holder} ${deps.random.uuid()}`,
    run: (namespace, name) => sight.run(namespace, name),
    template: (namespace, name) => sight.template(namespace, name),
  };
}

function start(
  { clock, random, tasks, report, metrics }: ControlDeps,
  name: string,
  work: ObjectReconciler,
  sources: readonly Source[],
): Controller {
  const controller = runController({
    name,
    clock,
    random,
    tasks,
    report,
    metrics,
    queue: { parallel, isExpected: isStale },
    sources,
    reconcile: (key, signal) => work.reconcile(key, signal),
  });
  // An operation may take hours: nobody waits for that.
  return { ...controller, idle: () => controller.started };
}

/** An operation under way hears of a change before the next look can begin. */
const told = (work: ObjectReconciler, source: Source): Source => ({
  ...source,
  keysOf(delta) {
    const keys = [...source.keysOf(delta)];
    if (delta.type === 'deleted') work.forget(delta.object);
    for (const key of keys) work.changed(key);
    return keys;
  },
});

function forgetting(sight: Sight, { type, object }: Delta): readonly string[] {
  if (type === 'deleted') sight.newest.forget(uidOf(object));
  return [keyOf(object)];
}

/** Those that wait for a host of one that goes, leaves it, or is moved. */
function waitingFor(sight: Sight, delta: Delta, informer: Informer): readonly string[] {
  const isSame = delta.type === 'updated' && holdings(delta.old) === holdings(delta.object);
  if (isSame || delta.type === 'added') return [];
  const places = delta.type === 'updated' ? [delta.old, delta.object] : [delta.object];
  const waiting = places
    .flatMap((place) => sight.atHostsOf(place, informer))
    .filter(
      (each) => textAt(each, 'status', 'reason') === addressTaken && uidOf(each) !== uidOf(delta.object),
    );
  return [...new Set(waiting.map(keyOf))];
}

/** Another text whenever an object may have let a host go. */
const holdings = (object: KubeObject): string =>
  printJson([
    numberAt(object, 'metadata', 'generation') ?? 0,
    isDeleting(object),
    listAt(object, 'status', 'machines'),
    at(object, 'status', 'joined') ?? false,
    textAt(object, 'status', 'operation', 'id') ?? '',
  ]);

/** A cluster's progress is none of its machines' business; what it is doing and how it is meant to be are. */
function matters(delta: Delta): boolean {
  if (delta.type !== 'updated') return true;
  const view = (object: KubeObject): string =>
    printJson([
      objectAt(object, 'metadata')?.['generation'] ?? null,
      isDeleting(object),
      textAt(object, 'status', 'phase') ?? null,
      textAt(object, 'status', 'version') ?? null,
      textAt(object, 'status', 'operation', 'id') ?? null,
      nodesUnderWay(asCluster(object).status?.operation ?? { id: '', type: '' }),
    ]);
  return view(delta.old) !== view(delta.object);
}

/** A worker that is changed, joins or goes: its Cluster may be waiting for just that. */
function isNews(delta: Delta): boolean {
  if (delta.type !== 'updated') return delta.type === 'deleted';
  const view = (object: KubeObject): string =>
    JSON.stringify([planInputsHash(object), isDeleting(object), asMachine(object).status?.joined]);
  return view(delta.old) !== view(delta.object);
}

const ownerOf = ({ object }: Delta, kind: string): readonly string[] =>
  listAt(object, 'metadata', 'ownerReferences').flatMap((owner) =>
    textAt(owner, 'kind') === kind ? [textAt(owner, 'name') ?? ''] : [],
  );

/** A template that comes or changes lets those go on that wait for it. */
function usersOf(sight: Sight, template: KubeObject): readonly string[] {
  return sight.clusters
    .list()
    .filter((cluster) => {
      const hooks = Object.values(objectAt(cluster, 'spec', 'features', 'hooks') ?? {});
      const between = objectAt(cluster, 'spec', 'features', 'upgrade', 'betweenBatches') ?? {};
      return [...hooks, between].some(
        (hook) =>
          textAt(hook, 'templateName') === nameOf(template) &&
          (textAt(hook, 'namespace') ?? 'default') === namespaceOf(template),
      );
    })
    .map(keyOf);
}
