import { equalJson, isObject, type Json, without } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { apiVersionOf, type KubeObject, kindOf, metaOf, nameOf, namespaceOf } from '#kube/object.ts';
import type { Shape } from '#kube/shape.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { ApplyConflict, type Conflict } from './apply-conflict.ts';
import { typeErrors } from './check-typed.ts';
import { coarsenEntries } from './coarsen.ts';
import { compare } from './compare.ts';
import {
  difference,
  differenceBelow,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  union,
} from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { lastAppliedFields, withLastApplied } from './last-applied.ts';
import {
  entryOf,
  identityOf,
  type ManagedEntry,
  type ManagerName,
  storedEntries,
  withEntries,
} from './managed-entry.ts';
import { takeAway } from './managed-fields.ts';
import { mergeObjects } from './merge-objects.ts';
import { prune } from './prune.ts';
import { dropEmptied } from './remove-fields.ts';
import { strippedFields } from './stripped.ts';

export type ApplyRequest = {
  readonly shape: Shape;
  /** Undefined when the apply creates the object. */
  readonly live: KubeObject | undefined;
  readonly applied: KubeObject;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  /** Compared with the applied object if present. */
  readonly kind?: string | undefined;
  readonly subresource?: string | undefined;
  readonly now: Instant;
  /** An object of the type with nothing set, see `trackUpdate`. */
  readonly zero?: KubeObject | undefined;
  /** Fields that this endpoint does not write. */
  readonly ignore?: FieldSet | undefined;
};

/** `changed` is false when the outcome is the live object, owners included. */
export type Applied = { readonly object: KubeObject; readonly changed: boolean };

/**
 * Server-side apply. The outcome is not yet defaulted. Throws an ApplyConflict when the object
 * changes fields of other managers without `force`, and ApiErrors for content that cannot be applied.
 */
export function applyServerSide(given: ApplyRequest): Applied {
  checkApplied(given);
  const request = { ...given, applied: withoutNoTime(given.applied) };
  const { live, applied, manager } = request;
  const [base, entries] = startOf(request);
  let attempt = tryApply(request, base, entries, request.force);
  if (attempt.conflicts.length > 0 && manager === 'kubectl') {
    const allowed = lastAppliedFields(request.shape, base);
    const left = attempt.conflicts
      .map((each) => ({ ...each, fields: difference(each.fields, allowed) }))
      .filter((each) => !isEmptySet(each.fields));
    attempt = left.length > 0 ? { ...attempt, conflicts: left } : tryApply(request, base, entries, true);
  }
  if (attempt.conflicts.length > 0) throw new ApplyConflict(attempt.conflicts);
  const object = manager === 'kubectl' ? withLastApplied(attempt.object, applied) : attempt.object;
  const result = withEntries(object, attempt.entries);
  return { object: result, changed: live === undefined || !equalJson(result, live) };
}

type Attempt = {
  readonly object: KubeObject;
  readonly entries: readonly ManagedEntry[];
  readonly conflicts: readonly Conflict[];
};

function checkApplied({ shape, applied, apiVersion, kind }: ApplyRequest): void {
  const given = groupVersionKind(apiVersionOf(applied), kindOf(applied));
  const expected = groupVersionKind(apiVersion, kind ?? kindOf(applied));
  if (given !== expected) throw badRequest(`invalid object type: ${given}`);
  if (metaOf(applied)['managedFields'] !== undefined && metaOf(applied)['managedFields'] !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const errors = typeErrors(shape, applied);
  if (errors.length === 0) return;
  const text = errors.length === 1 ? errors[0] : ['errors:', ...errors.map((each) => `  ${each}`)].join('\n');
  const where = `${namespaceOf(applied)}/${nameOf(applied)}; ${given}`;
  throw new ApiError({
    code: 500,
    reason: '',
    message: `failed to create typed patch object (${where}): ${text}`,
  });
}

/** Generated manifests contain `creationTimestamp: null`, which must not unset it. */
function withoutNoTime(applied: KubeObject): KubeObject {
  const meta = metaOf(applied);
  return meta['creationTimestamp'] === null
    ? { ...applied, metadata: without(meta, 'creationTimestamp') }
    : applied;
}

/** `apps/v1, Kind=Deployment`, and `/v1, Kind=Pod` for the core group. */
function groupVersionKind(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** The live object and its managers; fields without a manager belong to `before-first-apply`. */
function startOf(request: ApplyRequest): readonly [KubeObject, readonly ManagedEntry[]] {
  const { shape, live, apiVersion, zero, subresource } = request;
  if (live === undefined) return [{}, []];
  const entries = coarsenEntries(shape, storedEntries(live));
  if (entries.length > 0) return [live, entries];
  const skip = union(strippedFields, request.ignore ?? emptySet);
  const { added, modified } = compare(shape, zero ?? {}, live, skip);
  const fields = union(added, modified);
  if (isEmptySet(fields)) return [live, entries];
  const name: ManagerName = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    subresource: subresource ?? '',
  };
  return [live, [entryOf(name, fields, formatTime(request.now))]];
}

function tryApply(
  request: ApplyRequest,
  live: KubeObject,
  entries: readonly ManagedEntry[],
  force: boolean,
): Attempt {
  const { shape, applied, manager, apiVersion } = request;
  const ignore = request.ignore ?? emptySet;
  const name: ManagerName = {
    manager,
    operation: 'Apply',
    apiVersion,
    subresource: request.subresource ?? '',
  };
  const identity = identityOf(name);
  const former = entries.find((entry) => identityOf(entry) === identity);
  const others = entries.filter((entry) => entry !== former);
  const own = differenceBelow(fieldSetOf(shape, applied), ignore);
  const owned = others.reduce((all, entry) => union(all, entry.fieldsV1), own);

  const merged = mergeObjects(shape, live, applied);
  const pruned = former === undefined ? merged : prune(shape, merged, former.fieldsV1, owned);
  const comparison = compare(shape, live, pruned ?? {}, ignore);
  const conflicts = force ? [] : conflictsWith(others, union(comparison.modified, comparison.added));

  const changed = !equalJson(live, pruned);
  const fields = difference(own, strippedFields);
  const left = takeAway(others, comparison);
  const time = changed ? formatTime(request.now) : former?.time;
  const all = isEmptySet(fields) ? left : [...left, entryOf(name, fields, time)];
  return { object: changed ? asObject(dropEmptied(merged, pruned)) : live, entries: all, conflicts };
}

function conflictsWith(others: readonly ManagedEntry[], changed: FieldSet): readonly Conflict[] {
  return others
    .map((entry) => ({ with: entry, fields: intersection(entry.fieldsV1, changed) }))
    .filter((conflict) => !isEmptySet(conflict.fields));
}

const asObject = (value: Json): KubeObject => (isObject(value) ? value : {});
