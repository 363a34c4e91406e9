import { at, isObject, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { parseTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  inPlaceGraceAnnotation,
  inPlaceNextAnnotation,
  inPlaceStateAnnotation,
} from '#releases/model/well-known.ts';

/** A container before its replacement. */
export type ContainerBefore = {
  readonly imageID: string;
  readonly containerID: string;
  readonly restartCount: number;
};

/** An in-place update that has started. */
export type InPlaceState = {
  readonly revision: string;
  readonly since: Instant;
  readonly containers: Readonly<Record<string, ContainerBefore>>;
  /** The post-inplace hook must run when the new containers run. */
  readonly isHookDue: boolean;
};

/** A change that waits for the end of the grace period. */
export type InPlaceGrace = {
  readonly revision: string;
  readonly images: Readonly<Record<string, string>>;
  readonly metadata: JsonObject;
  readonly graceSeconds: number;
  readonly policy: InPlacePolicy;
};

export type InPlacePolicy = 'DisOrdered' | 'OrderedReady' | 'OrderedUpdated';

/** Images to write when the containers before them are replaced. */
export type InPlaceNext = {
  readonly revision: string;
  readonly images: Readonly<Record<string, string>>;
  readonly policy: InPlacePolicy;
};

/** Undefined when the annotation is missing or unreadable. Cheaper to read again than to remember for every pod. */
export function inPlaceStateOf(pod: KubeObject): InPlaceState | undefined {
  const state = parsed(textAt(pod, 'metadata', 'annotations', inPlaceStateAnnotation));
  const revision = textAt(state, 'revision');
  const since = parseTime(textAt(state, 'updateTimestamp') ?? '');
  if (revision === undefined || since === undefined) return undefined;
  const containers = Object.entries(objectAt(state, 'lastContainerStatuses') ?? {}).map(
    ([name, before]) => [name, containerBefore(before)] as const,
  );
  const isHookDue = at(state, 'postHook') === 'due';
  return { revision, since, containers: Object.fromEntries(containers), isHookDue };
}

export function inPlaceGraceOf(pod: KubeObject): InPlaceGrace | undefined {
  const grace = parsed(textAt(pod, 'metadata', 'annotations', inPlaceGraceAnnotation));
  const revision = textAt(grace, 'revision');
  if (revision === undefined) return undefined;
  return {
    revision,
    images: imagesOf(grace),
    policy: policyOf(grace),
    metadata: objectAt(grace, 'metaDataPatch') ?? {},
    graceSeconds: numberAt(grace, 'graceSeconds') ?? 0,
  };
}

export function inPlaceNextOf(pod: KubeObject): InPlaceNext | undefined {
  const next = parsed(textAt(pod, 'metadata', 'annotations', inPlaceNextAnnotation));
  const revision = textAt(next, 'revision');
  return revision === undefined ? undefined : { revision, images: imagesOf(next), policy: policyOf(next) };
}

function imagesOf(written: JsonObject | undefined): Readonly<Record<string, string>> {
  const images = Object.entries(objectAt(written, 'containerImages') ?? {});
  return Object.fromEntries(
    images.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function policyOf(written: JsonObject | undefined): InPlacePolicy {
  const policy = textAt(written, 'policy');
  return policy === 'OrderedReady' || policy === 'OrderedUpdated' ? policy : 'DisOrdered';
}

/** The containers in the status of a pod, by name. */
export function containersNow(pod: KubeObject): Readonly<Record<string, ContainerBefore>> {
  const statuses = at(pod, 'status', 'containerStatuses');
  if (!Array.isArray(statuses)) return {};
  return Object.fromEntries(
    statuses.map((each: Json) => [textAt(each, 'name') ?? '', containerBefore(each)] as const),
  );
}

const containerBefore = (status: Json | undefined): ContainerBefore => ({
  imageID: textAt(status, 'imageID') ?? '',
  containerID: textAt(status, 'containerID') ?? '',
  restartCount: numberAt(status, 'restartCount') ?? 0,
});

function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = parseJson(text);
    return isObject(value as Json) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
