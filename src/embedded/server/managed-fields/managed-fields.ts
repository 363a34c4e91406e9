import { equalJson, type Json, type JsonObject, without } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { type KubeObject, metaOf } from '#kube/object.ts';
import type { Shape } from '#kube/shape.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { coarsenEntries } from './coarsen.ts';
import { compare, type FieldComparison } from './compare.ts';
import { difference, emptySet, equalSets, type FieldSet, isEmptySet, union } from './field-set.ts';
import {
  entriesFor,
  entryOf,
  identityOf,
  type ManagedEntry,
  type ManagerName,
  storedEntries,
  withEntries,
} from './managed-entry.ts';
import { strippedFields } from './stripped.ts';

export type UpdateToTrack = {
  readonly shape: Shape;
  /** Undefined for a create. */
  readonly before: KubeObject | undefined;
  /** The desired object, defaulted, before admission; its managedFields are those the client sent. */
  readonly after: KubeObject;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly now: Instant;
  /** An object of the type with nothing set: members that a built-in type always prints have no manager. */
  readonly zero?: KubeObject | undefined;
  /** Fields that this endpoint does not write, such as `status` on the main one. */
  readonly ignore?: FieldSet | undefined;
};

const nothing: JsonObject = {};

/**
 * Returns `after` with the managedFields a real server writes for a create, an update or a patch. Who changes a
 * field takes it from all other managers; only fields that really differ count.
 */
export function trackUpdate(update: UpdateToTrack): KubeObject {
  const { shape, before, after, manager, apiVersion, zero, ignore } = update;
  const subresource = update.subresource ?? '';
  const entries = coarsenEntries(
    shape,
    subresource === '' ? entriesFor(before, after) : storedEntries(before),
  );
  // Nobody owns anything here: either the object predates tracking or its owners were cleared on purpose.
  if (entries.length === 0 && before !== undefined) return withEntries(after, entries);
  const skip = ignore === undefined ? strippedFields : union(strippedFields, ignore);
  const comparison = compare(shape, before ?? zero ?? nothing, after, skip);
  const name: ManagerName = { manager, operation: 'Update', apiVersion, subresource };
  return withEntries(after, capUpdateManagers(handOver(entries, comparison, name, update.now)));
}

/**
 * Real servers compare the outcome of a write with what is stored without looking at the times of
 * managers; when nothing else differs, the stored times stay.
 */
export function keepTimes(before: KubeObject, after: KubeObject): KubeObject {
  const [old, now] = [storedEntries(before), storedEntries(after)];
  const sameOwners = old.length === now.length && old.every((entry, i) => sameButTime(entry, now[i]));
  if (!sameOwners || !equalJson(withoutEntries(before), withoutEntries(after))) return after;
  return withEntries(after, old);
}

/** The entries of the other managers after these changes; managers without fields are removed. */
export function takeAway(
  entries: readonly ManagedEntry[],
  comparison: FieldComparison,
): readonly ManagedEntry[] {
  const changed = union(comparison.modified, comparison.added);
  const left: ManagedEntry[] = [];
  for (const entry of entries) {
    const fields = difference(difference(entry.fieldsV1, changed), comparison.removed);
    if (isEmptySet(fields)) continue;
    left.push(fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields });
  }
  return left;
}

function handOver(
  entries: readonly ManagedEntry[],
  comparison: FieldComparison,
  name: ManagerName,
  now: Instant,
): readonly ManagedEntry[] {
  const left = takeAway(entries, comparison);
  const taken = union(comparison.modified, comparison.added);
  if (isEmptySet(taken)) return left;
  const identity = identityOf(name);
  const own = left.find((entry) => identityOf(entry) === identity);
  const fields = union(taken, own?.fieldsV1 ?? emptySet);
  return [...left.filter((entry) => entry !== own), entryOf(name, fields, formatTime(now))];
}

const withoutEntries = (object: KubeObject): Json => ({
  ...object,
  metadata: without(metaOf(object), 'managedFields'),
});

const sameButTime = (left: ManagedEntry, right: ManagedEntry | undefined): boolean =>
  right !== undefined &&
  identityOf(left) === identityOf(right) &&
  left.apiVersion === right.apiVersion &&
  equalSets(left.fieldsV1, right.fieldsV1);
