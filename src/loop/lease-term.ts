import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { LeaseTaken, startFence, type Fence } from './lease-fence.ts';
import type { Holding, LeaseHolder } from './lease-holder.ts';
import { transitionsOf } from './lease.ts';
import { aboutError, reasonOf, type Report } from './report.ts';
import { startSilenceTimeout } from './silence-timeout.ts';

/** The time in which this process holds a lease. */
export type Term = {
  /** Aborts the moment the lease may be lost, by the local clock. Everything done in the term hangs on it. */
  readonly signal: AbortSignal;
  /** Reads the clock as well: after the machine slept, timers fire late. */
  isHeld(): boolean;
  /**
   * Whether no other process can hold the lease yet, by the clocks; also while a stopped term ends. Call it right
   * before every write: a process that was suspended gets to its timers only after it has seen what came in meanwhile.
   */
  mayWrite(): boolean;
  /** Grows with every term of any process: a fencing token. */
  readonly number: number;
};

/** How often a lease is renewed, and how long it is trusted. */
export type LeaseSpans = {
  /** For how long others respect a lease that is not renewed: 15 s unless given. */
  readonly leaseDuration?: Millis;
  /** For how long the holder trusts its last renewal: 10 s unless given, always less than the duration. */
  readonly renewDeadline?: Millis;
  /** Between two renewals, and after a failed request: 2 s unless given. */
  readonly retryPeriod?: Millis;
};

/** The spans, with those of Kubernetes where none are given. */
export function checkedSpans(given: LeaseSpans): Required<LeaseSpans> {
  const spans = {
    leaseDuration: given.leaseDuration ?? seconds(15),
    renewDeadline: given.renewDeadline ?? seconds(10),
    retryPeriod: given.retryPeriod ?? seconds(2),
  };
  if (spans.renewDeadline >= spans.leaseDuration || spans.retryPeriod >= spans.renewDeadline)
    throw new Error('a lease needs: retryPeriod < renewDeadline < leaseDuration');
  return spans;
}

export type TermDeps = {
  readonly clock: Clock;
  readonly report: Report;
  readonly holder: LeaseHolder;
  readonly spans: Required<LeaseSpans>;
};

export type ServedTerm = TermDeps & {
  /** Called when the term begins. */
  readonly begun: (term: Term) => void;
  /** Runs while the lease is held. It must end soon after the signal of the term aborts. */
  readonly lead: (term: Term) => Promise<void>;
};

/** A process that waits looks this often, so that it takes over soon after a lease was released. */
export const lookPeriod = millis(500);
/** A holder that is stopped has this long to end its work. Then it writes nothing more and releases the lease. */
const handOver = millis(600);

/** One term: led and renewed until it is lost, resigned or stopped by the signal. Returns why it ended. */
export async function serveTerm(
  deps: ServedTerm,
  holding: Extract<Holding, { type: 'held' }>,
  signal: AbortSignal,
): Promise<unknown> {
  const { clock, spans } = deps;
  const fence = startFence(clock, spans.renewDeadline, signal);
  fence.renewed(holding.since);
  const term: Term = {
    signal: fence.signal,
    isHeld: () => fence.isHeld(),
    mayWrite: () => fence.isOurs(),
    number: transitionsOf(holding.lease),
  };
  deps.begun(term);
  const leading = lead(deps, term).finally(() => fence.end(new Error('the leader stopped leading')));
  await renew(deps, fence);
  await within(clock, handOver, leading);
  const wasHeld = fence.isOurs();
  fence.stop();
  // Unless it was held, the lease may belong to another process by now: it is not written.
  if (wasHeld) await release(deps);
  await leading;
  return fence.signal.reason;
}

async function lead(deps: ServedTerm, term: Term): Promise<void> {
  try {
    await deps.lead(term);
  } catch (error) {
    if (!term.signal.aborted) deps.report('a leader failed', aboutError(error), 'error');
  }
}

async function release({ holder, report }: TermDeps): Promise<void> {
  await holder
    .release()
    .catch((error: unknown) => report('a lease could not be released', { why: reasonOf(error) }, 'warn'));
}

/** Settles when the work has ended, or after the span. */
async function within(clock: Clock, span: Millis, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(span, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}

async function renew(deps: TermDeps, fence: Fence): Promise<void> {
  while (!fence.signal.aborted) {
    await deps.clock.sleep(deps.spans.retryPeriod, fence.signal).catch(() => undefined);
    if (fence.signal.aborted || !fence.check()) return;
    const holding = await askLease(deps, 'renew', fence.signal);
    if (holding.type === 'held') fence.renewed(holding.since);
    if (holding.type === 'others') fence.end(new LeaseTaken());
  }
}

/** Takes or renews the lease. A request without an answer counts as refused. */
export async function askLease(
  { clock, report, holder, spans }: TermDeps,
  what: 'take' | 'renew',
  signal: AbortSignal,
): Promise<Holding> {
  const timeout = startSilenceTimeout(
    clock,
    spans.renewDeadline,
    signal,
    'The request for the lease timed out.',
  );
  try {
    const holding = await holder[what](timeout.signal);
    if (holding.type === 'refused') report('a lease was refused', { why: holding.why }, 'warn');
    return holding;
  } catch (error) {
    const why = reasonOf(error);
    if (!signal.aborted) report('a lease could not be requested', { why }, 'warn');
    return { type: 'refused', why };
  } finally {
    timeout.stop();
  }
}
