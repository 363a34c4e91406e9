import { textAt, type JsonObject } from '#base/json.ts';
import { conditionOf, isConditionTrue } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { statusWithFailure } from '#releases/decide/conditions.ts';
import { progressReason } from '#releases/decide/progress.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';

/**
 * What the controller would write now. A write that the server has refused is not part of a decision: as long as the
 * decision contains such a write, its failure in the status is taken to last.
 */
export function statusNow(
  { workload, now }: WorkloadSnapshot,
  { status, actions }: Decision,
): { readonly status: JsonObject; readonly reason: string } {
  const failed = failureIn(workload, actions);
  if (failed === undefined) return { status, reason: reasonIn(status) };
  const trouble = { reason: textAt(failed, 'reason') ?? '', message: textAt(failed, 'message') ?? '' };
  const written = statusWithFailure(workload, status, trouble, now);
  return { status: written, reason: reasonIn(written) };
}

/** FailedUpdate has other reasons, which are a part of the decision. */
function failureIn(workload: KubeObject, actions: readonly ReleaseAction[]): JsonObject | undefined {
  if (actions.some(isPodWrite) && isConditionTrue(workload, 'FailedScale'))
    return conditionOf(workload, 'FailedScale');
  const update = conditionOf(workload, 'FailedUpdate');
  return actions.length > 0 && textAt(update, 'reason') === 'FailedUpdate' ? update : undefined;
}

const isPodWrite = ({ type }: ReleaseAction): boolean =>
  type === 'create-pods' || type === 'create-pod' || type === 'delete-pod';

/** Why a release is in its phase, in one word. */
export const reasonIn = (status: JsonObject): string =>
  textAt(status, 'reason') ?? progressReason({ status }) ?? textAt(status, 'phase') ?? '';
