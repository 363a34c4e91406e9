import { millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { Random } from '#base/random.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { refuseRun } from '#hooks/decide/close-run.ts';
import { isFinal, type Run } from '#hooks/decide/run.ts';
import { problemOfRun } from '#hooks/decide/validate-run.ts';
import { absorb, beginRun, dueCalls, nextWake } from '#hooks/decide/verdict.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Report } from '#loop/report.ts';
import { isOlder } from '#loop/versions.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { isDeleting, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Ask } from '#hooks/providers/provider.ts';
import { RunCalls } from './run-calls.ts';
import { removeExpired } from './run-expiry.ts';
import { expiryOf, isFinished } from '#hooks/decide/run-object.ts';
import { statusOf } from '#hooks/read.ts';
import { RunWriter } from './run-writer.ts';
import { generationOf, RunEnded, TrackedRun } from '#hooks/providers/tracked-run.ts';

export type RunWorkDeps = {
  readonly ask: Ask;
  readonly client: Pick<KubeClient, 'get' | 'updateStatus' | 'remove'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly events: EventRecorder;
  /** No metric is called more often. */
  readonly leastInterval: Millis;
  /** A run as the informer has it. */
  readonly stored: (namespace: string, name: string) => KubeObject | undefined;
  /** Has a key looked at, now or after a while. */
  readonly again: (key: string, after?: Millis) => void;
};

/** A run whose first answer takes longer than this is shown as Running before it; otherwise one write says both. */
const patience = millis(500);

/** Runs that wake within the same few milliseconds wake together, which costs much less than one by one. */
const grain = 4;

/**
 * What is done for each run. A look never waits: calls and writes are set off, and their end has the run looked
 * at again. So nothing that hangs holds up anybody else.
 */
export class RunWork {
  readonly #deps: RunWorkDeps;
  readonly #runs = new Map<string, TrackedRun>();
  readonly #calls: RunCalls;
  readonly #writer: RunWriter;

  constructor(deps: RunWorkDeps) {
    this.#deps = deps;
    const isTracked = (run: TrackedRun): boolean => this.#runs.get(run.key) === run;
    this.#calls = new RunCalls(deps);
    this.#writer = new RunWriter({ ...deps, isTracked, forget: (run) => this.#forget(run) });
  }

  /** Takes in the news of a run; the answer is the key when there is something to do. */
  observe({ type, object }: Delta): readonly string[] {
    const key = keyOf(object);
    const known = this.#runs.get(key);
    if (type === 'deleted') {
      if (known?.uid === uidOf(object)) this.#forget(known);
      return [];
    }
    if (isFinished(object)) {
      if (known !== undefined && !isBehind(known, object)) this.#forget(known);
      return expiryOf(object) === undefined ? [] : [key];
    }
    if (known?.uid === uidOf(object)) return isNews(known, object) ? [key] : [];
    if (known !== undefined) this.#forget(known);
    this.#runs.set(key, new TrackedRun(key, object, this.#deps.leastInterval));
    return [key];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const run = this.#runs.get(key);
    if (run !== undefined) return this.#look(run);
    const { namespace, name } = splitKey(key);
    const stored = this.#deps.stored(namespace, name);
    if (stored === undefined || isDeleting(stored) || !isFinished(stored)) return settled;
    return removeExpired(this.#deps, stored, signal);
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

  #look(run: TrackedRun): Next {
    const { object } = run;
    if (isDeleting(object) || isFinished(object)) {
      run.abort(new RunEnded());
      run.results = [];
      return settled;
    }
    const now = this.#deps.clock.now();
    const judged = this.#judge(run, now);
    if (isFinal(judged.status.phase)) {
      run.abort(new RunEnded());
      this.#writer.write(run, judged.status, now);
      return untilRetry(run, now);
    }
    // While the server takes no writes nothing is asked either: the answers could not be kept.
    if (run.failures === 0)
      for (const call of dueCalls(judged, now, new Set(run.calls.keys()))) this.#calls.start(run, call);
    if (this.#isWorthWriting(run, now)) this.#writer.write(run, judged.status, now);
    return untilNext(run, judged, now);
  }

  /** The run with everything that has happened to it, written or not. */
  #judge(run: TrackedRun, now: Instant): Run {
    const { spec } = run;
    const written = statusOf(run.object);
    const isUnchecked = !run.isChecked;
    const problem = isUnchecked ? problemOfRun(spec) : undefined;
    if (problem !== undefined)
      return { spec, status: refuseRun(`HookRun ${run.key}: ${problem}`, now, written) };
    if (written.startedAt === undefined) run.begun ??= { status: beginRun(spec, now), at: now };
    else run.begun = undefined;
    const status = run.begun?.status ?? written;
    // An edit of the spec may have decided what was open: a smaller count, a lower limit.
    const isEdited = isUnchecked && run.begun === undefined;
    const isUnjudged = isEdited || run.results.length > 0 || spec.terminate === true;
    const judged = isUnjudged ? absorb({ spec, status }, run.results, now) : status;
    // A verdict that could not be written is come to again.
    run.isChecked = !isFinal(judged.phase);
    return { spec, status: judged };
  }

  #isWorthWriting(run: TrackedRun, now: Instant): boolean {
    if (run.results.length > 0) return true;
    if (run.begun === undefined) return false;
    return run.calls.size === 0 || now - run.begun.at >= patience;
  }
}

function untilNext(run: TrackedRun, judged: Run, now: Instant): Next {
  if (run.failures > 0) return untilRetry(run, now);
  const next = nextWake(judged, now, new Set(run.calls.keys()));
  const shown = run.begun === undefined || run.isWriting ? undefined : run.begun.at + patience;
  const times = [next, shown].filter((time) => time !== undefined);
  if (times.length === 0) return settled;
  const first = Math.ceil(Math.min(...times) / grain) * grain;
  return wake(millis(Math.max(0, first - now)));
}

const untilRetry = ({ retryAt }: TrackedRun, now: Instant): Next =>
  retryAt === undefined ? settled : wake(millis(Math.max(0, retryAt - now)));

/** Whether news of a run are older than what is known of it. */
const isBehind = (known: TrackedRun, object: KubeObject): boolean =>
  known.uid === uidOf(object) && isOlder(resourceVersionOf(object), resourceVersionOf(known.object));

/** Takes in news. The echo of a write on its way is none, unless others had a hand in it. */
function isNews(known: TrackedRun, object: KubeObject): boolean {
  const isEcho =
    known.isWriting && generationOf(object) === generationOf(known.object) && !isDeleting(object);
  return known.learn(object) && !isEcho;
}
