import { at, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';
import { breakGlassAnnotation } from '#releases/model/well-known.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/** What the spec and the status of a workload allow, worked out anew: nothing here is asked of the code it judges. */
export type Bounds = {
  readonly replicas: number;
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  /** How many pods may have a revision. */
  mostOf(revision: string): number;
};

export type StatusGiven = {
  readonly status: JsonObject;
  /** The last revision to which all pods had come, and those before it of which the controller may still think so. */
  readonly formers: readonly string[];
  /** Stable revisions of earlier statuses, of which the controller may still think so. */
  readonly stables: readonly string[];
};

export function boundsOf(workload: KubeObject, { status, formers, stables }: StatusGiven): Bounds {
  const replicas = numberAt(workload, 'spec', 'replicas') ?? 1;
  const strategy = objectAt(workload, 'spec', 'updateStrategy');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const given = (name: string): Json | undefined => at(strategy, name) ?? at(rolling, name);
  const maxSurge = maySurge(workload) ? share(given('maxSurge'), replicas, Math.ceil) : 0;
  const rounded = maxSurge > 0 ? Math.floor : Math.ceil;
  return {
    replicas,
    maxUnavailable: share(given('maxUnavailable') ?? '25%', replicas, rounded),
    maxSurge,
    mostOf(revision) {
      const known = textAt(status, 'updateRevision');
      if (known === undefined || isStable(revision, { status, formers, stables })) return Infinity;
      const steps = at(strategy, 'canary', 'steps');
      if (!Array.isArray(steps)) return replicas - keptOld(given('partition'), replicas);
      if (known === revision && isBeforeSteps(revision, { status, formers })) return Infinity;
      // A template that is new to the status begins at its first step.
      const index = known === revision ? (numberAt(status, 'currentStepIndex') ?? 0) : 0;
      return replicas - keptAt(listAt(strategy, 'canary', 'steps'), index, replicas);
    },
  };
}

/** Steps that were added during a release are not in the status yet, and nor is the revision that they keep. */
function isStable(revision: string, { status, formers, stables }: StatusGiven): boolean {
  const stable = textAt(status, 'canary', 'revision');
  if (stables.includes(revision) || stable === revision) return true;
  return stable === undefined && textAt(status, 'updateRevision') !== revision && formers.includes(revision);
}

/**
 * Steps that were added after the release, on the way back to what all pods had, or while the first pods are made, are
 * done: they are for the next release. The status does not know them yet.
 */
function isBeforeSteps(revision: string, { status, formers }: Omit<StatusGiven, 'stables'>): boolean {
  const isFirst = formers.length === 0 && textAt(status, 'currentRevision') === revision;
  return textAt(status, 'currentStepHash') === undefined && (isFirst || formers.includes(revision));
}

/** A GameStatefulSet that changes one pod after the other has no surge, nor has OnDelete. */
const maySurge = (workload: KubeObject): boolean =>
  textAt(workload, 'spec', 'updateStrategy', 'type') !== 'OnDelete' &&
  (textAt(workload, 'kind') !== 'GameStatefulSet' ||
    textAt(workload, 'spec', 'podManagementPolicy') === 'Parallel');

function keptAt(steps: readonly Json[], index: number, replicas: number): number {
  if (index >= steps.length) return 0;
  for (let step = index; step >= 0; step -= 1) {
    const partition = at(steps[step], 'partition');
    if (partition !== undefined) return keptOld(partition, replicas);
  }
  return replicas;
}

const keptOld = (partition: Json | undefined, replicas: number): number =>
  Math.min(replicas, share(partition, replicas, Math.ceil));

function share(value: Json | undefined, whole: number, rounded: (value: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  return rounded((Number.parseInt(value, 10) * whole) / 100);
}

export type ConsentGiven = {
  readonly spec: KubeObject;
  readonly pod: KubeObject;
  readonly how: 'deleted' | 'released' | 'changed';
  readonly runOf: (point: string) => KubeObject | undefined;
  readonly now: Instant;
};

/** `overdue`: the hook has not consented, and its deadline proceeds. */
export type Consent = 'no hook' | 'given' | 'overdue' | 'refused';

/** Whether a running pod may be deleted, let go or changed in place. */
export function consentOf({ spec, pod, how, runOf, now }: ConsentGiven): Consent {
  const { point, strategy } = strategyFor(spec, how);
  // Hot patches restart nothing and run no hooks.
  if (how === 'changed' && textAt(spec, 'spec', 'updateStrategy', 'type') === 'HotPatchUpdate')
    return 'no hook';
  if (objectAt(strategy, 'hook') === undefined) return 'no hook';
  if (how === 'released' && textAt(strategy, 'enforce') !== 'Always') return 'no hook';
  if (how === 'released' && (annotationsOf(pod)[breakGlassAnnotation] ?? '').includes(':')) return 'given';
  const run = runOf(point);
  if (run === undefined) return 'refused';
  if (textAt(run, 'status', 'phase') === 'Successful') return 'given';
  return isOverdue(strategy, run, now) ? 'overdue' : 'refused';
}

/** Nobody waits longer than the deadline, where that is wanted. */
function isOverdue(strategy: JsonObject | undefined, run: KubeObject, now: Instant): boolean {
  const deadline = numberAt(strategy, 'deadlineSeconds');
  const made = parseTime(textAt(run, 'metadata', 'creationTimestamp') ?? '');
  if (deadline === undefined || made === undefined) return false;
  return textAt(strategy, 'onDeadline') === 'Proceed' && later(made, seconds(deadline)) <= now;
}

function strategyFor(spec: KubeObject, how: ConsentGiven['how']) {
  const inPlace = objectAt(spec, 'spec', 'preInplaceUpdateStrategy');
  const beforeDelete = objectAt(spec, 'spec', 'preDeleteUpdateStrategy');
  if (how !== 'changed') return { point: 'pre-delete', strategy: beforeDelete };
  if (objectAt(inPlace, 'hook') !== undefined) return { point: 'pre-inplace', strategy: inPlace };
  const isCovered = at(beforeDelete, 'coversInplace') !== false;
  return { point: 'pre-delete', strategy: isCovered ? beforeDelete : undefined };
}
