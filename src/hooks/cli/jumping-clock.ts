import { later, millis, type Clock } from '#base/time.ts';

/** A clock on which sleeping takes no time: it advances once all pending work is done. */
export function jumpingClock(from: Clock): Clock {
  let now = from.now();
  const jump = async (span: number, signal: AbortSignal): Promise<void> => {
    await new Promise((resolve) => void setImmediate(resolve));
    signal.throwIfAborted();
    now = later(now, millis(span));
  };
  return { now: () => now, sleep: jump, after: (span, task) => from.after(span, task) };
}
