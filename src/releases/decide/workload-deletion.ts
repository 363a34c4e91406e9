import type { PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import { listAt } from '#base/json.ts';
import { annotationsOf, isDeleting, type KubeObject } from '#kube/object.ts';
import { breakGlassOf, type BreakGlassBy } from './break-glass.ts';
import { hasFinalizer, isEnforced } from './finalizer.ts';
import type { ReleasePod } from './pod-view.ts';
import type { WorkloadSnapshot } from './snapshot.ts';
import { preDeleteFinalizer } from '#releases/model/well-known.ts';

/** How the pods of a workload that is being deleted are deleted. */
export type WorkloadDeletion =
  | { readonly type: 'none' }
  /** Each pod waits for its pre-delete hook. */
  | { readonly type: 'asked' }
  /** Without hooks. */
  | { readonly type: 'unasked'; readonly glass?: BreakGlassBy };

export type WorkloadDeletionGiven = {
  readonly workload: KubeObject;
  /** HookRuns cannot be created in a namespace that is being deleted. */
  readonly isNamespaceEnding: boolean;
};

export function workloadDeletionOf(
  { workload, isNamespaceEnding }: WorkloadDeletionGiven,
  strategy: PreDeleteHook | undefined,
): WorkloadDeletion {
  if (!isDeleting(workload)) return { type: 'none' };
  if (!mayRunHooks(workload, strategy) || isNamespaceEnding) return { type: 'unasked' };
  const glass = breakGlassOf(annotationsOf(workload));
  if (glass.type !== 'broken') return { type: 'asked' };
  return { type: 'unasked', glass: { person: glass.person, why: glass.why } };
}

/**
 * Whether hooks run for the pods of a workload that is being deleted, unless its namespace is being deleted as well.
 * With `--cascade=orphan` the pods are not deleted.
 */
export const mayRunHooks = (workload: KubeObject, strategy: PreDeleteHook | undefined): boolean =>
  isDeleting(workload) &&
  isEnforced(strategy) &&
  !listAt(workload, 'metadata', 'finalizers').includes('orphan');

type FinalizersGiven = {
  readonly deletion: WorkloadDeletion;
  readonly views: readonly ReleasePod[];
  readonly snapshot: Pick<WorkloadSnapshot, 'isBehind'>;
};

/**
 * The finalizers of the workload; undefined: no change. With `enforce: Always` the workload exists until the hooks of
 * its pods have passed, also of those that are not seen yet.
 */
export function finalizersOf(
  workload: KubeObject,
  strategy: PreDeleteHook | undefined,
  { deletion, views, snapshot }: FinalizersGiven,
): readonly string[] | undefined {
  const all = listAt(workload, 'metadata', 'finalizers').filter((each) => typeof each === 'string');
  const has = all.includes(preDeleteFinalizer);
  const wants =
    deletion.type === 'none'
      ? isEnforced(strategy)
      : deletion.type === 'asked' &&
        (snapshot.isBehind === true || views.some((view) => view.isActive || isWaiting(view)));
  if (has === wants || (wants && deletion.type !== 'none')) return undefined;
  return wants ? [...all, preDeleteFinalizer] : all.filter((each) => each !== preDeleteFinalizer);
}

const isWaiting = ({ pod, facts }: ReleasePod): boolean => facts.isDeleting && hasFinalizer(pod);
