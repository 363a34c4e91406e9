import {
  at,
  listAt,
  numberAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { later, millis, parseTime, seconds, type Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import {
  appendCondition,
  conditionOf,
  findCondition,
  removeCondition,
  withTransitionTime,
} from '#kube/conditions.ts';
import { deploymentCondition, type Conditions } from './deployment-conditions.ts';
import type { DeploymentSpec } from './deployment-spec.ts';
import { total, type SetView } from './replica-set-view.ts';

/** A Deployment with its ReplicaSets. */
export type Rollout = {
  readonly deployment: KubeObject;
  readonly spec: DeploymentSpec;
  /** The set of the current template. */
  readonly current: SetView | undefined;
  readonly all: readonly SetView[];
};

/** The counts of a status, and the condition Available. */
export function countedStatus(rollout: Rollout, conditions: Conditions, now: Instant): JsonObject {
  const { deployment, spec, ...sets } = rollout;
  const available = total(sets.all, (set) => set.available);
  const counts: readonly (readonly [string, number])[] = [
    ['observedGeneration', numberAt(deployment, 'metadata', 'generation') ?? 0],
    ['replicas', total(sets.all, (set) => set.actual)],
    ['updatedReplicas', sets.current?.actual ?? 0],
    ['readyReplicas', total(sets.all, (set) => set.ready)],
    ['availableReplicas', available],
    ['unavailableReplicas', Math.max(0, total(sets.all, (set) => set.replicas) - available)],
  ];
  const status: MutableJsonObject = {};
  for (const [key, count] of counts) if (count !== 0) status[key] = count;
  const collisions = at(deployment, 'status', 'collisionCount');
  if (collisions !== undefined) status['collisionCount'] = collisions;
  const isEnough = available >= spec.replicas - spec.maxUnavailable;
  const enough = isEnough
    ? deploymentCondition(
        'Available',
        'True',
        ['MinimumReplicasAvailable', 'Deployment has minimum availability.'],
        now,
      )
    : deploymentCondition(
        'Available',
        'False',
        ['MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'],
        now,
      );
  return { ...status, conditions: appendCondition(conditions, enough, now) };
}

/** The status of a rollout: the counts, and how it progresses. `before` is the status it is compared with. */
export function rolloutStatus(rollout: Rollout, counted: JsonObject, now: Instant): JsonObject {
  const { deployment, spec, ...sets } = rollout;
  let conditions: Conditions = listAt(counted, 'conditions');
  const before = objectAt(deployment, 'status') ?? {};
  if (spec.progressDeadlineSeconds === undefined) {
    conditions = removeCondition(conditions, 'Progressing');
  } else {
    const progressing = findCondition(conditions, 'Progressing');
    const subject =
      sets.current === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${sets.current.name}"`;
    const isSettled =
      count(counted, 'replicas') === count(counted, 'updatedReplicas') &&
      textAt(progressing, 'reason') === 'NewReplicaSetAvailable';
    if (!isSettled) conditions = progressed(conditions, { spec, before, counted, subject, deployment }, now);
  }
  return { ...counted, conditions: withFailure(conditions, failureOf(sets), now) };
}

type Progress = {
  readonly spec: DeploymentSpec;
  readonly before: JsonObject;
  readonly counted: JsonObject;
  readonly subject: string;
  readonly deployment: KubeObject;
};

function progressed(conditions: Conditions, progress: Progress, now: Instant): Conditions {
  const { spec, before, counted, subject, deployment } = progress;
  const known = findCondition(conditions, 'Progressing');
  if (isComplete(deployment, spec, counted)) {
    const text = ['NewReplicaSetAvailable', `${subject} has successfully progressed.`] as const;
    return appendCondition(conditions, deploymentCondition('Progressing', 'True', text, now), now);
  }
  if (isProgressing(before, counted)) {
    const text = ['ReplicaSetUpdated', `${subject} is progressing.`] as const;
    const next = deploymentCondition('Progressing', 'True', text, now);
    // Every step forward moves the time of the update, from which the deadline is counted.
    return [...removeCondition(conditions, 'Progressing'), withTransitionTime(next, known, now)];
  }
  if (hasTimedOut(known, spec, now)) {
    const text = ['ProgressDeadlineExceeded', `${subject} has timed out progressing.`] as const;
    return appendCondition(conditions, deploymentCondition('Progressing', 'False', text, now), now);
  }
  return conditions;
}

const count = (status: JsonObject, key: string): number => numberAt(status, key) ?? 0;

export const isComplete = (deployment: KubeObject, spec: DeploymentSpec, status: JsonObject): boolean =>
  count(status, 'updatedReplicas') === spec.replicas &&
  count(status, 'replicas') === spec.replicas &&
  count(status, 'availableReplicas') === spec.replicas &&
  count(status, 'observedGeneration') >= (numberAt(deployment, 'metadata', 'generation') ?? 0);

function isProgressing(before: JsonObject, after: JsonObject): boolean {
  const old = (status: JsonObject): number => count(status, 'replicas') - count(status, 'updatedReplicas');
  const grew = (key: string): boolean => count(after, key) > count(before, key);
  return (
    grew('updatedReplicas') || old(after) < old(before) || grew('readyReplicas') || grew('availableReplicas')
  );
}

function hasTimedOut(progressing: Json | undefined, spec: DeploymentSpec, now: Instant): boolean {
  const reason = textAt(progressing, 'reason');
  if (progressing === undefined || reason === 'NewReplicaSetAvailable') return false;
  if (reason === 'ProgressDeadlineExceeded') return true;
  const due = deadlineOf(progressing, spec);
  return due !== undefined && now > due;
}

function deadlineOf(progressing: Json | undefined, spec: DeploymentSpec): Instant | undefined {
  const from = parseTime(textAt(progressing, 'lastUpdateTime') ?? '');
  if (from === undefined || spec.progressDeadlineSeconds === undefined) return undefined;
  return later(from, seconds(spec.progressDeadlineSeconds));
}

/** When to look whether a rollout is stuck; undefined when it is done, or known to be stuck. */
export function stuckAt(
  deployment: KubeObject,
  spec: DeploymentSpec,
  status: JsonObject,
): Instant | undefined {
  const progressing = findCondition(listAt(status, 'conditions'), 'Progressing');
  const reason = textAt(progressing, 'reason');
  if (isComplete(deployment, spec, status) || reason === 'ProgressDeadlineExceeded') return undefined;
  const due = deadlineOf(progressing, spec);
  return due === undefined ? undefined : later(due, millis(1000));
}

/** The failure of the current set, or else of any other. */
function failureOf(sets: Pick<Rollout, 'current' | 'all'>): JsonObject | undefined {
  const ordered = sets.current === undefined ? sets.all : [sets.current, ...sets.all];
  for (const set of ordered) {
    const found = conditionOf(set.object, 'ReplicaFailure');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The failure of a set is one of its Deployment, since the same time. */
function withFailure(conditions: Conditions, failure: JsonObject | undefined, now: Instant): Conditions {
  if (failure === undefined) return removeCondition(conditions, 'ReplicaFailure');
  const text = [textAt(failure, 'reason') ?? '', textAt(failure, 'message') ?? ''] as const;
  const since = parseTime(textAt(failure, 'lastTransitionTime') ?? '') ?? now;
  const status = failure['status'] === 'False' ? 'False' : 'True';
  return appendCondition(conditions, deploymentCondition('ReplicaFailure', status, text, since), since);
}
