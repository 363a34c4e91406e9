import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import type { Random } from '#base/random.ts';
import { later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { backOff } from '#base/back-off.ts';
import { Batches } from '#loop/batches.ts';
import { splitKey } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import { Slots } from '#base/slots.ts';
import { metaOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { notesOf } from './run-notes.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { leanRun, withStatus } from '#hooks/decide/run-object.ts';
import { statusOf } from '#hooks/read.ts';
import type { TrackedRun } from '#hooks/providers/tracked-run.ts';

export type RunWriterDeps = {
  readonly client: Pick<KubeClient, 'get' | 'updateStatus'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly events: EventRecorder;
  readonly again: (key: string, after?: Millis) => void;
  readonly isTracked: (run: TrackedRun) => boolean;
  readonly forget: (run: TrackedRun) => void;
};

const mostWrites = 64;
/** Writes wait so long for each other, since each batch is made durable once. Others wait for verdicts. */
const verdictsTogether = millis(10);
const measurementsTogether = millis(40);
/** We know what we write, so the answer may be short and the server need not look for misspelt fields. */
const writeOptions = { answer: 'metadata', fieldValidation: 'Ignore' } as const;

/**
 * Writes statuses over the very state that they were judged from, one write of a run at a time. What comes back
 * meanwhile goes into the next one.
 */
export class RunWriter {
  readonly #deps: RunWriterDeps;
  readonly #slots = new Slots(mostWrites);
  readonly #verdicts: Batches;
  readonly #measurements: Batches;
  readonly #stop = new AbortController();
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: RunWriterDeps) {
    this.#deps = deps;
    this.#verdicts = new Batches(deps.clock, verdictsTogether);
    this.#measurements = new Batches(deps.clock, measurementsTogether);
  }

  /** Sets off a write, unless one is on its way or the last one failed a moment ago. */
  write(run: TrackedRun, status: HookRunStatus, now: Instant): void {
    if (run.isWriting || (run.retryAt !== undefined && now < run.retryAt)) return;
    run.isWriting = true;
    run.retryAt = undefined;
    const written = { before: run.object, status, results: run.results.length };
    const batches = isFinal(status.phase) ? this.#verdicts : this.#measurements;
    batches.add(() => this.#slots.whenFree(() => this.#begin(run, written)));
  }

  async close(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    this.#verdicts.close();
    this.#measurements.close();
    await Promise.all(this.#ending);
  }

  #begin(run: TrackedRun, written: Written): void {
    const ended = this.#write(run, written).finally(() => {
      this.#ending.delete(ended);
      this.#slots.release();
    });
    this.#ending.add(ended);
  }

  async #write(run: TrackedRun, written: Written): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted || !this.#deps.isTracked(run)) return;
    try {
      const changed = withStatus(written.before, written.status);
      const outcome = await this.#deps.client.updateStatus(hookRuns, changed, signal, writeOptions);
      await this.#settle(run, written, outcome);
    } catch (error) {
      if (!signal.aborted) this.#putOff(run, reasonOf(error));
    } finally {
      run.isWriting = false;
    }
    if (!signal.aborted && run.retryAt === undefined && this.#hasMore(run)) this.#deps.again(run.key);
  }

  async #settle(run: TrackedRun, written: Written, outcome: Outcome): Promise<void> {
    switch (outcome.type) {
      case 'ok':
        this.#done(run, written, outcome.object);
        return;
      case 'conflict': {
        // Somebody else wrote, or our own answer was lost: judged anew on what is there now.
        const read = await this.#deps.client.get(hookRuns, splitKey(run.key), this.#stop.signal);
        if (read.type === 'not-found' || (read.type === 'ok' && uidOf(read.object) !== run.uid))
          this.#deps.forget(run);
        else if (read.type !== 'ok') this.#putOff(run, read.message);
        else {
          run.learn(leanRun.of(read.object));
          run.mustLook = true;
        }
        return;
      }
      case 'not-found':
        this.#deps.forget(run);
        return;
      default:
        this.#putOff(run, outcome.message);
    }
  }

  #done(run: TrackedRun, { before, status, results }: Written, answer: KubeObject): void {
    run.learn(leanRun.of({ ...withStatus(before, status), metadata: metaOf(answer) }));
    run.mustLook = run.failures > 0 || resourceVersionOf(run.object) !== resourceVersionOf(answer);
    run.begun = undefined;
    run.results.splice(0, results);
    run.failures = 0;
    const { name } = splitKey(run.key);
    for (const note of notesOf(name, statusOf(before), status)) this.#deps.events.record(run.object, note);
  }

  #putOff(run: TrackedRun, why: string): void {
    const { clock, random, report, again } = this.#deps;
    run.failures += 1;
    const span = backOff(run.failures, random.next());
    run.retryAt = later(clock.now(), span);
    report('a status could not be written', { run: run.key, failures: run.failures, why });
    again(run.key, span);
  }

  #hasMore(run: TrackedRun): boolean {
    return this.#deps.isTracked(run) && (run.results.length > 0 || run.mustLook);
  }
}

/** What is being written: over which state, and how many of the run's results are in it. */
type Written = {
  readonly before: KubeObject;
  readonly status: HookRunStatus;
  readonly results: number;
};
