import type { InstanceSnapshot } from '#registrations/decide/cycle.ts';
import { hasPhase, phaseReplyOf } from '#registrations/decide/phase-reply.ts';

/** In bytes. Longer answers are not kept, because there may be many instances. */
const maxKept = 8192;

/** The answers that can be used again for the same input: all phases were answered, none with an error. */
export function reusableAnswers(snapshot: InstanceSnapshot): InstanceSnapshot['answers'] | undefined {
  const phases = (['pre-reconcile', 'post-reconcile'] as const).filter((each) =>
    hasPhase(snapshot.registration, each),
  );
  if (phases.length === 0) return undefined;
  let size = 0;
  for (const phase of phases) {
    const answer = snapshot.answers[phase];
    if (answer?.type !== 'answer' || phaseReplyOf(snapshot, phase)?.fault !== undefined) return undefined;
    size += answer.body.length;
  }
  return size > maxKept ? undefined : snapshot.answers;
}
