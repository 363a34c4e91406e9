import { printLabelSelector, type LabelSelector } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { claim } from '#kube/workload/claim.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { selectorOf } from '#loop/owned/selector-index.ts';
import { workloadUidLabel } from '#releases/model/well-known.ts';

/**
 * The label selector of the pods and revisions of a workload, so that a request never reads a whole namespace.
 * Undefined: the selector of the workload selects nothing.
 */
export function ownedSelection(workload: KubeObject): string | undefined {
  const selector = selectorOf(workload);
  return selector.length === 0 || selector.some(selectsNothing) ? undefined : printLabelSelector(selector);
}

const selectsNothing = (requirement: LabelSelector[number]): boolean =>
  requirement.type === 'in' && requirement.values.size === 0;

/** The label selector of the HookRuns of a workload. */
export const runSelection = (workload: KubeObject): string =>
  `boathook.dev/workload=${fitted(nameOf(workload))}`;

/** What a workload owns once its controller has adopted what it may. */
export function ownedBy(workload: KubeObject, objects: Iterable<KubeObject>): readonly KubeObject[] {
  const found = claim(workload, selectorOf(workload), objects);
  return [...found.owned, ...found.adopt];
}

/** HookRuns of a workload that is being deleted have no owner. */
export const isRunOf = (workload: KubeObject, run: KubeObject): boolean =>
  controllerOf(run)?.uid === uidOf(workload) ||
  (isDeleting(workload) && labelsOf(run)[workloadUidLabel] === uidOf(workload));
