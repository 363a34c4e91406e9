import { at, listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import { millis, minutes, parseTime, seconds, type Millis } from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import type { Delta } from '#loop/delta.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import type { NodesDeps } from '#embedded/nodes/api/deps.ts';
import { isDown, type NodeRegistry, type SimulatedNode } from './node-registry.ts';
import { isConflict, WriteRefused } from '#embedded/nodes/api/refusal.ts';
import { nodes as nodeResource } from '#embedded/nodes/api/resources.ts';
import type { NodeEvents } from './node-events.ts';
import type { NodeLeases } from './node-lease.ts';
import { nodeObject } from './node-object.ts';
import { kubeletPortOf, nodeLabel, type NodeShape } from './node-shape.ts';
import { conditionOf, readyConditions, readyOf } from './node-status.ts';

const fieldManager = 'kubelet';
const statusEvery = minutes(5);

/** A heartbeat every ten seconds unless given; scaled, but at most one per second. */
export const heartbeatSpan = ({ timeScale, heartbeat }: NodesDeps['settings']): Millis =>
  heartbeat ?? millis(Math.max(seconds(10) * Math.min(timeScale, 1), 1000));

export type HeartbeatOptions = {
  readonly shape: NodeShape;
  readonly leases: NodeLeases;
  readonly events: NodeEvents;
  readonly onArrival: (name: string) => void;
};

/** Registers the nodes and renews their leases. */
export class NodeHeartbeats {
  readonly controller: Controller;
  /** Resolves when all nodes are registered. */
  readonly registered: Promise<void>;
  readonly #deps: NodesDeps;
  readonly #registry: NodeRegistry;
  readonly #options: HeartbeatOptions;
  readonly #known = new Set<string>();
  readonly #arrived = Promise.withResolvers<void>();
  /** Nodes of an earlier run, by name and uid: collected at the start only. */
  readonly #left = new Map<string, string>();
  #hasBegun = false;

  constructor(deps: NodesDeps, registry: NodeRegistry, options: HeartbeatOptions) {
    this.#deps = deps;
    this.#registry = registry;
    this.#options = options;
    this.registered = this.#arrived.promise;
    if (registry.all().length === 0) this.#arrived.resolve();
    const { clock, random, tasks, report } = deps;
    this.controller = runController({
      name: 'node-keeper',
      clock,
      random,
      ...(tasks && { tasks }),
      ...(report && { report }),
      queue: { parallel: 8, isExpected: isConflict },
      sources: [{ informer: deps.nodes, keysOf: (delta) => this.#changed(delta) }],
      reconcile: (name, signal) => this.#beat(name, signal),
    });
    for (const node of registry.all()) this.controller.add(node.name);
  }

  #changed(delta: Delta): readonly string[] {
    const { type, object } = delta;
    const name = nameOf(object);
    if (
      type === 'updated' &&
      isCordoned(delta.old) !== isCordoned(object) &&
      this.#registry.get(name)?.isOurs
    )
      this.#options.events.cordoned(name, isCordoned(object));
    // A node that was created again gets heartbeats again.
    if (type !== 'added') return [];
    if (!this.#hasBegun && labelsOf(object)[nodeLabel] !== undefined && this.#registry.isSurplus(object))
      this.#left.set(name, uidOf(object));
    return [name];
  }

  async #beat(name: string, signal: AbortSignal): Promise<Next> {
    this.#hasBegun = true;
    const simulated = this.#registry.get(name);
    if (simulated === undefined) return this.#tidy(name, signal);
    if (isDown(simulated)) return settled;
    const node = this.#deps.nodes.get('', name);
    // A kubelet does not register again after its node was deleted.
    if (node === undefined && this.#known.has(name)) return settled;
    if (!this.#known.has(name)) this.#registry.locate(simulated, node, () => this.#deps.nodes.list());
    const found = node ?? (await this.#register(simulated, signal));
    if (labelsOf(found)[nodeLabel] === undefined)
      return this.#leaveAlone(simulated, 'a node of this name is not simulated: it is left alone', {});
    if (!isDeleting(found)) {
      const otherOwner = await this.#signOfLife(simulated, found, signal);
      if (otherOwner !== undefined)
        return this.#leaveAlone(simulated, 'another process simulates the node of this name', {
          rival: otherOwner,
        });
      await this.#refresh(found, signal);
    }
    if (!this.#known.has(name)) this.#arrive(simulated, found);
    const span = heartbeatSpan(this.#deps.settings);
    // The first heartbeats are spread over time, so that they do not all fall together.
    return wake(millis(span * (0.95 + (simulated.index % 10) / 100)));
  }

  #signOfLife(simulated: SimulatedNode, node: KubeObject, signal: AbortSignal): Promise<string | undefined> {
    const now = this.#deps.clock.now();
    const { leases } = this.#options;
    return simulated.isOurs ? leases.renew(node, now, signal) : leases.claim(node, now, signal);
  }

  #leaveAlone(simulated: SimulatedNode, why: string, more: Readonly<Record<string, string>>): Next {
    simulated.isOurs = false;
    this.#deps.report?.(why, { node: simulated.name, ...more }, 'error');
    this.#count(simulated.name);
    return settled;
  }

  #arrive(simulated: SimulatedNode, found: KubeObject): void {
    simulated.isOurs = true;
    this.#options.events.arrived(simulated.name);
    if (readyOf(found) === 'True') this.#options.events.ready(simulated.name);
    this.#count(simulated.name);
    this.#options.onArrival(simulated.name);
  }

  #count(name: string): void {
    this.#known.add(name);
    if (this.#known.size === this.#registry.all().length) this.#arrived.resolve();
  }

  async #register(simulated: SimulatedNode, signal: AbortSignal): Promise<KubeObject> {
    const { client, clock } = this.#deps;
    const wanted = nodeObject(simulated, this.#options.shape, clock.now());
    const created = await client.create(nodeResource, wanted, signal, { fieldManager });
    const found = created.type === 'exists' ? await client.get(nodeResource, simulated, signal) : created;
    if (found.type !== 'ok') throw new WriteRefused(`node ${simulated.name}`, found);
    return found.object;
  }

  async #refresh(node: KubeObject, signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const port = kubeletPortOf(this.#options.shape);
    const wasReady = readyOf(node) === 'True';
    const isReachable = numberAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') === port;
    if (wasReady && isReachable && now - lastBeat(node) < statusEvery) return;
    const status = {
      ...objectAt(node, 'status'),
      conditions: readyConditions(listAt(node, 'status', 'conditions'), now),
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    const outcome = await this.#deps.client.updateStatus(nodeResource, { ...node, status }, signal, {
      fieldManager,
    });
    if (outcome.type !== 'ok' && outcome.type !== 'not-found')
      throw new WriteRefused(`the status of node ${nameOf(node)}`, outcome);
    if (!wasReady) this.#options.events.ready(nameOf(node));
  }

  /** Removes a node that only an earlier run simulated: its pods must be scheduled elsewhere. */
  async #tidy(name: string, signal: AbortSignal): Promise<Next> {
    const uid = this.#left.get(name);
    if (uid === undefined || this.#deps.nodes.get('', name) === undefined) return settled;
    if ((await this.#options.leases.otherOwner(name, signal)) !== undefined) return settled;
    const outcome = await this.#deps.client.remove(nodeResource, { name }, signal, {
      preconditions: { uid },
    });
    if (!['ok', 'not-found', 'conflict'].includes(outcome.type) && outcome.type !== 'ok')
      throw new WriteRefused(`the removal of node ${name}`, outcome);
    this.#left.delete(name);
    return settled;
  }
}

const isCordoned = (node: KubeObject): boolean => at(node, 'spec', 'unschedulable') === true;

function lastBeat(node: KubeObject): number {
  const ready = conditionOf(listAt(node, 'status', 'conditions'), 'Ready');
  return parseTime(textAt(ready, 'lastHeartbeatTime') ?? '') ?? 0;
}
