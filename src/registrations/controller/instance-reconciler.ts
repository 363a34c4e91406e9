import type { Clock } from '#base/time.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import type { Packed } from '#loop/decoder.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import { Newest } from '#loop/owned/newest.ts';
import { until } from '#loop/owned/until.ts';
import { isStale } from '#loop/owned/write.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { generationOf } from '#registrations/decide/cycle.ts';
import { Superseded } from './call-hook.ts';
import { informerReader } from './informer-reader.ts';
import type { InstanceDeps, ReconcileContext } from './instance-deps.ts';
import { unpackedInstance } from './packed-instance.ts';
import { failedReconcile, limitedReconcile } from './postponed-reconcile.ts';
import { runSteps, takeSnapshot } from './reconcile-steps.ts';
import { steadyClock } from '#base/steady-clock.ts';
import { TrackedInstance } from './tracked-instance.ts';
import { writeInstanceStatus } from './write-instance-status.ts';

/** Reconciles the instances of one registration. */
export class InstanceReconciler {
  readonly #deps: InstanceDeps;
  readonly #tracked = new Map<string, TrackedInstance>();
  readonly #newest = new Newest<Packed<KubeObject>>();
  /** For the time of the next reconciliation: a clock that is set back would postpone it. */
  readonly #clock: Clock;

  constructor(deps: InstanceDeps) {
    this.#deps = deps;
    this.#clock = steadyClock(deps.clock);
  }

  /**
   * The keys to reconcile after a change. Deleting an instance aborts a call about it, and editing it one that waits to
   * be sent: it would be about an earlier version.
   */
  observe(delta: Delta<Packed<KubeObject>>): readonly string[] {
    const { object } = delta;
    const key = keyOf(object);
    const isGoing =
      delta.type === 'deleted' || (delta.type === 'updated' && isDeleting(object) && !isDeleting(delta.old));
    if (delta.type === 'deleted') this.#newest.forget(uidOf(object));
    const isEdited = delta.type === 'updated' && generationOf(object) !== generationOf(delta.old);
    const call = this.#tracked.get(key)?.call;
    if (isGoing || (isEdited && call?.isSent === false)) call?.control.abort(new Superseded());
    return [key];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.instances.get(namespace, name);
    if (shown === undefined) {
      this.#tracked.delete(key);
      this.#deps.references.release(key);
      return settled;
    }
    const instance = unpackedInstance(this.#newest.of(shown));
    const tracked = this.#track(key, instance);
    const reader = informerReader(this.#deps, key, signal);
    try {
      const next = await this.#run({ deps: this.#deps, reader, key, instance, tracked, signal });
      tracked.succeed();
      return next;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Superseded) return settled;
      if (isStale(error)) {
        this.#newest.forget(tracked.uid);
        throw error;
      }
      return failedReconcile(this.#deps, error, { instance, tracked });
    }
  }

  /** Also when only the finalizer was written: the informer may show the instance with it for a while. */
  #noteWritten(key: string, written: KubeObject): void {
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.instances.get(namespace, name);
    if (shown !== undefined && uidOf(shown) === uidOf(written)) this.#newest.note(written);
  }

  #track(key: string, instance: KubeObject): TrackedInstance {
    const known = this.#tracked.get(key);
    if (known?.uid === uidOf(instance)) return known;
    const made = new TrackedInstance(instance, this.#deps.clock);
    this.#tracked.set(key, made);
    return made;
  }

  async #run(context: ReconcileContext): Promise<Next> {
    const { events, hookMetrics, hookClient } = this.#deps;
    const clock = this.#clock;
    const { instance, tracked, signal } = context;
    const version = (): string => hookClient?.endpointVersion ?? '';
    const snapshot = await takeSnapshot(context, instance);
    const isDue = tracked.isDue(clock.now());
    if (!isDue && tracked.isUnchanged(snapshot, version())) return until(clock, tracked.dueAt);
    const cached = isDue ? undefined : tracked.cachedAnswers(snapshot, version());
    const wait = cached === undefined ? tracked.limiter.take(snapshot.live.length) : 0;
    if (wait > 0) return limitedReconcile(this.#deps, context, wait);
    const end = await runSteps(context, cached === undefined ? snapshot : { ...snapshot, answers: cached });
    if (end === undefined) return settled;
    const written = await writeInstanceStatus(this.#deps, end, signal);
    if (written === undefined) return settled;
    this.#noteWritten(context.key, written);
    for (const event of end.finish.events) events.record(instance, event);
    hookMetrics?.reconciled(end.finish.outcome);
    const isCached = cached !== undefined;
    tracked.finish({ ...end, endpointVersion: version(), isCached, now: clock.now() });
    return until(clock, tracked.dueAt);
  }
}
