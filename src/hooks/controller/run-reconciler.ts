import { millis, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { decideRun } from '#hooks/decide/decide-run.ts';
import { expiryOf, isFinished } from '#hooks/decide/run-object.ts';
import type { AskMetric } from '#hooks/providers/provider.ts';
import { RunEnded } from '#hooks/providers/run-ended.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { OtherWriters } from '#loop/owned/other-writers.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { uidOf } from '#kube/object.ts';
import type { HookRunMetrics } from './hook-run-metrics.ts';
import { RunCalls } from './run-calls.ts';
import { removeExpired } from './run-expiry.ts';
import { takeSnapshot, type HookRunReader } from './run-snapshot.ts';
import { RunWriter } from './run-writer.ts';
import { TrackedRun } from './tracked-run.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

export type RunReconcilerDeps = Pick<LoopDeps, 'clock' | 'random' | 'report'> & {
  readonly ask: AskMetric;
  readonly client: Pick<KubeClient, 'get' | 'updateStatus' | 'remove'>;
  readonly events: EventRecorder;
  /** No metric is called more often. */
  readonly leastInterval: Millis;
  readonly read: HookRunReader;
  /** Reconciles a key, now or after a while. */
  readonly again: (key: string, after?: Millis) => void;
  readonly metrics?: HookRunMetrics | undefined;
};

/** Runs that are due within the same few milliseconds are reconciled together, which costs much less. */
const grain = 4;

/**
 * Reconciles HookRuns that are not finished. It never waits: it starts calls and writes, and their end reconciles
 * the run again. So a server that hangs delays no other run.
 */
export class RunReconciler {
  readonly #deps: RunReconcilerDeps;
  readonly #runs = new Map<string, TrackedRun>();
  readonly #calls: RunCalls;
  readonly #writer: RunWriter;

  constructor(deps: RunReconcilerDeps) {
    this.#deps = deps;
    const isTracked = (run: TrackedRun): boolean => this.#runs.get(run.key) === run;
    this.#calls = new RunCalls(deps);
    this.#writer = new RunWriter({
      ...deps,
      others: new OtherWriters(),
      isTracked,
      forget: (run) => this.#forget(run),
    });
  }

  /** Takes in an event of the informer; returns the keys to reconcile. */
  observe({ type, object }: Delta): readonly string[] {
    const key = keyOf(object);
    const known = this.#runs.get(key);
    if (type === 'deleted') {
      if (known?.uid === uidOf(object)) this.#forget(known);
      return [];
    }
    if (isFinished(object)) {
      if (known !== undefined && !known.isNewerThan(object)) this.#forget(known);
      return expiryOf(object) === undefined ? [] : [key];
    }
    if (known?.uid === uidOf(object)) return known.observe(object) ? [key] : [];
    if (known !== undefined) this.#forget(known);
    this.#runs.set(key, new TrackedRun(key, object, this.#deps.leastInterval));
    return [key];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const run = this.#runs.get(key);
    if (run !== undefined) return this.#advance(run);
    const found = await takeSnapshot(this.#deps.read, key, this.#deps.leastInterval, signal);
    return found === undefined ? settled : removeExpired(this.#deps, found.object, signal);
  }

  async close(): Promise<void> {
    const reason = new Error('the controller stops');
    for (const run of this.#runs.values()) run.abort(reason);
    this.#runs.clear();
    await Promise.all([this.#calls.ended(), this.#writer.close(reason)]);
  }

  #forget(run: TrackedRun): void {
    if (this.#runs.get(run.key) === run) this.#runs.delete(run.key);
    run.abort(new RunEnded());
  }

  #advance(run: TrackedRun): Next {
    const now = this.#deps.clock.now();
    const decision = decideRun(run.snapshot, run.unwritten, now);
    if (decision.type === 'over') {
      run.abort(new RunEnded());
      run.results = [];
      return settled;
    }
    run.begun = decision.begun;
    run.isChecked = decision.isChecked;
    if (decision.type === 'finished') {
      run.abort(new RunEnded());
      this.#writer.write(run, decision.status, now);
      return untilRetry(run, now);
    }
    if (run.failures > 0 && !run.isWriting && !decision.mustWrite) {
      // The answer to the last write was lost, and the informer has shown that it took effect.
      run.failures = 0;
      run.pause = undefined;
      return this.#advance(run);
    }
    for (const call of decision.calls) this.#calls.start(run, call);
    if (decision.mustWrite) this.#writer.write(run, decision.status, now);
    return run.failures > 0 ? untilRetry(run, now) : until(decision.wakeAt, now);
  }
}

const until = (time: Instant | undefined, now: Instant): Next =>
  time === undefined ? settled : wake(millis(Math.max(0, Math.ceil(time / grain) * grain - now)));

const untilRetry = ({ pause }: TrackedRun, now: Instant): Next =>
  pause === undefined ? settled : wake(millis(Math.max(0, pause.until - now)));
