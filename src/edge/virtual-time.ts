import type { Tasks } from '#base/tasks.ts';
import { instant, later, millis, type Clock, type Instant } from '#base/time.ts';
import { TimerQueue } from './timer-queue.ts';

/** Time that passes only when everything that can run has run. */
export type VirtualTime = {
  readonly clock: Clock;
  readonly tasks: Tasks;
  /** Time stands still until real work, such as a call to a server, has ended. */
  readonly hold: <Value>(work: Promise<Value>) => Promise<Value>;
  /** Runs everything that can run at this time. */
  readonly settle: () => Promise<void>;
  /** Moves to the next timer and runs everything that can run then. False: there is none up to `end`, which it is now. */
  readonly step: (end: Instant) => Promise<boolean>;
  /** Lets time pass until the work has ended. */
  readonly until: <Value>(work: Promise<Value>) => Promise<Value>;
};

/** Settles when no promise has anything left to do. */
type Turn = () => Promise<void>;

export type VirtualTimeOptions = {
  readonly turn?: Turn;
  /** A number for each timer; those of the same moment fire by it. Default: in the order in which they were set. */
  readonly order?: (() => number) | undefined;
};

/** A turn of the real event loop: also what needs real input or output goes on. */
const loopTurn: Turn = () => new Promise((resolve) => void setImmediate(resolve));

/**
 * One event loop without real timers: the same calls run in the same order each time. A turn ends when no promise has
 * anything left to do, so one turn after each task is enough.
 */
export function virtualTime(start: number, { turn = loopTurn, order }: VirtualTimeOptions = {}): VirtualTime {
  let now = instant(start);
  const timers = new TimerQueue(order);
  const ready: (() => void)[] = [];
  const held = new Set<Promise<unknown>>();
  // As real timers: whole milliseconds, and never none, so that nobody can wait for no time for ever.
  const after: Clock['after'] = (span, task) =>
    timers.add(later(now, millis(Math.max(1, Math.ceil(span)))), task);
  const settle = async (): Promise<void> => {
    for (;;) {
      await turn();
      const task = ready.shift();
      if (task !== undefined) task();
      else if (held.size > 0) await Promise.race(held);
      else return;
    }
  };
  const step = async (end: Instant): Promise<boolean> => {
    await settle();
    const next = timers.nextAt();
    if (next === undefined || next > end) {
      now = instant(Math.max(now, end));
      return false;
    }
    now = instant(Math.max(now, next));
    for (const task of timers.takeDue(now)) task();
    await settle();
    return true;
  };
  return {
    clock: { now: () => now, after, sleep: sleepWith(after) },
    tasks: { soon: (task) => void ready.push(task) },
    hold: (work) => holding(held, work),
    settle,
    step,
    async until(work) {
      const end = new EndOf(work);
      await settle();
      while (!end.isOver)
        if (!(await step(forEver)) && !end.isOver)
          throw new Error('the work waits for nothing that can happen');
      return work;
    },
  };
}

/** Whether a promise is settled. */
class EndOf {
  isOver = false;

  constructor(work: Promise<unknown>) {
    const over = (): void => {
      this.isOver = true;
    };
    work.then(over, over);
  }
}

async function holding<Value>(held: Set<Promise<unknown>>, work: Promise<Value>): Promise<Value> {
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  held.add(ended);
  try {
    return await work;
  } finally {
    held.delete(ended);
  }
}

const forEver = instant(Number.MAX_SAFE_INTEGER);

const sleepWith =
  (after: Clock['after']): Clock['sleep'] =>
  (span, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const aborted = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = after(span, () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      });
      signal.addEventListener('abort', aborted, { once: true });
    });
