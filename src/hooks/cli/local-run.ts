import type { HookRunSpec, HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { millis, type Clock, type Instant } from '#base/time.ts';
import type { AskMetric } from '#hooks/providers/provider.ts';
import { argsMap } from '#hooks/decide/args.ts';
import { isFinal, type DueCall, type FinishedCall } from '#hooks/decide/run.ts';
import { absorb, beginRun, dueCalls, nextWake } from '#hooks/decide/verdict.ts';

export type LocalRun = {
  /** Distinguishes its calls from those of other runs. */
  readonly uid: string;
  readonly spec: HookRunSpec;
  readonly ask: AskMetric;
  readonly clock: Clock;
  /** Called after calls have finished, with the new status. */
  readonly onFinished: (status: HookRunStatus, finished: readonly FinishedCall[]) => void;
  /** Whether to continue after a number of calls. */
  readonly goesOn: (calls: number) => boolean;
};

/** Executes a run in this process. Rejects when it is interrupted. */
export async function runLocally(run: LocalRun, signal: AbortSignal): Promise<HookRunStatus> {
  const { spec, clock } = run;
  const inFlight = new Map<string, Promise<void>>();
  let finished: FinishedCall[] = [];
  let calls = 0;
  let status = beginRun(spec, clock.now());
  while (!isFinal(status.phase) && run.goesOn(calls)) {
    const underway = new Set(inFlight.keys());
    for (const due of dueCalls({ spec, status }, clock.now(), underway)) {
      const { name } = due.metric;
      const call = (async () => {
        finished.push(await makeCall(run, due, signal));
        inFlight.delete(name);
      })();
      inFlight.set(name, call);
    }
    await untilNext(clock, inFlight, nextWake({ spec, status }, new Set(inFlight.keys())), signal);
    if (finished.length === 0) continue;
    const back = finished;
    finished = [];
    calls += back.length;
    status = absorb({ spec, status }, back, clock.now());
    run.onFinished(status, back);
  }
  return status;
}

async function makeCall(run: LocalRun, due: DueCall, signal: AbortSignal): Promise<FinishedCall> {
  const { spec, clock } = run;
  const { metric, plannedAt, plannedFrom, attempt } = due;
  const known = argsMap(spec.args ?? []);
  const startedAt = clock.now();
  const question = {
    namespace: 'default',
    run: { name: '', uid: run.uid },
    serviceAccount: spec.serviceAccountName ?? 'default',
    metric,
    args: known.type === 'args' ? known.args : new Map<string, string>(),
    attempt,
  };
  const reading = await run.ask(question, signal);
  return { metric: metric.name, plannedAt, plannedFrom, startedAt, finishedAt: clock.now(), reading };
}

/** Waits until a call finishes or the next one is due. */
async function untilNext(
  clock: Clock,
  inFlight: ReadonlyMap<string, Promise<void>>,
  wake: Instant | undefined,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const interrupted = new Promise<never>((_resolve, reject) => {
    both.addEventListener('abort', () => reject(both.reason as Error), { once: true });
  });
  // After the race these promises are not awaited.
  interrupted.catch(() => undefined);
  const timers = wake === undefined ? [] : [clock.sleep(millis(Math.max(0, wake - clock.now())), both)];
  for (const timer of timers) timer.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await Promise.race([interrupted, ...inFlight.values(), ...timers]);
  } finally {
    over.abort(new Error('no longer waited for'));
  }
}
