import type { Shape } from '#kube/shape.ts';
import { type FieldSet, isEmptySet, leaf, type MutableFieldSet } from './field-set.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { isAtomic, shapeBelow } from './shape-below.ts';

/**
 * A schema may have made something atomic after parts of it got owners: an owner of a part then owns the
 * whole. (The other way round, real servers leave the owner of the whole with just that.)
 */
export function coarsenEntries(shape: Shape, entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  return entries.map((entry) => {
    const fields = coarsen(shape, entry.fieldsV1);
    return fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields };
  });
}

function coarsen(shape: Shape, set: FieldSet): FieldSet {
  if (shape.type === 'scalar' || shape.type === 'untyped') return set;
  let changed: MutableFieldSet | undefined;
  for (const element in set) {
    const node = set[element] ?? leaf;
    if (isEmptySet(node)) continue;
    const below = shapeBelow(shape, element);
    const coarse = isAtomic(below) ? leaf : coarsen(below, node);
    if (coarse !== node) (changed ??= { ...set })[element] = coarse;
  }
  return changed ?? set;
}
