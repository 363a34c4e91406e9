import type { Random } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { LeaseHolder, type LeaseDeps } from './lease-holder.ts';
import { askLease, checkedSpans, lookPeriod, serveTerm, type LeaseSpans, type Term } from './lease-term.ts';
import { reportNothing, type Report } from './report.ts';

export type LeaderElectionDeps = LeaseDeps &
  LeaseSpans & {
    readonly random: Random;
    readonly report?: Report;
    /** Runs while this process leads. It must end soon after the signal of the term aborts. */
    lead(term: Term): Promise<void>;
  };

/** Takes part in the election until the signal aborts, then releases the lease. Each process needs its own identity. */
export async function runLeaderElection(deps: LeaderElectionDeps, signal: AbortSignal): Promise<void> {
  const { clock, random, lease, report = reportNothing } = deps;
  const spans = checkedSpans(deps);
  const candidate = {
    clock,
    report,
    spans,
    holder: new LeaseHolder(deps, spans.leaseDuration),
    begun: ({ number }: Term) => report('this process is the leader', { ...lease, term: number }, 'info'),
    lead: (term: Term) => deps.lead(term),
  };
  try {
    while (!signal.aborted) {
      const holding = await askLease(candidate, 'take', signal);
      if (holding.type === 'held') await serveTerm(candidate, holding, signal);
      signal.throwIfAborted();
      const { retryPeriod } = spans;
      const span = holding.type === 'others' ? Math.min(lookPeriod, retryPeriod) : retryPeriod;
      // Jitter, so that the candidates do not all send requests at once.
      await clock.sleep(millis(span * (1 + random.next() / 5)), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
