import type { Step } from '#releases/kinds/canary.ts';
import { stepHashOf } from './step-hash.ts';

/** Hashes of the steps up to and including the current one. They show later which of them were edited. */
export const walkedSteps = (steps: readonly Step[], index: number): readonly string[] =>
  steps.slice(0, index + 1).map((step) => stepHashOf([step]));

/**
 * Where a release stands after its steps were edited: at the first step that is not what it was when the release
 * walked it. Undefined: the edit changed later steps only, and the current step goes on.
 */
export function firstEdited(walked: readonly string[], steps: readonly Step[]): number | undefined {
  const at = walked.findIndex((hash, index) => {
    const step = steps[index];
    return step === undefined || stepHashOf([step]) !== hash;
  });
  return at === -1 ? undefined : at;
}
