import type { PodHook, PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import type { updateTypes } from '#releases/kinds/workload-parts.ts';
import { formatMicroTime, type Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import type { DisruptionCheck } from './disruption-budgets.ts';
import type { DecisionDraft } from './decision-draft.ts';
import { beginInPlace } from './in-place.ts';
import { inPlaceDiff, type InPlaceDiff } from './in-place-diff.ts';
import { containersNow, type InPlacePolicy } from './in-place-state.ts';
import { leave } from './delete-pod.ts';
import type { PodHookAnswer, PodHookPoint, PodHooks } from './pod-hooks.ts';
import type { ReleasePod } from './pod-view.ts';
import {
  deletingAnnotation,
  hotPatchContainerAnnotation,
  hotPatchStateAnnotation,
  revisionLabel,
} from './well-known.ts';

export type UpdateType = (typeof updateTypes)[number];

/** How pods come to another revision. */
export type UpdateDeps = {
  readonly type: UpdateType;
  readonly hooks: PodHooks;
  readonly draft: DecisionDraft;
  readonly preDelete: PreDeleteHook | undefined;
  readonly preInplace: PodHook | undefined;
  readonly postInplace: PodHook | undefined;
  readonly graceSeconds: number;
  readonly policy: InPlacePolicy;
  readonly isHotPatchForced: boolean;
  /** Whether a node says that it supports hot patches. */
  readonly canHotPatch: (node: string) => boolean;
  readonly mayDisrupt: DisruptionCheck;
  readonly revisionNamed: (name: string) => KubeObject | undefined;
  readonly target: KubeObject;
  readonly now: Instant;
};

/** Brings one pod to the target revision, or as far as its hooks allow (§2.6). */
export function updatePod(deps: UpdateDeps, view: ReleasePod): void {
  switch (deps.type) {
    case 'RollingUpdate':
      recreate(deps, view);
      return;
    case 'InplaceUpdate':
    case 'InplaceIfPossible':
      inPlace(deps, view);
      return;
    case 'HotPatchUpdate':
      hotPatch(deps, view);
      return;
    case 'OnDelete':
      return;
  }
}

const recreate = ({ hooks, draft, preDelete }: UpdateDeps, view: ReleasePod): void =>
  leave({ hooks, draft, strategy: preDelete }, view, 'rolling-update');

type Possible = Extract<InPlaceDiff, { readonly type: 'possible' }>;

function inPlace(deps: UpdateDeps, view: ReleasePod): void {
  const diff = diffOf(deps, view);
  if (diff.type === 'impossible') {
    if (deps.type === 'InplaceIfPossible') recreate(deps, view);
    else refuseInPlace(deps, view, diff.field);
    return;
  }
  const { draft } = deps;
  const answer = askBefore(deps, view, diff);
  if (!answer.isAllowed) {
    if (view.annotations[deletingAnnotation] === undefined) {
      const patch = { metadata: { annotations: { [deletingAnnotation]: 'true' } } };
      draft.action({ type: 'patch-pod', pod: view.pod, patch });
    }
    draft.action(...answer.actions);
    draft.waits(answer.point, answer);
    return;
  }
  if (view.isInService && !deps.mayDisrupt(view.pod)) {
    draft.blocker({
      reason: 'BlockedByDisruptionBudget',
      message: `Pod ${view.facts.name} is not restarted: a PodDisruptionBudget allows no further disruption now.`,
    });
    return;
  }
  const patch = beginInPlace(view, {
    revision: nameOf(deps.target),
    diff,
    graceSeconds: deps.graceSeconds,
    policy: deps.policy,
    isHookDue: deps.postInplace?.hook !== undefined,
    now: deps.now,
  });
  draft.action({ type: 'begin-in-place', pod: view.pod, patch });
}

function refuseInPlace({ draft, target }: UpdateDeps, view: ReleasePod, field: string): void {
  const message = `Pod ${view.facts.name} cannot come to revision ${nameOf(target)} in place: ${field} differs. Change it back, or set updateStrategy.type to InplaceIfPossible or RollingUpdate.`;
  draft.blocker({ reason: 'InPlaceImpossible', message });
  draft.say({ type: 'Warning', reason: 'FailedUpdatePodInPlace', message });
}

/** The templates of the two revisions are compared, as the pod itself has been changed by the server. */
function diffOf({ revisionNamed, target }: UpdateDeps, view: ReleasePod): InPlaceDiff {
  const old = revisionNamed(view.revision);
  if (old === undefined)
    return {
      type: 'impossible',
      field: `the pod's revision ${view.revision} is not known any more; the template`,
    };
  const known = diffs.get(target)?.get(old);
  if (known !== undefined) return known;
  const diff = inPlaceDiff(templateOf(old), templateOf(target));
  diffs.set(target, (diffs.get(target) ?? new WeakMap<KubeObject, InPlaceDiff>()).set(old, diff));
  return diff;
}

/** By the newer and the older revision: objects never change, and many pods make the same step. */
const diffs = new WeakMap<KubeObject, WeakMap<KubeObject, InPlaceDiff>>();

/** Its own hook, else that of deletions, as users of the original know it (decision 19). */
function askBefore(
  { hooks, preInplace, preDelete }: UpdateDeps,
  view: ReleasePod,
  { images }: Possible,
): PodHookAnswer & { readonly point: PodHookPoint } {
  const isOwn = preInplace?.hook !== undefined;
  const point = isOwn ? 'pre-inplace' : 'pre-delete';
  const fallback = preDelete?.coversInplace === false ? undefined : preDelete;
  const isRunning = view.facts.phase === 'Running' || hooks.isAsked(point, view);
  const strategy = isOwn ? preInplace : fallback;
  const extra = Object.keys(images).map((name, at): HookArg => ({
    name: `ModifiedContainer[${at}]`,
    value: name,
  }));
  return { ...hooks.ask(point, isRunning ? strategy : undefined, view, extra), point };
}

function hotPatch(deps: UpdateDeps, view: ReleasePod): void {
  const { draft, target, now } = deps;
  if (!deps.isHotPatchForced && !deps.canHotPatch(view.facts.node)) {
    draft.blocker({
      reason: 'HotPatchUnsupported',
      message: `Pod ${view.facts.name} is not hot-patched: its node ${view.facts.node} has no label boathook.dev/hot-patch=true. Label nodes that support it, set hotPatchStrategy.force to true, or use another updateStrategy.type.`,
    });
    return;
  }
  const diff = diffOf(deps, view);
  if (diff.type === 'impossible') {
    const message = `Pod ${view.facts.name} cannot be hot-patched: ${diff.field} differs. Change it back, or use another updateStrategy.type.`;
    draft.blocker({ reason: 'InPlaceImpossible', message });
    draft.say({ type: 'Warning', reason: 'FailedUpdatePodHotPatch', message });
    return;
  }
  draft.action({
    type: 'patch-pod',
    pod: view.pod,
    patch: hotPatchOf(view, diff, nameOf(target), now),
    event: 'UpdatePodHotPatch',
  });
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
