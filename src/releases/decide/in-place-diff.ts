import {
  equalJson,
  isArray,
  isObject,
  listAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
} from '#base/json.ts';
import { restartedAtAnnotation } from '#releases/model/release-change.ts';

/** The difference between two templates, for an in-place update. */
export type InPlaceDiff =
  | {
      readonly type: 'possible';
      /** New images by container. */
      readonly images: Readonly<Record<string, string>>;
      /** A merge patch of labels and annotations. */
      readonly metadata: JsonObject;
    }
  /** The first field that cannot change in place. */
  | { readonly type: 'impossible'; readonly field: string };

/** Only images, labels and annotations can change in a running pod. A restart needs a new pod. */
export function inPlaceDiff(old: JsonObject, next: JsonObject): InPlaceDiff {
  const field = firstDifference(withoutChangeable(old), withoutChangeable(next), '');
  if (field !== undefined) return { type: 'impossible', field: field.slice(1) };
  return { type: 'possible', images: changedImages(old, next), metadata: metadataPatch(old, next) };
}

function changedImages(old: JsonObject, next: JsonObject): Readonly<Record<string, string>> {
  const before = listAt(old, 'spec', 'containers');
  return Object.fromEntries(
    listAt(next, 'spec', 'containers').flatMap((container, at) => {
      const image = textAt(container, 'image');
      const isSame = image === undefined || image === textAt(before[at], 'image');
      return isSame ? [] : [[textAt(container, 'name') ?? '', image] as const];
    }),
  );
}

function metadataPatch(old: JsonObject, next: JsonObject): JsonObject {
  const members = (['labels', 'annotations'] as const).flatMap((name) => {
    const before = objectAt(old, 'metadata', name) ?? {};
    const after = objectAt(next, 'metadata', name) ?? {};
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
    const patch = Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
    return Object.keys(patch).length === 0 ? [] : [[name, patch] as const];
  });
  return Object.fromEntries(members);
}

function withoutChangeable(template: JsonObject): JsonObject {
  const { labels: _labels, annotations: _annotations, ...metadata } = objectAt(template, 'metadata') ?? {};
  const restartedAt = textAt(template, 'metadata', 'annotations', restartedAtAnnotation);
  const containers = listAt(template, 'spec', 'containers').map((container) => {
    if (!isObject(container)) return container;
    const { image: _image, ...rest } = container;
    return rest;
  });
  // The creation time of a template does not affect the pod.
  const { creationTimestamp: _moment, ...ownMetadata } = metadata;
  const kept =
    restartedAt === undefined
      ? ownMetadata
      : { ...ownMetadata, annotations: { [restartedAtAnnotation]: restartedAt } };
  return { ...template, metadata: kept, spec: { ...objectAt(template, 'spec'), containers } };
}

/** Where two values first differ, as `.spec.containers[0].env`. */
function firstDifference(old: Json | undefined, next: Json | undefined, path: string): string | undefined {
  if (equalJson(old ?? null, next ?? null)) return undefined;
  for (const [step, left, right] of partsOf(old, next)) {
    const found = firstDifference(left, right, `${path}${step}`);
    if (found !== undefined) return found;
  }
  return path;
}

type Part = readonly [step: string, old: Json | undefined, next: Json | undefined];

function partsOf(old: Json | undefined, next: Json | undefined): readonly Part[] {
  if (isArray(old) && isArray(next) && old.length === next.length)
    return old.map((item, at): Part => [`[${at}]`, item, next[at]]);
  if (!isObject(old) || !isObject(next)) return [];
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...keys].map((key): Part => [`.${key}`, old[key], next[key]]);
}
