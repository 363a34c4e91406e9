import type { Json } from '#base/json.ts';
import type { Shape } from '#kube/shape.ts';
import { difference, type FieldSet, intersection, isEmptySet, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { withNamedFields } from './named-fields.ts';
import { removeFields } from './remove-fields.ts';

/**
 * Removes what an applier applied the last time (`last`) and not this time, unless a manager still owns it (`owned`,
 * the applier's new fields included). Fields below it without a manager stay.
 */
export function prune(shape: Shape, merged: Json, last: FieldSet, owned: FieldSet): Json {
  if (isEmptySet(last)) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(shape, set);
  const present = (value: Json): FieldSet => named(fieldSetOf(shape, value));
  const formerly = named(last);
  const all = present(merged);
  const bare = present(removeFields(shape, merged, formerly));
  const kept = removeFields(shape, merged, difference(all, union(bare, named(owned))));
  const gone = difference(all, present(kept));
  return removeFields(shape, merged, intersection(gone, formerly));
}
