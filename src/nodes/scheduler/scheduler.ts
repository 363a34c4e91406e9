import { listAt, textAt } from '#base/json.ts';
import { formatTime, later, millis, type Instant } from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import type { NodesDeps } from '#nodes/deps.ts';
import { nodeLabel } from '#nodes/node/node-shape.ts';
import type { Recorders } from '#nodes/recorders.ts';
import { isConflict, Refused } from '#nodes/refusal.ts';
import { pods as podResource } from '#nodes/resources.ts';
import { draw } from '#nodes/tuning/draw.ts';
import { Written } from '#nodes/written.ts';
import { candidateOf, isSameCandidate, type Candidate } from './candidate.ts';
import { chooseNode, type Choice } from './choose.ts';
import { missingClaim, waitsForClaim } from './claims.ts';
import { LoadBook } from './load-book.ts';
import { unscheduled } from './unscheduled.ts';

export type SchedulerOptions = { readonly name: string };

const fieldManager = 'kube-scheduler';

/** Gives pods their nodes (K1). */
export class Scheduler {
  readonly #deps: NodesDeps;
  readonly #recorders: Recorders;
  readonly #options: SchedulerOptions;
  readonly #book = new LoadBook();
  readonly #written = new Written();
  readonly #due = new Map<string, Instant>();
  readonly #stuck = new Set<string>();
  #candidates: readonly Candidate[] | undefined;
  #isWaking = false;
  readonly controller: Controller;

  constructor(deps: NodesDeps, recorders: Recorders, options: SchedulerOptions) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#options = options;
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
        { informer: deps.claims, keysOf: (delta) => this.#claimChanged(delta) },
      ],
      reconcile: (key, signal) => this.#schedule(key, signal),
    });
  }

  #podChanged(delta: Delta): readonly string[] {
    const { object } = delta;
    const key = keyOf(object);
    if (delta.type === 'deleted') {
      this.#written.forget(uidOf(object));
      this.#due.delete(uidOf(object));
      this.#stuck.delete(key);
      if (this.#book.forget(object)) this.#wakeStuck();
      return [];
    }
    const isFree = this.#book.note(object);
    if (this.#isOurs(object)) return [key];
    this.#stuck.delete(key);
    if (isFree) this.#wakeStuck();
    return [];
  }

  /** Signs of life change nothing for a scheduler. */
  #nodeChanged(delta: Delta): readonly string[] {
    if (delta.type === 'updated' && isSameCandidate(delta.old, delta.object)) return [];
    this.#candidates = undefined;
    this.#wakeStuck();
    return [];
  }

  /** A claim that appears may be what a pod waits for. */
  #claimChanged(delta: Delta): readonly string[] {
    if (delta.type === 'added') this.#wakeStuck();
    return [];
  }

  /** Those that fit nowhere are tried again when something has changed, a little later: changes come in swarms. */
  #wakeStuck(): void {
    if (this.#isWaking || this.#stuck.size === 0) return;
    this.#isWaking = true;
    this.#deps.clock.after(millis(100), () => {
      this.#isWaking = false;
      for (const key of this.#stuck) this.controller.add(key);
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
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.pods.get(namespace, name);
    if (shown === undefined) return settled;
    const pod = this.#written.newest(shown);
    if (!this.#isOurs(pod) || this.#book.has(pod)) return settled;
    const now = this.#deps.clock.now();
    const due = this.#dueOf(pod, now);
    if (due > now) return wake(millis(due - now));
    const { seed } = this.#deps.settings;
    const candidates = this.#allCandidates();
    const claim = missingClaim(pod, (space, wanted) => this.#deps.claims.get(space, wanted));
    const choice: Choice =
      claim === undefined
        ? chooseNode(pod, candidates, this.#book.loads, seed)
        : { type: 'none', message: waitsForClaim(candidates.length, claim) };
    if (choice.type === 'chosen') await this.#bind(pod, choice.node, signal);
    else await this.#giveUp(pod, choice.message, signal);
    return settled;
  }

  #allCandidates(): readonly Candidate[] {
    this.#candidates ??= this.#deps.nodes
      .list()
      .filter((node) => labelsOf(node)[nodeLabel] !== undefined && !isDeleting(node))
      .map(candidateOf);
    return this.#candidates;
  }

  /** Schedulers take their time in some profiles. */
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
    // Counted before it is sent, so that others who are scheduled meanwhile see it.
    this.#book.assign(pod, node);
    try {
      const outcome = await this.#deps.client.create(podResource, binding, signal, {
        subresource: 'binding',
        fieldManager,
      });
      if (outcome.type !== 'ok') {
        this.#book.forget(pod);
        if (outcome.type === 'not-found') return;
        throw new Refused(`binding ${namespace}/${name} to ${node}`, outcome);
      }
    } catch (error) {
      if (!(error instanceof Refused)) this.#book.forget(pod);
      throw error;
    }
    this.#due.delete(uidOf(pod));
    this.#stuck.delete(keyOf(pod));
    if (!this.#deps.settings.profile.routineEvents) return;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#recorders.record('default-scheduler', undefined, pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message,
    });
  }

  async #giveUp(pod: KubeObject, message: string, signal: AbortSignal): Promise<void> {
    this.#stuck.add(keyOf(pod));
    const status = unscheduled(pod, message, formatTime(this.#deps.clock.now()));
    if (status === undefined) return;
    const outcome = await this.#deps.client.updateStatus(podResource, { ...pod, status }, signal, {
      fieldManager,
    });
    if (outcome.type === 'not-found') return;
    if (outcome.type !== 'ok') throw new Refused(`the status of ${keyOf(pod)}`, outcome);
    this.#written.note(pod, outcome.object);
    this.#recorders.record('default-scheduler', undefined, pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      message,
    });
  }
}
