import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { Slots } from '#base/slots.ts';
import { millis, type Instant } from '#base/time.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { Batches } from '#loop/batches.ts';
import type { TrackedRun } from './tracked-run.ts';
import { writeStatus, type StatusWrite, type WriteStatusDeps } from './write-status.ts';

type RunWriterDeps = WriteStatusDeps & { readonly isTracked: (run: TrackedRun) => boolean };

const mostWrites = 64;
/** Writes of one batch share one fsync. Verdicts wait less, because releases and pods wait for them. */
const verdictsTogether = millis(10);
const measurementsTogether = millis(40);

/**
 * Writes statuses in batches, one write of a run at a time. Each replaces the state that it was decided from; replies
 * that arrive meanwhile are part of the next one.
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

  /** Starts a write, unless one is in progress or the last one failed a moment ago. */
  write(run: TrackedRun, status: HookRunStatus, now: Instant): void {
    if (run.isWriting || run.isPaused(now)) return;
    run.isWriting = true;
    run.pause = undefined;
    const write = { before: run.object, status, results: run.results.length };
    const batches = isFinal(status.phase) ? this.#verdicts : this.#measurements;
    batches.add(() => this.#slots.whenFree(() => this.#begin(run, write)));
  }

  async close(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    this.#verdicts.close();
    this.#measurements.close();
    await Promise.all(this.#ending);
  }

  #begin(run: TrackedRun, write: StatusWrite): void {
    const ended = this.#write(run, write).finally(() => {
      this.#ending.delete(ended);
      this.#slots.release();
    });
    this.#ending.add(ended);
  }

  async #write(run: TrackedRun, write: StatusWrite): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted || !this.#deps.isTracked(run)) return;
    await writeStatus(this.#deps, run, write, signal);
    run.isWriting = false;
    if (!signal.aborted && run.pause === undefined && this.#hasMore(run)) this.#deps.again(run.key);
  }

  #hasMore(run: TrackedRun): boolean {
    return this.#deps.isTracked(run) && (run.results.length > 0 || run.mustReconcile);
  }
}
