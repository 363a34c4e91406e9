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
  condition,
  dropCondition,
  findCondition,
  setCondition,
  type Conditions,
} from './deployment-conditions.ts';
import type { DeploymentSpec } from './deployment-spec.ts';
import { total, type SetView } from './replica-set-view.ts';

/** A deployment in the middle of whatever it does. */
export type Rollout = {
  readonly deployment: KubeObject;
  readonly spec: DeploymentSpec;
  /** The set of the current template. */
  readonly current: SetView | undefined;
  readonly all: readonly SetView[];
};

/** The counts of a status, and whether there is the least that must be there. */
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
    ? condition(
        'Available',
        'True',
        ['MinimumReplicasAvailable', 'Deployment has minimum availability.'],
        now,
      )
    : condition(
        'Available',
        'False',
        ['MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'],
        now,
      );
  return { ...status, conditions: setCondition(conditions, enough) };
}

/** The status of a rollout: the counts, and how it progresses. `before` is the status it is compared with. */
export function rolloutStatus(rollout: Rollout, counted: JsonObject, now: Instant): JsonObject {
  const { deployment, spec, ...sets } = rollout;
  let conditions: Conditions = listAt(counted, 'conditions');
  const before = objectAt(deployment, 'status') ?? {};
  if (spec.progressDeadlineSeconds === undefined) {
    conditions = dropCondition(conditions, 'Progressing');
  } else {
    const progressing = findCondition(conditions, 'Progressing');
    const subject =
      sets.current === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${sets.current.name}"`;
    const isSettled =
      count(counted, 'replicas') === count(counted, 'updatedReplicas') &&
      textAt(progressing, 'reason') === 'NewReplicaSetAvailable';
    if (!isSettled) conditions = progressed(conditions, { spec, before, counted, subject, deployment }, now);
  }
  const failure = failureOf(sets);
  conditions =
    failure === undefined ? dropCondition(conditions, 'ReplicaFailure') : setCondition(conditions, failure);
  return { ...counted, conditions };
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
    return setCondition(conditions, condition('Progressing', 'True', text, now));
  }
  if (isProgressing(before, counted)) {
    const text = ['ReplicaSetUpdated', `${subject} is progressing.`] as const;
    const next = condition('Progressing', 'True', text, now);
    const since = textAt(known, 'status') === 'True' ? textAt(known, 'lastTransitionTime') : undefined;
    // Every step forward moves the time of the update, from which the deadline is counted.
    return [
      ...dropCondition(conditions, 'Progressing'),
      since === undefined ? next : { ...next, lastTransitionTime: since },
    ];
  }
  if (hasTimedOut(known, spec, now)) {
    const text = ['ProgressDeadlineExceeded', `${subject} has timed out progressing.`] as const;
    return setCondition(conditions, condition('Progressing', 'False', text, now));
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
    const found = listAt(set.object, 'status', 'conditions').find(
      (each) => textAt(each, 'type') === 'ReplicaFailure',
    );
    if (found === undefined) continue;
    const time = textAt(found, 'lastTransitionTime') ?? '';
    return {
      type: 'ReplicaFailure',
      status: textAt(found, 'status') ?? 'True',
      lastUpdateTime: time,
      lastTransitionTime: time,
      reason: textAt(found, 'reason') ?? '',
      message: textAt(found, 'message') ?? '',
    };
  }
  return undefined;
}
