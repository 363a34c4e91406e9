import type { Clock } from '#base/time.ts';
import { argsMap } from '#hooks/decide/args.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { DueCall } from '#hooks/decide/run.ts';
import { splitKey } from '#loop/delta.ts';
import { aboutError, reasonOf, type Report } from '#loop/report.ts';
import { Slots } from '#base/slots.ts';
import type { AskMetric, MetricCall } from '#hooks/providers/provider.ts';
import { specOf } from '#hooks/read.ts';
import type { TrackedRun } from './tracked-run.ts';

export type RunCallsDeps = {
  readonly ask: AskMetric;
  readonly clock: Clock;
  readonly report: Report;
  readonly again: (key: string) => void;
};

/** Calls in progress at a time. Each host has a limit of its own, so that one slow host cannot use all of them. */
const mostCalls = 4096;

/** Makes the calls of all runs, a limited number at a time. */
export class RunCalls {
  readonly #deps: RunCallsDeps;
  readonly #slots = new Slots(mostCalls);
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: RunCallsDeps) {
    this.#deps = deps;
  }

  /** Starts a call. Its result is added to the run, which is then reconciled. */
  start(run: TrackedRun, call: DueCall): void {
    const control = new AbortController();
    run.calls.set(call.metric.name, control);
    this.#slots.whenFree(() => {
      const ended = this.#make(run, call, control).finally(() => {
        this.#ending.delete(ended);
        this.#slots.release();
      });
      this.#ending.add(ended);
    }, control.signal);
  }

  /** Resolves when no call is in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #make(run: TrackedRun, call: DueCall, { signal }: AbortController): Promise<void> {
    const { clock, again } = this.#deps;
    const { metric, plannedAt, plannedFrom } = call;
    const startedAt = clock.now();
    const reading = await this.#ask(run, call, signal);
    if (signal.aborted) return;
    run.calls.delete(metric.name);
    const finishedAt = clock.now();
    run.results.push({ metric: metric.name, plannedAt, plannedFrom, startedAt, finishedAt, reading });
    again(run.key);
  }

  async #ask(run: TrackedRun, { metric, attempt }: DueCall, signal: AbortSignal): Promise<ProviderReading> {
    const spec = specOf(run.object);
    const filled = argsMap(spec.args ?? []);
    if (filled.type === 'problem') return { type: 'error', message: filled.message, evidence: {} };
    const { namespace, name } = splitKey(run.key);
    const question: MetricCall = {
      namespace,
      run: { name, uid: run.uid },
      serviceAccount: spec.serviceAccountName ?? 'default',
      metric,
      args: filled.args,
      attempt,
    };
    try {
      return await this.#deps.ask(question, signal);
    } catch (error) {
      const message = reasonOf(error);
      if (!signal.aborted)
        this.#deps.report(
          'a provider failed',
          { run: run.key, metric: metric.name, ...aboutError(error) },
          'warn',
        );
      return { type: 'error', message, evidence: {} };
    }
  }
}
