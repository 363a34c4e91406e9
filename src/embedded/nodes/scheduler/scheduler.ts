import { equalJson, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, later, millis, type Instant } from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { Newest } from '#loop/owned/newest.ts';
import type { NodesDeps } from '#embedded/nodes/api/deps.ts';
import { nodeLabel } from '#embedded/nodes/node/node-shape.ts';
import type { Recorders } from '#embedded/nodes/api/recorders.ts';
import { isConflict, WriteRefused } from '#embedded/nodes/api/refusal.ts';
import { pods as podResource } from '#embedded/nodes/api/resources.ts';
import { draw } from '#embedded/nodes/tuning/draw.ts';
import { candidateOf, isSameCandidate, type Candidate } from './candidate.ts';
import { chooseNode, refusedEverywhere, type Choice, type PlacementOptions } from './choose.ts';
import { claimTrouble } from './claims.ts';
import { NodeLoads } from './node-loads.ts';
import { caresForCompany, priorityOf, Queued } from './queue-order.ts';
import { unscheduled } from './unscheduled.ts';

export type SchedulerOptions = { readonly name: string };

const fieldManager = 'kube-scheduler';

/** The scheduler: binds pods to nodes. */
export class Scheduler {
  readonly #deps: NodesDeps;
  readonly #recorders: Recorders;
  readonly #options: SchedulerOptions;
  readonly #loads: NodeLoads;
  readonly #newest = new Newest();
  readonly #due = new Map<string, Instant>();
  /** Unschedulable pods, with their priority. */
  readonly #stuck = new Map<string, number>();
  /** Those of them that a change of another pod may make schedulable. */
  readonly #lonely = new Set<string>();
  readonly #queued = new Queued();
  #places: PlacementOptions | undefined;
  #isWaking = false;
  /** True when the initial lists have been delivered. */
  #isOpen = false;
  readonly controller: Controller;

  constructor(deps: NodesDeps, recorders: Recorders, options: SchedulerOptions) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#options = options;
    this.#loads = new NodeLoads((name) => labelsOf(deps.namespaces.get('', name) ?? {}));
    const { clock, random, tasks, report } = deps;
    this.controller = runController({
      name: 'scheduler',
      clock,
      random,
      ...(tasks && { tasks }),
      ...(report && { report }),
      queue: { parallel: 32, isExpected: isConflict },
      sources: [
        { informer: deps.pods, keysOf: (delta) => this.#podChanged(delta) },
        { informer: deps.nodes, keysOf: (delta) => this.#nodeChanged(delta) },
        { informer: deps.claims, keysOf: () => this.#othersChanged() },
        { informer: deps.storageClasses, keysOf: () => this.#othersChanged() },
        { informer: deps.namespaces, keysOf: (delta) => this.#namespaceChanged(delta) },
      ],
      reconcile: (key, signal) => this.#schedule(key, signal),
    });
    this.#isOpen = true;
  }

  #podChanged(delta: Delta): readonly string[] {
    const { object } = delta;
    const key = keyOf(object);
    if (delta.type === 'deleted') {
      this.#newest.forget(uidOf(object));
      this.#due.delete(uidOf(object));
      this.#letGo(key);
      if (this.#loads.forget(object)) this.#wakeStuck();
      return [];
    }
    const news = this.#loads.note(object);
    if (this.#isOurs(object)) {
      const priority = priorityOf(object);
      // A pod that is being bound does not delay others.
      if (!this.#loads.has(object)) this.#queued.add(key, priority);
      if (priority === 0 || !this.#isOpen) return [key];
      this.controller.add(key, { priority });
      return [];
    }
    this.#letGo(key);
    if (news === 'freed' || (news === 'changed' && this.#lonely.size > 0)) this.#wakeStuck();
    return [];
  }

  #enqueue(key: string, priority: number): void {
    this.#queued.add(key, priority);
    this.controller.add(key, { priority });
  }

  #letGo(key: string): void {
    this.#stuck.delete(key);
    this.#lonely.delete(key);
    this.#queued.delete(key);
  }

  /** Heartbeats change nothing for a scheduler. */
  #nodeChanged(delta: Delta): readonly string[] {
    if (delta.type === 'updated' && isSameCandidate(delta.old, delta.object)) return [];
    this.#places = undefined;
    return this.#othersChanged();
  }

  #namespaceChanged(delta: Delta): readonly string[] {
    if (delta.type === 'updated' && equalJson(labelsIn(delta.old), labelsIn(delta.object))) return [];
    this.#loads.counts.forget();
    return this.#othersChanged();
  }

  /** Any of these changes may make a pod schedulable. */
  #othersChanged(): readonly string[] {
    this.#wakeStuck();
    return [];
  }

  /** Unschedulable pods are retried shortly after a change: changes often come in groups. */
  #wakeStuck(): void {
    if (this.#isWaking || this.#stuck.size === 0) return;
    this.#isWaking = true;
    this.#deps.clock.after(millis(100), () => {
      this.#isWaking = false;
      for (const [key, priority] of this.#stuck) this.#enqueue(key, priority);
    });
  }

  #isOurs(pod: KubeObject): boolean {
    return (
      (textAt(pod, 'spec', 'nodeName') ?? '') === '' &&
      (textAt(pod, 'spec', 'schedulerName') ?? 'default-scheduler') === this.#options.name &&
      !isDeleting(pod) &&
      textAt(pod, 'status', 'phase') !== 'Failed' &&
      listAt(pod, 'spec', 'schedulingGates').length === 0
    );
  }

  async #schedule(key: string, signal: AbortSignal): Promise<Next> {
    this.#queued.delete(key);
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.pods.get(namespace, name);
    if (shown === undefined) return settled;
    const pod = this.#newest.of(shown);
    if (!this.#isOurs(pod) || this.#loads.has(pod)) return settled;
    const now = this.#deps.clock.now();
    const due = this.#dueOf(pod, now);
    if (due > now) return wake(millis(due - now));
    const priority = priorityOf(pod);
    if (this.#queued.isAnyAbove(priority)) {
      this.#enqueue(key, priority);
      return settled;
    }
    const choice = this.#choose(pod);
    if (choice.type === 'chosen') await this.#bind(pod, choice.node, signal);
    else await this.#giveUp(pod, choice.message, signal);
    return settled;
  }

  #choose(pod: KubeObject): Choice {
    const { claims, storageClasses, settings } = this.#deps;
    const places = this.#allPlaces();
    const trouble = claimTrouble(pod, {
      claim: (namespace, name) => claims.get(namespace, name),
      storageClass: (name) => storageClasses.get('', name),
    });
    if (trouble !== undefined)
      return { type: 'none', message: refusedEverywhere(places.nodes.length, trouble) };
    return chooseNode(pod, places, settings.seed);
  }

  #allPlaces(): PlacementOptions {
    if (this.#places !== undefined) return this.#places;
    const nodes = this.#deps.nodes
      .list()
      .filter((node) => labelsOf(node)[nodeLabel] !== undefined && !isDeleting(node))
      .map(candidateOf);
    const { counts, antiAffinity, loads } = this.#loads;
    const index = {
      counts,
      antiAffinity,
      termOf: (pod: KubeObject, term: KubeObject) => this.#loads.termOf(pod, term),
      nodeNamed: (name: string): Candidate | undefined => {
        const node = this.#deps.nodes.get('', name);
        return node === undefined ? undefined : candidateOf(node);
      },
    };
    return (this.#places = { nodes, loads, index });
  }

  /** Some profiles simulate a scheduling delay. */
  #dueOf(pod: KubeObject, now: Instant): Instant {
    const { profile, timeScale, seed } = this.#deps.settings;
    if (profile.schedule.most === 0) return now;
    const known = this.#due.get(uidOf(pod));
    if (known !== undefined) return known;
    const span = draw(profile.schedule, `${seed}/${namespaceOf(pod)}/${nameOf(pod)}/schedule`);
    const due = later(now, millis(span * timeScale));
    this.#due.set(uidOf(pod), due);
    return due;
  }

  async #bind(pod: KubeObject, node: string, signal: AbortSignal): Promise<void> {
    const [name, namespace] = [nameOf(pod), namespaceOf(pod)];
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid: uidOf(pod) },
      target: { kind: 'Node', name: node },
    };
    // Counted before the binding is sent, so that pods scheduled meanwhile count it.
    this.#loads.assign(pod, node);
    try {
      const outcome = await this.#deps.client.create(podResource, binding, signal, {
        subresource: 'binding',
        fieldManager,
      });
      if (outcome.type !== 'ok') {
        this.#loads.forget(pod);
        if (outcome.type === 'not-found') return;
        throw new WriteRefused(`binding ${namespace}/${name} to ${node}`, outcome);
      }
    } catch (error) {
      if (!(error instanceof WriteRefused)) this.#loads.forget(pod);
      throw error;
    }
    this.#due.delete(uidOf(pod));
    this.#letGo(keyOf(pod));
    if (this.#lonely.size > 0) this.#wakeStuck();
    if (!this.#deps.settings.profile.routineEvents) return;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#recorders.record('default-scheduler', undefined, pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message,
    });
  }

  async #giveUp(pod: KubeObject, message: string, signal: AbortSignal): Promise<void> {
    this.#stuck.set(keyOf(pod), priorityOf(pod));
    if (caresForCompany(pod)) this.#lonely.add(keyOf(pod));
    const status = unscheduled(pod, message, formatTime(this.#deps.clock.now()));
    if (status === undefined) return;
    const outcome = await this.#deps.client.updateStatus(podResource, { ...pod, status }, signal, {
      fieldManager,
    });
    if (outcome.type === 'not-found') return;
    if (outcome.type !== 'ok') {
      this.#newest.forget(uidOf(pod));
      throw new WriteRefused(`the status of ${keyOf(pod)}`, outcome);
    }
    this.#newest.note(outcome.object);
    this.#recorders.record('default-scheduler', undefined, pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      message,
    });
  }
}

const labelsIn = (object: KubeObject): JsonObject | undefined => objectAt(object, 'metadata', 'labels');
