import { ApiError } from '#kube/status.ts';

/** So long requests are begun in one round of the event loop before users take turns. */
const sliceMillis = 10;
const mostAtOnce = 16;

export type TurnLimits = {
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** The same, of one user. */
  readonly waitingPerUser: number;
};

/** What rounds are measured by. */
export type RoundClock = {
  readonly now: () => number;
  /** Runs a task in the next round of the event loop. */
  readonly nextRound: (task: () => void) => void;
};

const eventLoop: RoundClock = {
  now: () => performance.now(),
  nextRound: (task) => void setImmediate(task),
};

/**
 * Decides which request runs next. While the server has time every request runs at once; otherwise
 * users take turns, one request each, so that users with few requests wait little.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #clock: RoundClock;
  /** The first user is the next one. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;
  #isRoundOpen = false;
  #began = 0;
  #atOnce = 1;

  constructor(limits: TurnLimits, clock: RoundClock = eventLoop) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Undefined: go on at once. Throws 429 when too much is waiting. */
  enter(user: string): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#hasTime()) return undefined;
    const own = this.#queues.get(user)?.length ?? 0;
    if (this.#waiting >= this.#limits.waiting || own >= this.#limits.waitingPerUser) throw tooManyRequests();
    return this.wait(user);
  }

  /** For long work: waits until the other users had their turns. */
  wait(user: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(user);
      if (queue === undefined) this.#queues.set(user, [resolve]);
      else queue.push(resolve);
      this.#waiting += 1;
      this.#openRound();
    });
  }

  #hasTime(): boolean {
    if (!this.#isRoundOpen) this.#openRound();
    return this.#clock.now() - this.#began < sliceMillis;
  }

  #openRound(): void {
    if (this.#isRoundOpen) return;
    this.#isRoundOpen = true;
    this.#began = this.#clock.now();
    this.#clock.nextRound(() => {
      this.#isRoundOpen = false;
      if (this.#waiting > 0) this.#nextRound();
    });
  }

  /** As many as fit into a slice, by what the last round took. */
  #nextRound(): void {
    const wasLong = this.#clock.now() - this.#began > sliceMillis;
    this.#atOnce = wasLong ? Math.max(1, this.#atOnce >> 1) : Math.min(mostAtOnce, this.#atOnce * 2);
    for (let count = 0; count < this.#atOnce && this.#waiting > 0; count += 1) this.#next();
    this.#openRound();
  }

  #next(): void {
    for (const [user, queue] of this.#queues) {
      const go = queue.shift();
      this.#queues.delete(user);
      if (queue.length > 0) this.#queues.set(user, queue);
      this.#waiting -= 1;
      go?.();
      return;
    }
  }
}

export const tooManyRequests = (
  message = 'too many requests are waiting, please try again later',
): ApiError =>
  new ApiError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds: 1 } });
