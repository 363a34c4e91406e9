import { equalJson, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { approvalCondition } from './approval.ts';
import {
  crdConditions,
  findCondition,
  withCondition,
  withoutCondition,
  type CrdCondition,
  type CrdConditionType,
} from './conditions.ts';
import { judgeNames } from './name-conflicts.ts';
import { nonStructural } from './non-structural.ts';
import { initialCrdStatus } from './prepare-crd.ts';

/**
 * One step of the controllers that look after a definition's status: first the names are judged
 * (Established is False, Installing), on the next call the definition is established. Calling it again when
 * nothing is left to do returns the stored status itself, so `===` shows that it has settled.
 */
export function nextCrdStatus(crd: KubeObject, otherCrds: readonly KubeObject[], now: Instant): JsonObject {
  const status = objectAt(crd, 'status') ?? initialCrdStatus(crd);
  if (isDeleting(crd)) return settled(status, terminating(crdConditions(crd), now));

  const { acceptedNames, condition } = judgeNames(crd, otherCrds);
  const judged = findCondition(crdConditions(crd), 'NamesAccepted') !== undefined;
  let conditions = withCondition(crdConditions(crd), condition, now);
  conditions = withCondition(conditions, establishing(conditions, condition, judged), now);
  conditions = withOptional(conditions, { type: 'NonStructuralSchema', next: nonStructural(crd) }, now);
  conditions = withOptional(
    conditions,
    { type: 'KubernetesAPIApprovalPolicyConformant', next: approvalCondition(crd) },
    now,
  );
  return settled(status, conditions, acceptedNames);
}

function settled(status: JsonObject, conditions: readonly Json[], acceptedNames?: JsonObject): JsonObject {
  const next: JsonObject = {
    ...status,
    conditions,
    ...(acceptedNames === undefined ? {} : { acceptedNames }),
  };
  return equalJson(next, status) ? status : next;
}

const established: CrdCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const installing: CrdCondition = { ...established, status: 'False', reason: 'Installing' };
const notAccepted: CrdCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

/** Once established, always established: later conflicts only keep new names out. */
function establishing(conditions: readonly Json[], names: CrdCondition, judged: boolean): CrdCondition {
  const old = findCondition(conditions, 'Established');
  if (old?.['status'] === 'True') {
    return {
      ...established,
      reason: textAt(old, 'reason') ?? established.reason,
      message: textAt(old, 'message') ?? established.message,
    };
  }
  if (names.status === 'False') return notAccepted;
  return judged && old?.['reason'] === installing.reason ? established : installing;
}

type Optional = { readonly type: CrdConditionType; readonly next: CrdCondition | undefined };

function withOptional(conditions: readonly Json[], { type, next }: Optional, now: Instant): readonly Json[] {
  return next === undefined ? withoutCondition(conditions, type) : withCondition(conditions, next, now);
}

function terminating(conditions: readonly Json[], now: Instant): readonly Json[] {
  return withCondition(
    conditions,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    },
    now,
  );
}
