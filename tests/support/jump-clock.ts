import { instant, later, type Clock, type Instant, type Millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';

/** A clock that goes on as the system clock does, from another time, and can jump ahead. */
export type JumpClock = Clock & {
  /** Lets time pass at once: what is due by then runs now. */
  jump(span: Millis): void;
};

/** `ahead`: how far it is ahead of the system clock. */
export function jumpClock(ahead: Millis): JumpClock {
  let offset: number = ahead;
  const timers = new Set<{ readonly at: Instant; readonly run: () => void }>();
  const now = (): Instant => instant(systemClock.now() + offset);
  const after: Clock['after'] = (span, task) => {
    const cancel = systemClock.after(span, () => timer.run());
    const timer = {
      at: later(now(), span),
      run: () => {
        cancel();
        if (timers.delete(timer)) task();
      },
    };
    timers.add(timer);
    return () => {
      cancel();
      timers.delete(timer);
    };
  };
  return {
    now,
    after,
    sleep: (span, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = (): void => {
          cancel();
          reject(signal.reason as Error);
        };
        const cancel = after(span, () => {
          signal.removeEventListener('abort', abort);
          resolve();
        });
        return signal.addEventListener('abort', abort, { once: true });
      }),
    jump(span) {
      offset += span;
      const due = [...timers].filter(({ at }) => at <= now());
      for (const { run } of due.toSorted((left, right) => left.at - right.at)) run();
    },
  };
}
