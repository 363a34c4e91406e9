import { at, equalJson, isNumber, without, type JsonObject } from '#base/json.ts';
import { integerOf } from '#base/integer.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import type { KindRules } from './kind-rules.ts';

export type BuiltinGenerationRule = KindRules['generation'];

export type Generation = number | bigint;

/** metadata.generation as it is stored, however large. */
export function generationOf(object: KubeObject): Generation | undefined {
  const generation = at(object, 'metadata', 'generation');
  return isNumber(generation) ? generation : undefined;
}

export const raised = (generation: Generation): Generation => integerOf(BigInt(generation) + 1n);

/** metadata.generation of a new object; undefined where the kind has none of its own. */
export function initialGeneration(rule: BuiltinGenerationRule, object: KubeObject): Generation | undefined {
  return rule === 'none' ? generationOf(object) : 1;
}

/** metadata.generation after an update of the main endpoint. */
export function nextGeneration(
  rule: BuiltinGenerationRule,
  object: KubeObject,
  old: KubeObject,
): Generation | undefined {
  const before = generationOf(old);
  return hasGrown[rule](object, old) ? raised(before ?? 0) : before;
}

const specDiffers = (object: KubeObject, old: KubeObject): boolean => !equalJson(object['spec'], old['spec']);
const metaDiffers = (object: KubeObject, old: KubeObject, key: string): boolean =>
  !equalJson(metaOf(object)[key], metaOf(old)[key]);
const content = (object: KubeObject): JsonObject => without(without(object, 'metadata'), 'status');

const hasGrown: Readonly<Record<BuiltinGenerationRule, (object: KubeObject, old: KubeObject) => boolean>> = {
  none: () => false,
  fixed: () => false,
  spec: specDiffers,
  'spec-and-annotations': (object, old) =>
    specDiffers(object, old) || metaDiffers(object, old, 'annotations'),
  content: (object, old) => !equalJson(content(object), content(old)),
  'content-and-labels': (object, old) =>
    !equalJson(content(object), content(old)) || metaDiffers(object, old, 'labels'),
};
