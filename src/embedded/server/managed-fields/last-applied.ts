import { isArray, isObject, type Json, textAt, without } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { type KubeObject, metaOf, withMeta } from '#kube/object.ts';
import type { Shape } from '#kube/shape.ts';
import { compare } from './compare.ts';
import { difference, emptySet, type FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const mostAnnotationBytes = 262_144;

/** The fields of a client-side `kubectl apply` that have not changed since; server-side apply may take them over. */
export function lastAppliedFields(shape: Shape, live: KubeObject): FieldSet {
  const applied = parse(textAt(live, 'metadata', 'annotations', annotation) ?? '');
  if (!isObject(applied)) return emptySet;
  const { modified, added, removed } = compare(shape, applied, live);
  return [modified, added, removed].reduce(difference, fieldSetOf(shape, applied));
}

/** Keeps the annotation of client-side apply in step, so that `kubectl` can go back to it. */
export function withLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  const annotations = metaOf(object)['annotations'];
  if (!isObject(annotations) || annotations[annotation] === undefined) return object;
  const text = `${printJson(sortedKeys(withoutAnnotation(applied)))}\n`;
  if (text.length > mostAnnotationBytes)
    return withMeta(object, { annotations: without(annotations, annotation) });
  return annotations[annotation] === text
    ? object
    : withMeta(object, { annotations: { ...annotations, [annotation]: text } });
}

function withoutAnnotation(applied: KubeObject): KubeObject {
  const annotations = metaOf(applied)['annotations'];
  if (!isObject(annotations) || annotations[annotation] === undefined) return applied;
  return withMeta(applied, { annotations: without(annotations, annotation) });
}

function sortedKeys(value: Json): Json {
  if (isArray(value)) return value.map(sortedKeys);
  if (!isObject(value)) return value;
  const members: [string, Json][] = Object.keys(value)
    .sort()
    .map((key) => [key, sortedKeys(value[key] ?? null)]);
  return Object.fromEntries(members);
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
