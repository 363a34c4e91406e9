import { parseTime, type Instant } from '#base/time.ts';
import type { RehearsalOutcome } from '#rehearse/rehearsal-report.ts';
import { clockText } from '#rehearse/span-text.ts';

/** An outcome whose message and remedies have dates of virtual time as in the timeline. */
export function relativeOutcome(outcome: RehearsalOutcome, started: Instant): RehearsalOutcome {
  if (outcome.type === 'Completes') return outcome;
  const message = relativeTimes(outcome.message, started);
  if (outcome.type !== 'Stops') return { ...outcome, message };
  return { ...outcome, message, remedies: outcome.remedies.map((each) => relativeTimes(each, started)) };
}

/** `until 12:04`. Hooks may name real dates, in other words. */
const relativeTimes = (message: string, started: Instant): string =>
  message.replaceAll(/\b(until|since) (\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (whole, word: string, date: string) => {
    // Dates have whole seconds.
    const at = Math.ceil(((parseTime(date) ?? started) - started) / 1000);
    return at < 0 ? whole : `${word} ${clockText(Math.max(0, at))}`;
  });
