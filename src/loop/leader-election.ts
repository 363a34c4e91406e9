import type { Random } from '#base/random.ts';
import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { LeaseHolder, type Holding, type LeaseDeps } from './lease-holder.ts';
import { transitionsOf } from './lease.ts';
import { timeSince, type ClockReading } from './clock-reading.ts';
import { startSilenceTimeout } from './silence-timeout.ts';
import { reasonOf, reportNothing, type Report } from './report.ts';

/** The time in which this process leads. */
export type Term = {
  /** Aborts the moment the lease may be lost, by the local clock. Everything done in the term hangs on it. */
  readonly signal: AbortSignal;
  /** Reads the clock as well: after the machine slept, timers fire late. */
  isHeld(): boolean;
  /**
   * Whether no other process can be the leader yet, by the clocks; also while a stopped term ends. Call it right
   * before every write: a process that was suspended gets to its timers only after it has seen what came in meanwhile.
   */
  mayWrite(): boolean;
  /** Grows with every term of any process: a fencing token. */
  readonly number: number;
};

export type LeaderElectionDeps = LeaseDeps & {
  readonly random: Random;
  readonly report?: Report;
  /** For how long others respect a lease that is not renewed: 15 s unless given. */
  readonly leaseDuration?: Millis;
  /** For how long the holder trusts its last renewal: 10 s unless given, always less than the duration. */
  readonly renewDeadline?: Millis;
  /** Between two renewals, and after a failed request: 2 s unless given. */
  readonly retryPeriod?: Millis;
  /** Runs while this process leads. It must end soon after the signal of the term aborts. */
  lead(term: Term): Promise<void>;
};

/** A process that waits looks this often, so that it takes over soon after the leader has released the lease. */
const lookPeriod = millis(500);
/** A leader that is stopped has this long to end its work. Then it writes nothing more and releases the lease. */
const handOver = millis(600);

/** Takes part in the election until the signal aborts, then releases the lease. Each process needs its own identity. */
export async function runLeaderElection(deps: LeaderElectionDeps, signal: AbortSignal): Promise<void> {
  const candidate = new Candidate(deps);
  try {
    while (!signal.aborted) await candidate.step(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

class Candidate {
  readonly #deps: LeaderElectionDeps;
  readonly #clock: Clock;
  readonly #report: Report;
  readonly #holder: LeaseHolder;
  readonly #deadline: Millis;
  readonly #retry: Millis;

  constructor(deps: LeaderElectionDeps) {
    const duration = deps.leaseDuration ?? seconds(15);
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#report = deps.report ?? reportNothing;
    this.#deadline = deps.renewDeadline ?? seconds(10);
    this.#retry = deps.retryPeriod ?? seconds(2);
    this.#holder = new LeaseHolder(deps, duration);
    if (this.#deadline >= duration || this.#retry >= this.#deadline)
      throw new Error('a lease needs: retryPeriod < renewDeadline < leaseDuration');
  }

  async step(signal: AbortSignal): Promise<void> {
    const holding = await this.#ask('take', signal);
    if (holding.type === 'held') await this.#serve(holding, signal);
    signal.throwIfAborted();
    const span = holding.type === 'others' ? Math.min(lookPeriod, this.#retry) : this.#retry;
    // Jitter, so that the candidates do not all send requests at once.
    const wait = millis(span * (1 + this.#deps.random.next() / 5));
    await this.#clock.sleep(wait, signal);
  }

  /** One term: led and renewed until it is lost, resigned or stopped. */
  async #serve(holding: Extract<Holding, { type: 'held' }>, signal: AbortSignal): Promise<void> {
    const fence = startFence(this.#clock, this.#deadline, signal);
    fence.renewed(holding.since);
    const term: Term = {
      signal: fence.signal,
      isHeld: () => fence.isHeld(),
      mayWrite: () => fence.isOurs(),
      number: transitionsOf(holding.lease),
    };
    this.#report('this process is the leader', { ...this.#deps.lease, term: term.number }, 'info');
    const leading = this.#lead(term).finally(() => fence.end(new Error('the leader stopped leading')));
    await this.#renew(fence);
    await this.#within(handOver, leading);
    const wasHeld = fence.isOurs();
    fence.stop();
    // Unless it was held, the lease may belong to another process by now: it is not written.
    if (wasHeld) await this.#release();
    await leading;
  }

  async #release(): Promise<void> {
    await this.#holder
      .release()
      .catch((error: unknown) =>
        this.#report('a lease could not be released', { why: reasonOf(error) }, 'warn'),
      );
  }

  /** Settles when the work has ended, or after the span. */
  async #within(span: Millis, work: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#clock.after(span, late.resolve);
    await Promise.race([work, late.promise]);
    cancel();
  }

  async #lead(term: Term): Promise<void> {
    try {
      await this.#deps.lead(term);
    } catch (error) {
      if (!term.signal.aborted) this.#report('a leader failed', { why: reasonOf(error) }, 'error');
    }
  }

  async #renew(fence: Fence): Promise<void> {
    while (!fence.signal.aborted) {
      await this.#clock.sleep(this.#retry, fence.signal).catch(() => undefined);
      if (fence.signal.aborted || !fence.check()) return;
      const holding = await this.#ask('renew', fence.signal);
      if (holding.type === 'held') fence.renewed(holding.since);
      if (holding.type === 'others') fence.end(new LeaseTaken());
    }
  }

  async #ask(what: 'take' | 'renew', signal: AbortSignal): Promise<Holding> {
    const timeout = startSilenceTimeout(
      this.#clock,
      this.#deadline,
      signal,
      'The request for the lease timed out.',
    );
    try {
      const holding = await this.#holder[what](timeout.signal);
      if (holding.type === 'refused') this.#report('a lease was refused', { why: holding.why }, 'warn');
      return holding;
    } catch (error) {
      const why = reasonOf(error);
      if (!signal.aborted) this.#report('a lease could not be requested', { why }, 'warn');
      return { type: 'refused', why };
    } finally {
      timeout.stop();
    }
  }
}

type Fence = {
  readonly signal: AbortSignal;
  isHeld(): boolean;
  /** Whether by the clocks the lease is still ours, even when the term has ended. */
  isOurs(): boolean;
  /** Ends the term when by the clocks it is over; returns whether it continues. */
  check(): boolean;
  renewed(since: ClockReading): void;
  end(reason: Error): void;
  /** From now on nothing may be written. */
  stop(): void;
};

class LeaseTaken extends Error {
  constructor() {
    super('another process is the leader');
  }
}

/** Aborts when the last renewal is too long ago, even if no answer arrives. */
function startFence(clock: Clock, span: Millis, signal: AbortSignal): Fence {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  let last: ClockReading | undefined;
  const isOurs = (): boolean => last !== undefined && timeSince(clock, last) < span;
  const lost = (): void => controller.abort(new Error('the lease may be lost'));
  let cancel = (): void => undefined;
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    isHeld: () => !controller.signal.aborted && isOurs(),
    isOurs,
    check() {
      if (!isOurs()) lost();
      return !controller.signal.aborted;
    },
    renewed(since) {
      cancel();
      last = since;
      const left = millis(span - timeSince(clock, since));
      if (left <= 0) lost();
      else cancel = clock.after(left, lost);
    },
    end(reason) {
      if (reason instanceof LeaseTaken) last = undefined;
      controller.abort(reason);
    },
    stop() {
      last = undefined;
      cancel();
      signal.removeEventListener('abort', follow);
    },
  };
}
