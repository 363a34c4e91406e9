import { instant, later, type Clock, type Instant, type Millis } from '#base/time.ts';

export type ManualClock = Clock & {
  /** Moves time and runs what is due, in order. Returns whether anything was. */
  advance(span: Millis): boolean;
  /** Settles when somebody waits for time to pass. */
  waiting(): Promise<void>;
};

/** A clock that moves only when a test advances it. */
export function manualClock(start: number): ManualClock {
  let now = instant(start);
  let timers: { readonly at: Instant; readonly task: () => void }[] = [];
  let arrived: (() => void)[] = [];
  const after: Clock['after'] = (span, task) => {
    const timer = { at: later(now, span), task };
    timers.push(timer);
    for (const resolve of arrived) resolve();
    arrived = [];
    return () => void (timers = timers.filter((each) => each !== timer));
  };
  return {
    now: () => now,
    after,
    sleep: (span, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const cancel = after(span, resolve);
        return signal.addEventListener('abort', () => {
          cancel();
          reject(signal.reason as Error);
        });
      }),
    advance(span) {
      const end = later(now, span);
      let isDue = false;
      for (;;) {
        const [next] = timers.filter((each) => each.at <= end).toSorted((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        isDue = true;
        next.task();
      }
      now = end;
      return isDue;
    },
    waiting: () => (timers.length > 0 ? Promise.resolve() : new Promise((resolve) => arrived.push(resolve))),
  };
}
