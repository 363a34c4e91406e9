import type { HookArg } from '#hooks/kinds/metric.ts';
import type { UpdateType } from '#releases/kinds/workload-parts.ts';
import { formatMicroTime, type Instant } from '#base/time.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { sparseTemplate } from '#kube/workload/sparse-template.ts';
import { counted } from './counted.ts';
import { actionPart, blockerPart, noPart, waitForHook, type DecisionPart } from './decision-draft.ts';
import { deletePod } from './delete-pod.ts';
import { spendDisruption } from './disruption-budgets.ts';
import { beginInPlace } from './in-place.ts';
import { inPlaceDiff, type InPlaceDiff } from './in-place-diff.ts';
import { containersNow } from './in-place-state.ts';
import {
  deletingAnnotation,
  hotPatchContainerAnnotation,
  hotPatchNodeLabel,
  hotPatchStateAnnotation,
  revisionLabel,
} from '#releases/model/well-known.ts';
import type { PodHookAnswer, PodHookPoint } from './pod-hooks.ts';
import type { ReleasePod } from './pod-view.ts';
import type { Release } from './release.ts';
import type { WorkloadSnapshot } from './snapshot.ts';

/** What the update of one pod contributes, and the disruption budgets that it leaves. */
type PodUpdate = { readonly part: DecisionPart; readonly budgets: Budgets };
type Budgets = WorkloadSnapshot['budgets'];

/** Updates pods to the target revision as far as their hooks and the PodDisruptionBudgets allow. */
export function updatePods(
  release: Release,
  views: readonly ReleasePod[],
  typeFor: (view: ReleasePod) => UpdateType = () => release.spec.type,
): readonly DecisionPart[] {
  let { budgets } = release.snapshot;
  const parts: DecisionPart[] = [];
  for (const view of views) {
    const update = updatePod(release, view, typeFor(view), budgets);
    parts.push(counted(update.part));
    budgets = update.budgets;
  }
  return parts;
}

function updatePod(release: Release, view: ReleasePod, type: UpdateType, budgets: Budgets): PodUpdate {
  switch (type) {
    case 'RollingUpdate':
      return { part: deletePod(release, view, 'rolling-update'), budgets };
    case 'InplaceUpdate':
    case 'InplaceIfPossible':
      return updateInPlace(release, view, budgets);
    case 'HotPatchUpdate':
      return { part: hotPatch(release, view), budgets };
    case 'OnDelete':
      return { part: noPart, budgets };
  }
}

type Possible = Extract<InPlaceDiff, { readonly type: 'possible' }>;

function updateInPlace(release: Release, view: ReleasePod, budgets: Budgets): PodUpdate {
  const { spec, target, snapshot } = release;
  const diff = diffOf(release, view);
  if (diff.type === 'impossible') {
    const part =
      spec.type === 'InplaceIfPossible'
        ? deletePod(release, view, 'rolling-update')
        : refuseInPlace(release, view, diff.field);
    return { part, budgets };
  }
  const { point, answer } = askBeforeUpdate(release, view, diff);
  if (!answer.isAllowed) return { part: waitInPlace(view, point, answer), budgets };
  const left = view.isInService ? spendDisruption(budgets, view.pod) : budgets;
  if (left === undefined) {
    const message = `Pod ${view.facts.name} is not restarted: a PodDisruptionBudget allows no further disruption now.`;
    return { part: blockerPart({ reason: 'BlockedByDisruptionBudget', message }), budgets };
  }
  const patch = beginInPlace(view, {
    revision: nameOf(target),
    diff,
    graceSeconds: spec.graceSeconds,
    policy: spec.policy,
    isHookDue: spec.postInplace?.hook !== undefined,
    now: snapshot.now,
  });
  const part = { ...actionPart({ type: 'begin-in-place', pod: view.pod, patch }), notes: answer.notes };
  return { part, budgets: left };
}

function waitInPlace(
  { pod, annotations }: ReleasePod,
  point: PodHookPoint,
  answer: Extract<PodHookAnswer, { readonly isAllowed: false }>,
): DecisionPart {
  const part = waitForHook(point, answer);
  if (annotations[deletingAnnotation] !== undefined) return part;
  const patch = { metadata: { annotations: { [deletingAnnotation]: 'true' } } };
  return { ...part, actions: [{ type: 'patch-pod', pod, patch }, ...part.actions] };
}

function refuseInPlace({ target }: Release, view: ReleasePod, field: string): DecisionPart {
  const message = `Pod ${view.facts.name} cannot come to revision ${nameOf(target)} in place: ${field} differs. Change it back, or set updateStrategy.type to InplaceIfPossible or RollingUpdate.`;
  return impossible('FailedUpdatePodInPlace', message);
}

const impossible = (reason: string, message: string): DecisionPart => ({
  blockers: [{ reason: 'InPlaceImpossible', message }],
  notes: [{ type: 'Warning', reason, message }],
});

/** Compares the templates of two revisions, because the server has added defaults to the pod. */
function diffOf({ revisions, target }: Release, view: ReleasePod): InPlaceDiff {
  const old = revisions.get(view.revision);
  if (old === undefined)
    return {
      type: 'impossible',
      field: `the pod's revision ${view.revision} is not known any more; the template`,
    };
  const known = diffs.get(target)?.get(old);
  if (known !== undefined) return known;
  const diff = inPlaceDiff(sparseTemplate(templateOf(old)), sparseTemplate(templateOf(target)));
  diffs.set(target, (diffs.get(target) ?? new WeakMap<KubeObject, InPlaceDiff>()).set(old, diff));
  return diff;
}

/** Memoized by new and old revision: many pods have the same two. */
const diffs = new WeakMap<KubeObject, WeakMap<KubeObject, InPlaceDiff>>();

/** Runs the pre-inplace hook, or the pre-delete hook where there is none and it covers in-place updates. */
function askBeforeUpdate(
  { hooks, spec }: Release,
  view: ReleasePod,
  { images }: Possible,
): { readonly point: PodHookPoint; readonly answer: PodHookAnswer } {
  const { preInplace, preDelete } = spec;
  const isOwn = preInplace?.hook !== undefined;
  const point = isOwn ? 'pre-inplace' : 'pre-delete';
  const fallback = preDelete?.coversInplace === false ? undefined : preDelete;
  const isRunning = view.facts.phase === 'Running' || hooks.isAsked(point, view);
  const strategy = isOwn ? preInplace : fallback;
  const extra = Object.keys(images).map((name, at): HookArg => ({
    name: `ModifiedContainer[${at}]`,
    value: name,
  }));
  return { point, answer: hooks.ask(point, isRunning ? strategy : undefined, view, extra) };
}

function hotPatch(release: Release, view: ReleasePod): DecisionPart {
  const { spec, snapshot, target } = release;
  const { name, node: nodeName } = view.facts;
  const node = snapshot.node(nodeName);
  const isSupported = node !== undefined && labelsOf(node)[hotPatchNodeLabel] === 'true';
  if (!spec.isHotPatchForced && !isSupported) {
    const message = `Pod ${name} is not hot-patched: its node ${nodeName} has no label boathook.dev/hot-patch=true. Label nodes that support it, set hotPatchStrategy.force to true, or use another updateStrategy.type.`;
    return blockerPart({ reason: 'HotPatchUnsupported', message });
  }
  const diff = diffOf(release, view);
  if (diff.type === 'impossible') {
    const message = `Pod ${name} cannot be hot-patched: ${diff.field} differs. Change it back, or use another updateStrategy.type.`;
    return impossible('FailedUpdatePodHotPatch', message);
  }
  const patch = hotPatchOf(view, diff, nameOf(target), snapshot.now);
  return actionPart({ type: 'patch-pod', pod: view.pod, patch, event: 'UpdatePodHotPatch' });
}

function hotPatchOf(view: ReleasePod, { images, metadata }: Possible, revision: string, now: Instant) {
  const containers = containersNow(view.pod);
  const state = {
    revision,
    updateTimestamp: formatMicroTime(now),
    lastContainerStatuses: Object.fromEntries(
      Object.keys(images).map((name) => [name, { imageID: containers[name]?.imageID ?? '' }]),
    ),
  };
  const { labels = {}, annotations = {} } = metadata as {
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  return {
    metadata: {
      labels: { ...labels, [revisionLabel]: revision },
      annotations: {
        ...annotations,
        [hotPatchStateAnnotation]: JSON.stringify(state),
        [hotPatchContainerAnnotation]: 'true',
      },
    },
    spec: { containers: Object.entries(images).map(([name, image]) => ({ name, image })) },
  };
}
