import type { CanaryStep } from '#releases/model/canary-step.ts';
import { fnv32, orderedJson, safeName } from '#kube/workload/safe-hash.ts';

/** A hash of steps as they stand in the spec. It shows whether they were edited. */
export const stepHashOf = (steps: readonly CanaryStep[]): string =>
  safeName(fnv32(orderedJson(steps.map(({ spec }) => spec))));

/** Hashes of the steps up to and including the current one. They show later which of them were edited. */
export const walkedSteps = (steps: readonly CanaryStep[], index: number): readonly string[] =>
  steps.slice(0, index + 1).map((step) => stepHashOf([step]));

/**
 * The first step that differs from the one that the release has walked: it starts again there. Undefined when only
 * later steps were edited: the current step continues.
 */
export function firstEdited(walked: readonly string[], steps: readonly CanaryStep[]): number | undefined {
  const at = walked.findIndex((hash, index) => {
    const step = steps[index];
    return step === undefined || stepHashOf([step]) !== hash;
  });
  return at === -1 ? undefined : at;
}
