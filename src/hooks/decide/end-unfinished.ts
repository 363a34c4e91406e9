import type { MetricResult } from '#hooks/kinds/hook-run.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { FinalPhase } from './reading.ts';
import { isFinal } from './run.ts';
import { tally } from './tally.ts';

/** Ends a call that is in progress when its run ends. It gets the phase that the run ends with. */
export function endUnfinished(result: MetricResult, phase: FinalPhase, now: Instant): MetricResult {
  const last = result.measurements?.at(-1);
  if (isFinal(result.phase) || last === undefined || last.finishedAt !== undefined) return result;
  const { resumeAt: _over, ...rest } = last;
  const ended = {
    ...rest,
    phase,
    message: 'ended without a reply when the run ended',
    finishedAt: formatTime(now),
  };
  const counted = tally(result, phase);
  return { ...counted, measurements: [...(result.measurements ?? []).slice(0, -1), ended] };
}
