import { objectAt, type JsonObject } from '#base/json.ts';
import { formatMicroTime, later, seconds, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InPlaceDiff } from './in-place-diff.ts';
import { notReplaced, toBeReplaced } from './in-place-containers.ts';
import { inPlaceGraceOf, inPlaceStateOf } from './in-place-state.ts';
import type { PodView } from './pod-view.ts';
import {
  deletingAnnotation,
  inPlaceGraceAnnotation,
  inPlaceStateAnnotation,
  revisionLabel,
} from './words.ts';

type Possible = Extract<InPlaceDiff, { readonly type: 'possible' }>;

export type InPlaceOrder = {
  readonly revision: string;
  readonly diff: Possible;
  readonly graceSeconds: number;
  /** A hook is to be asked once the new containers run. */
  readonly isHookDue: boolean;
  readonly now: Instant;
};

/**
 * The one write that begins an update in place (§2.7): the pod has the new revision from now on. With a grace period
 * the change itself waits in an annotation.
 */
export function beginInPlace({ pod }: PodView, order: InPlaceOrder): JsonObject {
  const { revision, diff, graceSeconds } = order;
  const state = stateText(pod, diff.images, order);
  if (graceSeconds <= 0) return changePatch(diff.images, diff.metadata, { revision, state });
  const grace = JSON.stringify({
    revision,
    containerImages: diff.images,
    ...(Object.keys(diff.metadata).length === 0 ? {} : { metaDataPatch: diff.metadata }),
    graceSeconds,
  });
  return {
    metadata: {
      labels: { [revisionLabel]: revision },
      annotations: { [inPlaceStateAnnotation]: state, [inPlaceGraceAnnotation]: grace },
    },
  };
}

export type InPlaceProgress =
  /** Nothing is under way. */
  | { readonly type: 'idle' }
  | { readonly type: 'grace'; readonly until: Instant }
  /** A write is due: the grace is over, or its change was superseded. */
  | { readonly type: 'write'; readonly patch: JsonObject }
  | { readonly type: 'replacing'; readonly deadline: Instant }
  | { readonly type: 'stuck'; readonly since: Instant; readonly containers: readonly string[] }
  | { readonly type: 'done' };

/** How far the update in place of a pod is. */
export function progressInPlace(view: PodView, deadlineSeconds: number, now: Instant): InPlaceProgress {
  const { pod, revision } = view;
  const state = inPlaceStateOf(pod);
  const grace = inPlaceGraceOf(pod);
  if (grace !== undefined) {
    if (state === undefined || grace.revision !== revision) return dropGrace;
    const until = later(state.since, seconds(grace.graceSeconds));
    if (now < until) return { type: 'grace', until };
    // What counts as replaced is measured from the moment of the change: a crash before it is none.
    const written = stateText(pod, grace.images, { ...state, now });
    const patch = changePatch(grace.images, grace.metadata, { revision, state: written });
    return { type: 'write', patch };
  }
  if (state === undefined || state.revision !== revision) return { type: 'idle' };
  // The gate is shut before anything changes and opened when all has changed.
  if (view.gate === 'open' && !state.isHookDue) return { type: 'idle' };
  const waiting = notReplaced(pod, state);
  if (waiting.length === 0) return { type: 'done' };
  const deadline = later(state.since, seconds(deadlineSeconds));
  return now < deadline
    ? { type: 'replacing', deadline }
    : { type: 'stuck', since: state.since, containers: waiting };
}

const dropGrace: InPlaceProgress = {
  type: 'write',
  patch: { metadata: { annotations: { [inPlaceGraceAnnotation]: null } } },
};

type Begun = Pick<InPlaceOrder, 'revision' | 'isHookDue' | 'now'>;

function stateText(
  pod: KubeObject,
  images: Readonly<Record<string, string>>,
  { revision, isHookDue, now }: Begun,
): string {
  return JSON.stringify({
    revision,
    updateTimestamp: formatMicroTime(now),
    lastContainerStatuses: toBeReplaced(pod, images),
    ...(isHookDue ? { postHook: 'due' } : {}),
  });
}

/** A strategic merge patch: containers are told apart by their names. */
function changePatch(
  images: Readonly<Record<string, string>>,
  metadata: JsonObject,
  { revision, state }: { readonly revision: string; readonly state: string },
): JsonObject {
  return {
    metadata: {
      labels: { ...objectAt(metadata, 'labels'), [revisionLabel]: revision },
      annotations: {
        ...objectAt(metadata, 'annotations'),
        [inPlaceStateAnnotation]: state,
        [inPlaceGraceAnnotation]: null,
        [deletingAnnotation]: null,
      },
    },
    ...(Object.keys(images).length === 0
      ? {}
      : { spec: { containers: Object.entries(images).map(([name, image]) => ({ name, image })) } }),
  };
}

/** The write after the hook that follows an update in place has consented. */
export function hookAnswered({ annotations }: PodView): JsonObject {
  const text = annotations[inPlaceStateAnnotation] ?? '{}';
  const { postHook: _due, ...state } = JSON.parse(text) as JsonObject;
  return { metadata: { annotations: { [inPlaceStateAnnotation]: JSON.stringify(state) } } };
}
