import { originOf } from '#releases/model/run-labels.ts';
import { workloadNameAnnotation, workloadUidLabel } from '#releases/model/well-known.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf, objectKey } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { removeObject } from '#loop/owned/write.ts';
import { fitted, longestLabel } from '#kube/workload/fitted.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { annotationsOf, isDeleting, labelsOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';

/** HookRuns of a workload that is being deleted have no owner: the garbage collector would delete them first. */
export const workloadIndexes = {
  workload: (run: KubeObject): readonly string[] => {
    const uid = labelsOf(run)[workloadUidLabel];
    return uid === undefined ? [] : [uid];
  },
  unowned: (run: KubeObject): readonly string[] =>
    labelsOf(run)[workloadUidLabel] === undefined || controllerOf(run) !== undefined
      ? []
      : [valueOf(formerOf(run))],
};

/** The HookRuns of a workload. One that we have deleted decides no more, though the informer may still show it. */
export function runsOf(
  runs: Pick<Informer, 'byIndex'>,
  newest: Newest,
  workload: KubeObject,
): readonly KubeObject[] {
  const owned = runs.byIndex('controller', uidOf(workload));
  const asked = isDeleting(workload) ? runs.byIndex('workload', uidOf(workload)) : [];
  return newest.present([...owned, ...asked]);
}

/**
 * Reconciles the workload that the label of a HookRun without an owner names. Of a workload that is gone it is the name;
 * one that may have been shortened is in an annotation, which HookRuns of older versions do not have.
 */
export const labelledSource = (runs: Informer, workloads: Pick<Informer, 'list'>, kind: string): Source => ({
  informer: runs,
  keysOf({ object }) {
    const uid = labelsOf(object)[workloadUidLabel];
    if (uid === undefined || controllerOf(object) !== undefined) return [];
    const named = workloads.list(namespaceOf(object)).filter((workload) => uidOf(workload) === uid);
    if (named.length > 0) return named.map(keyOf);
    const former = formerOf(object);
    const shown = former.name.length < longestLabel ? former.name : undefined;
    const name = annotationsOf(object)[workloadNameAnnotation] ?? shown;
    return former.kind !== kind || name === undefined ? [] : [objectKey(former.namespace, name)];
  },
});

type Whose = { readonly kind: string; readonly namespace: string; readonly name: string };

const valueOf = ({ kind, namespace, name }: Whose): string => `${kind} ${namespace}/${name}`;

/** The workload that the labels of a HookRun name. */
function formerOf(run: KubeObject): Whose {
  const { kind, workload } = originOf(run);
  return { kind, namespace: namespaceOf(run), name: workload };
}

/** Deletes HookRuns without an owner whose workload is gone: the garbage collector does not. */
export async function deleteFormerRuns(
  client: Pick<KubeClient, 'remove'>,
  { runs, workloads }: FormerInformers,
  { kind, namespace, name }: Whose,
  signal: AbortSignal,
): Promise<void> {
  const found = runs.byIndex('unowned', valueOf({ kind, namespace, name: fitted(name) }));
  if (found.length === 0) return;
  const there = new Set(workloads.list(namespace).map(uidOf));
  for (const run of found)
    if (!there.has(labelsOf(run)[workloadUidLabel] ?? '')) await removeObject(client, hookRuns, run, signal);
}

type FormerInformers = {
  readonly runs: Pick<Informer, 'byIndex'>;
  readonly workloads: Pick<Informer, 'list'>;
};
