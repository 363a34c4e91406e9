import { listAt, objectAt, textAt } from '#base/json.ts';
import {
  formatMicroTime,
  millis,
  minutes,
  parseTime,
  seconds,
  type Instant,
  type Millis,
} from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import type { NodesDeps } from '#nodes/deps.ts';
import { isDown, type NodeRegistry, type PlayedNode } from '#nodes/node-registry.ts';
import { isConflict, Refused } from '#nodes/refusal.ts';
import { leases, nodes as nodeResource } from '#nodes/resources.ts';
import { leaseNamespace, leaseObject, nodeObject } from './node-object.ts';
import { nodeLabel, type NodeShape } from './node-shape.ts';
import { conditionOf, readyConditions, readyOf } from './node-status.ts';

const fieldManager = 'kubelet';
const statusEvery = minutes(5);

/** A sign of life every ten seconds (K15); scaled, but never so often that it would be work. */
export const heartbeatSpan = (timeScale: number): Millis =>
  millis(Math.max(seconds(10) * Math.min(timeScale, 1), 1000));

/** Registers the nodes and keeps them alive. */
export class NodeKeeper {
  readonly controller: Controller;
  /** Resolves when all nodes are registered. */
  readonly registered: Promise<void>;
  readonly #deps: NodesDeps;
  readonly #registry: NodeRegistry;
  readonly #shape: NodeShape;
  readonly #known = new Set<string>();
  readonly #arrived = Promise.withResolvers<void>();
  readonly #onArrival: (name: string) => void;

  constructor(deps: NodesDeps, registry: NodeRegistry, shape: NodeShape, onArrival: (name: string) => void) {
    this.#onArrival = onArrival;
    this.#deps = deps;
    this.#registry = registry;
    this.#shape = shape;
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
      // A node that somebody made again lives again.
      sources: [
        { informer: deps.nodes, keysOf: ({ type, object }) => (type === 'added' ? [nameOf(object)] : []) },
      ],
      reconcile: (name, signal) => this.#beat(name, signal),
    });
    for (const node of registry.all()) this.controller.add(node.name);
  }

  async #beat(name: string, signal: AbortSignal): Promise<Next> {
    const played = this.#registry.get(name);
    if (played === undefined || isDown(played)) return settled;
    const node = this.#deps.nodes.get('', name);
    // A kubelet does not come back by itself after somebody has deleted its node.
    if (node === undefined && this.#known.has(name)) return settled;
    const found = node ?? (await this.#register(played, signal));
    if (labelsOf(found)[nodeLabel] === undefined) return this.#leaveAlone(name);
    await this.#refresh(found, signal);
    if (!this.#known.has(name)) this.#arrive(played);
    const span = heartbeatSpan(this.#deps.settings.timeScale);
    // The first ones are spread, so that not all come together for ever.
    return wake(millis(span * (0.95 + (played.index % 10) / 100)));
  }

  #leaveAlone(name: string): Next {
    this.#deps.report?.('a node of this name is not a simulated one and is left alone', { node: name });
    this.#count(name);
    return settled;
  }

  #arrive(played: PlayedNode): void {
    played.isOurs = true;
    this.#count(played.name);
    this.#onArrival(played.name);
  }

  #count(name: string): void {
    this.#known.add(name);
    if (this.#known.size === this.#registry.all().length) this.#arrived.resolve();
  }

  async #register(played: PlayedNode, signal: AbortSignal): Promise<KubeObject> {
    const { client, clock } = this.#deps;
    const wanted = nodeObject(played, this.#shape, clock.now());
    const created = await client.create(nodeResource, wanted, signal, { fieldManager });
    const found = created.type === 'exists' ? await client.get(nodeResource, played, signal) : created;
    if (found.type !== 'ok') throw new Refused(`node ${played.name}`, found);
    return found.object;
  }

  async #refresh(node: KubeObject, signal: AbortSignal): Promise<void> {
    if (isDeleting(node)) return;
    const now = this.#deps.clock.now();
    await this.#renew(node, now, signal);
    if (readyOf(node) === 'True' && now - lastBeat(node) < statusEvery) return;
    const status = {
      ...objectAt(node, 'status'),
      conditions: readyConditions(listAt(node, 'status', 'conditions'), now),
    };
    const outcome = await this.#deps.client.updateStatus(nodeResource, { ...node, status }, signal, {
      fieldManager,
    });
    if (outcome.type !== 'ok' && outcome.type !== 'not-found')
      throw new Refused(`the status of node ${textAt(node, 'metadata', 'name') ?? ''}`, outcome);
  }

  async #renew(node: KubeObject, now: Instant, signal: AbortSignal): Promise<void> {
    const renewTime = formatMicroTime(now);
    const name = textAt(node, 'metadata', 'name') ?? '';
    const { client } = this.#deps;
    const key = { namespace: leaseNamespace, name };
    const patch = { type: 'merge', body: { spec: { renewTime } }, fieldManager } as const;
    const patched = await client.patch(leases, key, patch, signal);
    if (patched.type !== 'not-found') return;
    const created = await client.create(leases, leaseObject(node, renewTime), signal, { fieldManager });
    if (created.type !== 'ok' && created.type !== 'exists')
      throw new Refused(`the lease of ${name}`, created);
  }
}

function lastBeat(node: KubeObject): number {
  const ready = conditionOf(listAt(node, 'status', 'conditions'), 'Ready');
  return parseTime(textAt(ready, 'lastHeartbeatTime') ?? '') ?? 0;
}
