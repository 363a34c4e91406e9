import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { Instant } from '#base/time.ts';
import { firstEdited, stepHashOf } from './step-hash.ts';
import type { StepsGiven } from './steps-model.ts';

export const hashOf = (steps: readonly CanaryStep[] | undefined): string | undefined =>
  steps === undefined ? undefined : stepHashOf(steps);

/** The step at which a release starts, and whether its template is new. */
export type Start = {
  readonly index: number;
  readonly isNewRevision: boolean;
  /** Another operator has walked the steps so far: the release continues at the step that it recorded. */
  readonly isTakenOver?: true;
};

/**
 * Undefined when neither the template nor the walked steps have changed. The first template and a return to the stable
 * template skip all steps. A release that was in progress when steps were added walks through them.
 */
export function startOf(
  given: Pick<StepsGiven, 'before' | 'steps' | 'updateRevision' | 'podsRevision'>,
): Start | undefined {
  const { before, steps, updateRevision } = given;
  const isNewRevision = before.updateRevision !== updateRevision;
  if (!isNewRevision && before.stepHash === hashOf(steps)) return undefined;
  if (stableOf(given) === updateRevision) return { index: steps?.length ?? 0, isNewRevision };
  const taken = isNewRevision ? undefined : takenOver(given);
  if (taken !== undefined) return taken;
  if (isNewRevision || steps === undefined || before.walked === undefined) return { index: 0, isNewRevision };
  const index = firstEdited(before.walked, steps);
  return index === undefined ? undefined : { index, isNewRevision };
}

/** The original operators record a step and a hash of their own, and no ID: edits meanwhile cannot be seen. */
function takenOver({ before, steps }: Pick<StepsGiven, 'before' | 'steps'>): Start | undefined {
  const { stepIndex, releaseId, walked, stableRevision } = before;
  const isOurs = releaseId !== undefined || walked !== undefined;
  if (isOurs || stepIndex === undefined || steps === undefined || stableRevision === undefined)
    return undefined;
  return { index: Math.min(stepIndex, steps.length), isNewRevision: false, isTakenOver: true };
}

export const stableOf = ({
  before,
  podsRevision,
  updateRevision,
}: Pick<StepsGiven, 'before' | 'podsRevision' | 'updateRevision'>): string =>
  before.stableRevision ?? podsRevision ?? updateRevision;

/** The time in milliseconds, but always greater than the last id. */
export function nextReleaseId(before: string | undefined, now: Instant): string {
  const last = before === undefined ? 0 : Number.parseInt(before, 36) || 0;
  return Math.max(Math.floor(now), last + 1).toString(36);
}
