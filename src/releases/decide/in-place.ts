import { objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { formatMicroTime, later, seconds, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InPlaceDiff } from './in-place-diff.ts';
import { inOrder, isAnyRestarted, notReady, notReplaced, toBeReplaced } from './in-place-containers.ts';
import {
  inPlaceGraceOf,
  inPlaceNextOf,
  inPlaceStateOf,
  type InPlaceNext,
  type InPlacePolicy,
  type InPlaceState,
} from './in-place-state.ts';
import type { ReleasePod } from './pod-view.ts';
import {
  deletingAnnotation,
  inPlaceGraceAnnotation,
  inPlaceNextAnnotation,
  inPlaceStateAnnotation,
  revisionLabel,
} from '#releases/model/well-known.ts';

type Possible = Extract<InPlaceDiff, { readonly type: 'possible' }>;

export type InPlaceOrder = {
  readonly revision: string;
  readonly diff: Possible;
  readonly graceSeconds: number;
  readonly policy: InPlacePolicy;
  /** The post-inplace hook must run when the new containers run. */
  readonly isHookDue: boolean;
  readonly now: Instant;
};

/**
 * The patch that starts an in-place update. It sets the revision label at once. With a grace period the images wait in
 * an annotation.
 */
export function beginInPlace({ pod, revision: before }: ReleasePod, order: InPlaceOrder): JsonObject {
  const { revision, diff, policy } = order;
  const unwritten = unwrittenOf(pod, before);
  const images = { ...unwritten.images, ...diff.images };
  const metadata = mergedMetadata(unwritten.metadata, diff.metadata);
  // The grace period of an earlier update counts. No grace period is needed when no container restarts.
  const since = unwritten.since ?? order.now;
  const isBack = unwritten.since !== undefined && !isAnyRestarted(pod, images);
  const graceSeconds = isBack ? 0 : order.graceSeconds;
  if (graceSeconds <= 0) return changePatch(pod, { ...order, images, metadata });
  const grace = printJson({
    revision,
    containerImages: images,
    ...(Object.keys(metadata).length === 0 ? {} : { metaDataPatch: metadata }),
    graceSeconds,
    ...(policy === 'DisOrdered' ? {} : { policy }),
  });
  const state = stateText(pod, images, { ...order, now: since });
  return {
    metadata: {
      labels: { [revisionLabel]: revision },
      annotations: {
        [inPlaceStateAnnotation]: state,
        [inPlaceGraceAnnotation]: grace,
        ...withoutNext(pod),
      },
    },
  };
}

/** Changes of an earlier update that are not written yet, although the pod has its revision label. */
function unwrittenOf(
  pod: KubeObject,
  revision: string,
): Pick<Possible, 'images' | 'metadata'> & { readonly since: Instant | undefined } {
  const grace = inPlaceGraceOf(pod);
  if (grace?.revision === revision)
    return { images: grace.images, metadata: grace.metadata, since: inPlaceStateOf(pod)?.since };
  const next = inPlaceNextOf(pod);
  return { images: next?.revision === revision ? next.images : {}, metadata: {}, since: undefined };
}

const mergedMetadata = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [
      name,
      { ...objectAt(before, name), ...objectAt(after, name) },
    ]),
  );

const withoutNext = (pod: KubeObject): JsonObject =>
  textAt(pod, 'metadata', 'annotations', inPlaceNextAnnotation) === undefined
    ? {}
    : { [inPlaceNextAnnotation]: null };

export type InPlaceProgress =
  | { readonly type: 'idle' }
  | { readonly type: 'grace'; readonly until: Instant }
  /** A patch is due: the grace period is over, or another update has replaced its change. */
  | { readonly type: 'write'; readonly patch: JsonObject }
  | { readonly type: 'replacing'; readonly deadline: Instant }
  | {
      readonly type: 'stuck';
      readonly since: Instant;
      readonly containers: readonly string[];
      readonly lack: 'replaced' | 'ready';
    }
  | { readonly type: 'done' };

/** The progress of the in-place update of a pod. */
export function progressInPlace(view: ReleasePod, deadlineSeconds: number, now: Instant): InPlaceProgress {
  const { pod, revision } = view;
  const state = inPlaceStateOf(pod);
  const grace = inPlaceGraceOf(pod);
  if (grace !== undefined) {
    if (state === undefined || grace.revision !== revision) return dropGrace;
    const until = later(state.since, seconds(grace.graceSeconds));
    if (now < until) return { type: 'grace', until };
    // The containers are recorded again: a restart during the grace period is not a replacement.
    return { type: 'write', patch: changePatch(pod, { ...state, ...grace, now }) };
  }
  if (state === undefined || state.revision !== revision) return { type: 'idle' };
  // The gate is closed during the whole update.
  if (view.gate === 'open' && !state.isHookDue) return { type: 'idle' };
  return progressOf(view, state, { deadline: later(state.since, seconds(deadlineSeconds)), now });
}

function progressOf(
  { pod, revision }: ReleasePod,
  state: InPlaceState,
  { deadline, now }: { readonly deadline: Instant; readonly now: Instant },
): InPlaceProgress {
  const next = inPlaceNextOf(pod);
  const waiting = waitsFor(pod, state, next);
  if (waiting.containers.length > 0)
    return now < deadline
      ? { type: 'replacing', deadline }
      : { type: 'stuck', since: state.since, ...waiting };
  if (next?.revision !== revision) return { type: 'done' };
  return { type: 'write', patch: changePatch(pod, { ...state, ...next, metadata: {}, now }) };
}

/** Containers that must be replaced, or be ready with OrderedReady, before the update continues. */
function waitsFor(
  pod: KubeObject,
  state: InPlaceState,
  next: InPlaceNext | undefined,
): Pick<Extract<InPlaceProgress, { readonly type: 'stuck' }>, 'containers' | 'lack'> {
  const old = notReplaced(pod, state);
  if (old.length > 0 || next?.policy !== 'OrderedReady') return { containers: old, lack: 'replaced' };
  return { containers: notReady(pod, Object.keys(state.containers)), lack: 'ready' };
}

const dropGrace: InPlaceProgress = {
  type: 'write',
  patch: { metadata: { annotations: { [inPlaceGraceAnnotation]: null } } },
};

type Begun = Pick<InPlaceOrder, 'revision' | 'isHookDue' | 'now'> & {
  readonly unwritten?: Readonly<Record<string, string>>;
};

function stateText(
  pod: KubeObject,
  images: Readonly<Record<string, string>>,
  { revision, isHookDue, now, unwritten }: Begun,
): string {
  return printJson({
    revision,
    updateTimestamp: formatMicroTime(now),
    lastContainerStatuses: toBeReplaced(pod, images, unwritten),
    ...(isHookDue ? { postHook: 'due' } : {}),
  });
}

type Change = Begun & {
  readonly images: Readonly<Record<string, string>>;
  readonly metadata: JsonObject;
  readonly policy: InPlacePolicy;
};

/** A strategic merge patch. */
function changePatch(pod: KubeObject, change: Change): JsonObject {
  const { revision, images, metadata, policy } = change;
  const { now: first, later: rest } = inOrder(pod, images, policy);
  const hasRest = Object.keys(rest).length > 0;
  return {
    metadata: {
      labels: { ...objectAt(metadata, 'labels'), [revisionLabel]: revision },
      annotations: {
        ...objectAt(metadata, 'annotations'),
        [inPlaceStateAnnotation]: stateText(pod, first, { ...change, unwritten: rest }),
        [inPlaceGraceAnnotation]: null,
        [deletingAnnotation]: null,
        ...(hasRest
          ? { [inPlaceNextAnnotation]: printJson({ revision, containerImages: rest, policy }) }
          : withoutNext(pod)),
      },
    },
    ...(Object.keys(first).length === 0
      ? {}
      : { spec: { containers: Object.entries(first).map(([name, image]) => ({ name, image })) } }),
  };
}

/** The patch that records that the post-inplace hook has passed. */
export function hookAnswered({ annotations }: ReleasePod): JsonObject {
  const text = annotations[inPlaceStateAnnotation] ?? '{}';
  const { postHook: _due, ...state } = parseJson(text) as JsonObject;
  return { metadata: { annotations: { [inPlaceStateAnnotation]: printJson(state) } } };
}
