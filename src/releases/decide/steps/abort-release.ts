import { shorten } from '#base/text.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { AbortCause, StepsDecision, StepsGiven } from './steps-model.ts';

const longestMessage = 500;

/** Pods go back to the stable revision, and every pause ends. */
export function abortNow(given: StepsGiven, same: StepsDecision, cause: AbortCause): StepsDecision {
  const message = shorten(cause.message, longestMessage);
  return {
    ...same,
    abortedRevision: given.updateRevision,
    aborted: { ...cause, message },
    pauses: [],
    paused: false,
    promotion: undefined,
    retries: 0,
    blocker: blockerOf(given, message),
  };
}

/** The same message for as long as the release stays aborted. */
export const abortedBlocker = (given: StepsGiven): Blocker =>
  blockerOf(given, given.before.abortedBecause ?? 'A hook failed.');

const blockerOf = ({ before, updateRevision }: StepsGiven, why: string): Blocker => ({
  reason: 'Aborted',
  message: `${why} Revision ${updateRevision} was taken back to ${before.stableRevision ?? ''}. To start again, run boathook release retry or change the template.`,
});
