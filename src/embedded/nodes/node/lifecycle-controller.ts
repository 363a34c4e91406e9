import { at, objectAt, textAt } from '#base/json.ts';
import { formatTime, instant, later, millis, seconds, type Instant } from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import type { NodesDeps } from '#embedded/nodes/api/deps.ts';
import type { Recorders } from '#embedded/nodes/api/recorders.ts';
import { isConflict, WriteRefused } from '#embedded/nodes/api/refusal.ts';
import { nodes as nodeResource, pods as podResource, podsOn } from '#embedded/nodes/api/resources.ts';
import { readTaint, taintsOf, type Taint } from './taints.ts';
import { disrupted, orphaned, unready } from './lost-pod.ts';
import { evictionTime, judgeNode, mustLeave, nodeGrace } from './node-lifecycle.ts';
import type { NodeEvents } from './node-events.ts';
import { heartbeatSpan } from './node-heartbeats.ts';
import { nodeLabel } from './node-shape.ts';
import { readyOf } from './node-status.ts';

const fieldManager = 'kube-controller-manager';
/** Pods of a node that no longer exists are removed after this long. */
const orphanGrace = seconds(40);

/** The node lifecycle, taint eviction and pod garbage collector controllers in one. */
export class LifecycleController {
  readonly controller: Controller;
  readonly #deps: NodesDeps;
  readonly #recorders: Recorders;
  readonly #events: NodeEvents;
  readonly #signs = new Map<string, Instant>();
  readonly #goneAt = new Map<string, Instant>();
  readonly #taints = new Map<string, ReadonlyMap<string, Instant>>();

  constructor(deps: NodesDeps, leases: Informer, recorders: Recorders, events: NodeEvents) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#events = events;
    const { clock, random, tasks, report } = deps;
    this.controller = runController({
      name: 'node-lifecycle',
      clock,
      random,
      ...(tasks && { tasks }),
      ...(report && { report }),
      queue: { parallel: 4, isExpected: isConflict },
      sources: [
        { informer: deps.nodes, keysOf: (delta) => this.#nodeChanged(delta) },
        { informer: leases, keysOf: (delta) => this.#leaseChanged(delta) },
        { informer: deps.pods, keysOf: (delta) => this.#podChanged(delta) },
      ],
      reconcile: (name, signal) => this.#judge(name, signal),
    });
  }

  #nodeChanged({ type, object }: Delta): readonly string[] {
    if (labelsOf(object)[nodeLabel] === undefined) return [];
    const name = nameOf(object);
    if (type === 'deleted') {
      this.#signs.delete(name);
      this.#taints.delete(name);
      this.#goneAt.set(name, this.#deps.clock.now());
      this.#events.removed(object);
      return [name];
    }
    this.#goneAt.delete(name);
    if (type === 'added') {
      this.#signs.set(name, this.#deps.clock.now());
      this.#events.registered(object);
    }
    return [name];
  }

  /** A lease renewal is only stored; the node's timer reads it. A lost node is queued at once. */
  #leaseChanged({ type, object }: Delta): readonly string[] {
    const name = nameOf(object);
    const node = this.#deps.nodes.get('', name);
    if (type === 'deleted' || node === undefined) return [];
    this.#signs.set(name, this.#deps.clock.now());
    return [];
  }

  /** Pods that come to a node which is lost, tainted or gone. */
  #podChanged({ type, object }: Delta): readonly string[] {
    const name = textAt(object, 'spec', 'nodeName') ?? '';
    if (type === 'deleted' || name === '') return [];
    const node = this.#deps.nodes.get('', name);
    return node === undefined || mustLeave(node) || readyOf(node) !== 'True' ? [name] : [];
  }

  async #judge(name: string, signal: AbortSignal): Promise<Next> {
    const node = this.#deps.nodes.get('', name);
    if (node === undefined) return this.#collect(name, signal);
    const { clock, client, settings } = this.#deps;
    const now = clock.now();
    const beat = heartbeatSpan(settings);
    const grace = Math.max(nodeGrace * settings.timeScale, 4 * beat);
    const judgement = judgeNode(node, this.#signs.get(name) ?? now, grace, now);
    let current = node;
    if (judgement.status !== undefined) {
      const changed = { ...node, status: judgement.status };
      current = await this.#written(
        client.updateStatus(nodeResource, changed, signal, { fieldManager }),
        name,
      );
      this.#events.lost(node);
    }
    if (judgement.taints !== undefined) {
      const changed = { ...current, spec: { ...objectAt(current, 'spec'), taints: judgement.taints } };
      current = await this.#written(client.update(nodeResource, changed, signal, { fieldManager }), name);
    }
    if (readyOf(current) !== 'True') await this.#markPods(name, signal);
    if (!mustLeave(current)) this.#taints.delete(name);
    const evictAt = mustLeave(current) ? await this.#evict(current, now, signal) : undefined;
    const wakes = [judgement.wakeAt, evictAt].filter((each) => each !== undefined);
    if (wakes.length === 0) return settled;
    return wake(millis(Math.max(1, Math.min(...wakes) - clock.now())));
  }

  async #written(outcome: ReturnType<NodesDeps['client']['update']>, name: string): Promise<KubeObject> {
    const answer = await outcome;
    if (answer.type !== 'ok') throw new WriteRefused(`node ${name}`, answer);
    return answer.object;
  }

  async #markPods(name: string, signal: AbortSignal): Promise<void> {
    for (const pod of podsOn(this.#deps.pods, name)) {
      const status = unready(pod, formatTime(this.#deps.clock.now()));
      if (status === undefined || !(await this.#writePod(pod, status, signal))) continue;
      this.#recorders.record('node-controller', undefined, pod, {
        type: 'Warning',
        reason: 'NodeNotReady',
        message: 'Node is not ready',
      });
    }
  }

  /** Deletes the pods whose toleration has run out; returns when the next one's does. */
  async #evict(node: KubeObject, now: Instant, signal: AbortSignal): Promise<Instant | undefined> {
    const seenAt = this.#taintTimes(node, now);
    let next: number = Infinity;
    for (const pod of podsOn(this.#deps.pods, nameOf(node))) {
      if (isDeleting(pod)) continue;
      const due = evictionTime(pod, node, seenAt, this.#deps.settings.timeScale);
      if (due === undefined) continue;
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      this.#recorders.record('taint-eviction-controller', undefined, pod, {
        type: 'Normal',
        reason: 'TaintManagerEviction',
        message: `Marking for deletion Pod ${keyOf(pod)}`,
      });
      const reason = 'Taint manager: deleting due to NoExecute taint';
      await this.#writePod(pod, disrupted(pod, 'DeletionByTaintManager', reason, formatTime(now)), signal);
      await this.#remove(pod, {}, signal);
    }
    return Number.isFinite(next) ? instant(next) : undefined;
  }

  /** Taints set by hand carry no time: tolerations count from when they are first seen. */
  #taintTimes(node: KubeObject, now: Instant): (taint: Taint) => Instant {
    const before = this.#taints.get(nameOf(node));
    const times = new Map(
      taintsOf(node).map((taint) => {
        const key = taintKey(readTaint(taint));
        return [key, before?.get(key) ?? now];
      }),
    );
    this.#taints.set(nameOf(node), times);
    return (taint) => times.get(taintKey(taint)) ?? now;
  }

  /** The node object is deleted: no kubelet can stop its pods. */
  async #collect(name: string, signal: AbortSignal): Promise<Next> {
    const now = this.#deps.clock.now();
    // A node that was deleted while this process was down counts as deleted now.
    const goneAt = this.#goneAt.get(name) ?? now;
    this.#goneAt.set(name, goneAt);
    const due = later(goneAt, millis(orphanGrace * this.#deps.settings.timeScale));
    if (due > now) return wake(millis(due - now));
    for (const pod of podsOn(this.#deps.pods, name)) {
      if (at(pod, 'metadata', 'deletionGracePeriodSeconds') === 0) continue;
      await this.#writePod(pod, orphaned(pod, formatTime(now)), signal);
      await this.#remove(pod, { gracePeriodSeconds: 0 }, signal);
    }
    return settled;
  }

  /** False on a conflict: the informer will deliver the newer object. */
  async #writePod(pod: KubeObject, status: KubeObject, signal: AbortSignal): Promise<boolean> {
    const changed = { ...pod, status };
    const outcome = await this.#deps.client.updateStatus(podResource, changed, signal, { fieldManager });
    return outcome.type === 'ok';
  }

  async #remove(
    pod: KubeObject,
    options: { gracePeriodSeconds?: number },
    signal: AbortSignal,
  ): Promise<void> {
    const key = objectKeyOf(pod);
    const preconditions = { uid: uidOf(pod) };
    const outcome = await this.#deps.client.remove(podResource, key, signal, { ...options, preconditions });
    if (outcome.type !== 'ok' && outcome.type !== 'not-found')
      throw new WriteRefused(`the removal of pod ${keyOf(pod)}`, outcome);
  }
}

const taintKey = ({ key, value, effect }: Taint): string => `${key}=${value}:${effect}`;
