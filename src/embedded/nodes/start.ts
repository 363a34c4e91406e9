import { formatMicroTime, type Instant, type Millis } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Controller } from '#loop/controller.ts';
import type { Informer } from '#loop/informer.ts';
import { shareInformers, type SharedInformers } from '#loop/shared-informers.ts';
import { Kubelets } from './kubelets.ts';
import type { PodLogs } from './logs/pod-logs.ts';
import { LifecycleController } from './node/lifecycle-controller.ts';
import { NodeEvents } from './node/node-events.ts';
import { NodeHeartbeats } from './node/node-heartbeats.ts';
import { NodeLeases } from './node/node-lease.ts';
import { leaseNamespace } from './node/node-object.ts';
import { usualShape, type NodeShape } from './node/node-shape.ts';
import { noOwner, type NodeOwner } from './node/node-owner.ts';
import { isDown, NodeRegistry } from './node/node-registry.ts';
import { noRules } from './pod/pod-sync.ts';
import type { LifecycleHookCall } from './pod/sync-result.ts';
import { createRecorders, type Recorders } from './api/recorders.ts';
import {
  claims,
  leases,
  namespaces,
  nodeIndexes,
  nodes as nodeResource,
  pods as podResource,
  storageClasses,
} from './api/resources.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { tuningPrefix, type TuningTexts } from './tuning/annotations.ts';
import { profiles, type Profile, type ProfileName } from './tuning/profiles.ts';
import type { NodesLoopDeps } from './api/deps.ts';

export type StartNodesDeps = NodesLoopDeps & {
  readonly nodes: number;
  readonly profile: ProfileName;
  readonly timeScale: number;
  /** Between two heartbeats of a node; undefined: ten seconds, scaled. */
  readonly heartbeat?: Millis | undefined;
  /** Whether routine events are recorded too; undefined: as in the profile. */
  readonly routineEvents?: boolean | undefined;
  readonly seed: number;
  readonly shape?: NodeShape;
  /** Nodes are named by it and a number from 1; `node-` unless given. */
  readonly namePrefix?: string;
  /** Informers shared with other controllers; the caller runs them. */
  readonly informers?: SharedInformers;
  /** Settings of a pod from rules, with the keys of its annotations; read at every sync. */
  readonly rules?: (pod: KubeObject, now: Instant) => TuningTexts;
  readonly onHook?: (pod: KubeObject, run: LifecycleHookCall) => void;
  /** Pods that name this scheduler are bound; `default-scheduler` unless given. */
  readonly schedulerName?: string;
  /** Whether lost nodes are tainted and their pods evicted; real clusters have their own controller for it. */
  readonly lifecycle?: boolean;
  /** The identity of this process: nodes that another process owns are left to it. */
  readonly owner?: NodeOwner;
};

export type SimulatedNodes = {
  /** Resolves when all nodes are registered and the initial objects have been synced. */
  readonly synced: Promise<void>;
  readonly logs: PodLogs;
  /** Whether a node is one of this process. */
  plays(node: string): boolean;
  podNamed(namespace: string, name: string): KubeObject | undefined;
  /** Resolves when nothing is queued or running; what waits for its time does not count. */
  idle(): Promise<void>;
  /** A node that is down sends no heartbeats and syncs no pods. Its annotation `sim.boathook.dev/down` does the same. */
  setNodeDown(name: string, isOff: boolean): void;
  /** Ends one container, or all of a pod's, now. */
  crash(
    pod: { readonly namespace: string; readonly name: string },
    container: string | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  /** Queues all pods, for example after rules have changed. */
  lookAgain(): void;
  close(): Promise<void>;
};

/** Simulates scheduler, kubelets and node controllers on any API server. */
export function startNodes(given: StartNodesDeps): SimulatedNodes {
  check(given);
  const stop = new AbortController();
  const parts = gather(given);
  const { registry, recorders, kubelets, controllers } = parts;
  const unsubscribe = parts.nodes.subscribe(({ type, object }) => {
    if (type !== 'deleted' && registry.mark(object)) wakeUp(parts, nameOf(object));
  });
  const running = given.informers === undefined ? parts.informers.run(stop.signal) : Promise.resolve();
  return {
    synced: beReady(parts),
    logs: kubelets.logs,
    plays: (name) => registry.get(name)?.isOurs === true,
    podNamed: (namespace, name) => parts.pods.get(namespace, name),
    async idle() {
      await Promise.all(controllers.map((controller) => controller.idle()));
      await recorders.idle();
    },
    setNodeDown(name, isOff) {
      const node = registry.get(name);
      if (node === undefined) throw new Error(`there is no simulated node ${name}`);
      node.isOff = isOff;
      if (!isDown(node)) wakeUp(parts, name);
    },
    crash: (pod, container, signal) => crash(given, pod, container, signal),
    lookAgain() {
      for (const { name } of registry.all()) kubelets.lookAt(name);
    },
    async close() {
      unsubscribe();
      await Promise.all(controllers.map((controller) => controller.close()));
      await recorders.close();
      stop.abort(new Error('the simulated nodes were closed'));
      await running;
    },
  };
}

function profileOf({ profile, routineEvents }: StartNodesDeps): Profile {
  const named = profiles[profile];
  return { ...named, routineEvents: routineEvents ?? named.routineEvents };
}

function check({ timeScale, nodes, shape = usualShape }: StartNodesDeps): void {
  if (!(timeScale > 0)) throw new Error(`the time scale must be above 0, not ${timeScale}`);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > mostNodes)
    throw new Error(`there can be 0 to ${mostNodes} nodes, not ${nodes}`);
  if (shape.pods > mostPods)
    throw new Error(`a node has addresses for ${mostPods} pods, not for ${shape.pods}`);
}

const mostNodes = 30_000;
const mostPods = 250;

type NodeParts = {
  readonly informers: SharedInformers;
  readonly nodes: Informer;
  readonly pods: Informer;
  readonly registry: NodeRegistry;
  readonly recorders: Recorders;
  readonly heartbeats: NodeHeartbeats;
  readonly kubelets: Kubelets;
  readonly controllers: readonly Controller[];
};

function gather(given: StartNodesDeps): NodeParts {
  const { client, clock, random, tasks, report, timeScale, seed, schedulerName, rules, onHook } = given;
  const world = { client, clock, random, ...(tasks && { tasks }), ...(report && { report }) };
  const informers = given.informers ?? shareInformers({ ...world, dropManagedFields: true });
  const deps = {
    ...world,
    settings: { profile: profileOf(given), timeScale, seed, heartbeat: given.heartbeat },
    pods: informers.informer({ resource: podResource, indexes: nodeIndexes }),
    nodes: informers.informer({ resource: nodeResource }),
    claims: informers.informer({ resource: claims }),
    storageClasses: informers.informer({ resource: storageClasses }),
    namespaces: informers.informer({ resource: namespaces }),
  };
  const registry = new NodeRegistry(given.nodes, given.namePrefix ?? 'node-');
  const recorders = createRecorders(deps);
  const scheduler = new Scheduler(deps, recorders, { name: schedulerName ?? 'default-scheduler' });
  const kubelets = new Kubelets(deps, registry, recorders, {
    rules: rules ?? (() => noRules),
    onHook: onHook ?? (() => undefined),
  });
  const events = new NodeEvents(recorders, deps.settings.profile.routineEvents);
  const heartbeats = new NodeHeartbeats(deps, registry, {
    shape: given.shape ?? usualShape,
    leases: new NodeLeases(deps, given.owner ?? noOwner),
    events,
    onArrival: (name) => kubelets.lookAt(name),
  });
  const parts: { readonly controller: Controller }[] = [heartbeats, scheduler, kubelets];
  if (given.lifecycle !== false) {
    const signs = informers.informer({ resource: leases, namespace: leaseNamespace });
    parts.push(new LifecycleController(deps, signs, recorders, events));
  }
  const controllers = parts.map(({ controller }) => controller);
  return {
    informers,
    nodes: deps.nodes,
    pods: deps.pods,
    registry,
    recorders,
    heartbeats,
    kubelets,
    controllers,
  };
}

/** A node is up again: it sends heartbeats and syncs its pods. */
function wakeUp({ heartbeats, kubelets }: NodeParts, name: string): void {
  heartbeats.controller.add(name);
  kubelets.lookAt(name);
}

async function beReady({ heartbeats, controllers }: NodeParts): Promise<void> {
  await Promise.all([heartbeats.registered, ...controllers.map(({ started }) => started)]);
}

/** Sets the pod's annotation, as any client can: works for nodes of other processes too. */
async function crash(
  { client, clock }: StartNodesDeps,
  pod: { readonly namespace: string; readonly name: string },
  container: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const key = `${tuningPrefix}crash-at${container === undefined ? '' : `.${container}`}`;
  const body = { metadata: { annotations: { [key]: formatMicroTime(clock.now()) } } };
  const outcome = await client.patch(podResource, pod, { type: 'merge', body }, signal);
  if (outcome.type !== 'ok') throw new Error(`pod ${pod.namespace}/${pod.name}: ${outcome.message}`);
}
