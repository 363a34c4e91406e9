import { memoize, memoizeByObject } from '#base/memoize.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { fnv32, orderedJson, safeName } from '#kube/workload/safe-hash.ts';

/** A hash of steps as they stand in the spec. It shows whether they were edited. */
export const stepHashOf = (steps: readonly CanaryStep[]): string =>
  hashOfText(`[${steps.map(({ spec }) => textOf(spec)).join(',')}]`);

/** Memoized: steps are hashed at every reconcile, and most are the same as before. */
const textOf = memoizeByObject((spec: CanaryStep['spec']) => orderedJson(spec));
const hashOfText = memoize(1000, (text: string) => safeName(fnv32(text)));

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
