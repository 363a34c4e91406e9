import type { CycleFacts } from '#registrations/decide/cycle.ts';
import { isAsked, voiceOf } from '#registrations/decide/voices.ts';

/** Longer answers are not kept: instances are many. */
const mostKept = 8192;

/** The answers that hold until something is asked anew: all phases were answered, and none with an error. */
export function answersToKeep(facts: CycleFacts): CycleFacts['answers'] | undefined {
  const phases = (['pre-reconcile', 'post-reconcile'] as const).filter((each) =>
    isAsked(facts.registration, each),
  );
  if (phases.length === 0) return undefined;
  let size = 0;
  for (const phase of phases) {
    const answer = facts.answers[phase];
    if (answer?.type !== 'answer' || voiceOf(facts, phase)?.fault !== undefined) return undefined;
    size += answer.body.length;
  }
  return size > mostKept ? undefined : facts.answers;
}
