import { listAt, objectAt, textAt } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { isStale, removeObject } from '#loop/owned/write.ts';
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { addressTaken } from '#decide/machine-objects/address-taken.ts';
import { nodesUnderWay } from '#decide/machine-objects/due.ts';
import { asCluster, asMachine } from '#decide/machine-objects/objects.ts';
import { removeArtifacts } from './artifacts.ts';
import { clusterSubject } from './cluster-subject.ts';
import { editionOf } from './edition.ts';
import type { MachineDoors } from './machine-doors.ts';
import { machineSubject } from './machine-subject.ts';
import { ObjectWork, type ObjectKind } from './object-work.ts';
import { clusterFinalizer, machineFinalizer, machines } from './resources.ts';
import { Seats } from './seats.ts';
import { Sight } from './sight.ts';
import type { TurnDeps } from './turn-deps.ts';

/** Looks at a time; most of them only wait for a seat. */
const parallel = 200;
/** Operations that are connected to their machines at a time. */
const mostConnected = 16;

/** Keeps Clusters: made, upgraded and removed on their machines. */
export function clusterController(deps: ControlDeps): Controller {
  const { machines: doors } = deps;
  if (doors === undefined) return idleController;
  const sight = new Sight(deps);
  const kind: ObjectKind = {
    finalizer: clusterFinalizer,
    subject: (name) => clusterSubject(deps.client, sight, name),
    async release(cluster, signal) {
      for (const machine of sight.machinesOf(nameOf(cluster)))
        if (!isDeleting(machine)) await removeObject(deps.client, machines, machine, signal);
      await removeArtifacts({ ...deps, namespace: doors.namespace }, nameOf(cluster), signal);
    },
  };
  const work = new ObjectWork(deps, kind, turnDeps(deps, doors, sight, 'cluster-controller'));
  return start(deps, 'cluster', work, [
    told(work, { informer: sight.clusters, keysOf: (delta) => forgetting(sight, delta) }),
    { informer: sight.runs, keysOf: (delta) => ownerOf(delta, 'Cluster') },
    { informer: sight.templates, keysOf: ({ object }) => usersOf(sight, object) },
    told(work, {
      informer: sight.machines,
      keysOf: (delta) => (isNews(delta) ? [textAt(delta.object, 'spec', 'clusterName') ?? ''] : []),
    }),
  ]);
}

/** Keeps Machines: workers that join, follow and leave their Cluster. */
export function machineController(deps: ControlDeps): Controller {
  const { machines: doors } = deps;
  if (doors === undefined) return idleController;
  const sight = new Sight(deps);
  const kind: ObjectKind = {
    finalizer: machineFinalizer,
    subject: (name) => machineSubject(sight, name, (other) => work.isUnderWay(other)),
    release: () => Promise.resolve(),
  };
  const work = new ObjectWork(deps, kind, turnDeps(deps, doors, sight, 'machine-controller'));
  const membersOf = (name: string): readonly string[] => sight.machinesOf(name).map(keyOf);
  return start(deps, 'machine', work, [
    told(work, { informer: sight.machines, keysOf: (delta) => forgetting(sight, delta) }),
    { informer: sight.machines, keysOf: (delta) => waitingFor(sight, delta) },
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

function turnDeps(deps: ControlDeps, doors: MachineDoors, sight: Sight, component: string): TurnDeps {
  return {
    ...deps,
    doors,
    events: deps.recorder(component),
    newest: sight.newest,
    seats: new Seats(mostConnected),
    holder: `${doors.holder} ${deps.random.uuid()}`,
    run: (namespace, name) => sight.run(namespace, name),
    template: (namespace, name) => sight.template(namespace, name),
  };
}

function start(
  { clock, random, tasks, report, metrics }: ControlDeps,
  name: string,
  work: ObjectWork,
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
const told = (work: ObjectWork, source: Source): Source => ({
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

/** Workers that wait for the host of one that goes, or is moved to another port. */
function waitingFor(sight: Sight, delta: Delta): readonly string[] {
  const isSame = delta.type === 'updated' && editionOf(delta.old) === editionOf(delta.object);
  if (isSame || delta.type === 'added') return [];
  const own = keyOf(delta.object);
  return sight
    .machinesOf(textAt(delta.object, 'spec', 'clusterName') ?? '')
    .filter((each) => textAt(each, 'status', 'reason') === addressTaken)
    .map(keyOf)
    .filter((key) => key !== own);
}

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
    JSON.stringify([editionOf(object), isDeleting(object), asMachine(object).status?.joined]);
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
