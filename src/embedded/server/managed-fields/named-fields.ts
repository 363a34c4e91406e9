import type { Shape } from '#kube/shape.ts';
import { type FieldSet, isEmptySet, leaf, type MutableFieldSet } from './field-set.ts';
import { isDeclared, shapeBelow } from './shape-below.ts';

/** The set, and with it the declared fields on the way to its paths, which are usually left out. */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  const result: MutableFieldSet = {};
  for (const element in set) {
    const node = set[element] ?? leaf;
    if (element === '.' || isEmptySet(node)) {
      result[element] = node;
      continue;
    }
    const below = withNamedFields(shapeBelow(shape, element), node);
    const named = element.startsWith('f:') && isDeclared(shape, element.slice(2));
    result[element] = named && node['.'] === undefined ? { '.': leaf, ...below } : below;
  }
  return result;
}
