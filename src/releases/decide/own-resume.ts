import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { resumedAnnotation } from '#releases/model/well-known.ts';

/** `paused` in the spec, and whether the status shows a pause. */
type Paused = { readonly paused: boolean; readonly isPausedInStatus: boolean };

/**
 * Whether a release is paused. The controller writes `paused: false` before the status: when the status was not written,
 * the pause in it has not ended, and no user has ended it.
 */
export const isStillPaused = (workload: KubeObject, { paused, isPausedInStatus }: Paused): boolean =>
  paused || (isPausedInStatus && hasResumed(workload));

type PausedChange = { readonly before: boolean; readonly after: boolean };

/** The annotation of `paused: false` that the controller writes; it ends with the next pause. Undefined: no change. */
export function resumeAnnotations(
  workload: KubeObject,
  { before, after }: PausedChange,
): Readonly<Record<string, string | null>> | undefined {
  if (before && !after) return { [resumedAnnotation]: 'true' };
  return after && hasResumed(workload) ? { [resumedAnnotation]: null } : undefined;
}

const hasResumed = (workload: KubeObject): boolean =>
  annotationsOf(workload)[resumedAnnotation] !== undefined;
