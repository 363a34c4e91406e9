import { equalJson, isArray, type Json, type JsonObject } from '#base/json.ts';
import type { ListShape, Shape } from '#kube/shape.ts';
import {
  emptySet,
  type FieldSet,
  inOrder,
  isEmptySet,
  leaf,
  type MutableFieldSet,
  nodeOf,
} from './field-set.ts';
import { wholeSetOf } from './field-set-of.ts';
import { itemsByElement } from './list-element.ts';
import { memberShape, viewOf } from './shape-below.ts';

/** How two objects of one shape differ. A container that comes or goes is itself added or removed. */
export type FieldComparison = {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
};

/**
 * Compares two objects. Paths of `skip` and all below are not looked at, except that a path of `skip` that
 * itself has paths below only hides itself.
 */
export function compare(shape: Shape, before: Json, after: Json, skip: FieldSet = emptySet): FieldComparison {
  const found = differences(shape, before, after, isEmptySet(skip) ? undefined : skip);
  if (found === undefined) return noDifference;
  return {
    added: found.added ?? emptySet,
    modified: found.modified ?? emptySet,
    removed: found.removed ?? emptySet,
  };
}

const noDifference: FieldComparison = { added: emptySet, modified: emptySet, removed: emptySet };

/** Below one path. A set that is absent has nothing there. */
type Differences = {
  added?: FieldSet | undefined;
  modified?: FieldSet | undefined;
  removed?: FieldSet | undefined;
};
type Drafts = { added?: MutableFieldSet; modified?: MutableFieldSet; removed?: MutableFieldSet };
const outcomes = ['added', 'modified', 'removed'] as const;

const changedHere: Differences = { modified: leaf };
const nothing: JsonObject = {};
const noItems: readonly Json[] = [];

function differences(
  shape: Shape,
  before: Json | undefined,
  after: Json | undefined,
  skip: FieldSet | undefined,
): Differences | undefined {
  if (before === after || (skip !== undefined && isEmptySet(skip))) return undefined;
  if (before !== undefined && after !== undefined) return differencesOfBoth(shape, before, after, skip);
  const whole = wholeExcept(shape, before ?? after ?? null, skip);
  if (whole === undefined) return undefined;
  return before === undefined ? { added: whole } : { removed: whole };
}

function wholeExcept(shape: Shape, value: Json, skip: FieldSet | undefined): FieldSet | undefined {
  if (skip === undefined) return wholeSetOf(shape, value);
  const drafts: Drafts = {};
  compareMembers(drafts, shape, { before: nothing, after: mapMembers(shape, value), skip });
  return nodeOf(skip['.'] === undefined, drafts.added === undefined ? undefined : inOrder(drafts.added));
}

function differencesOfBoth(
  shape: Shape,
  before: Json,
  after: Json,
  skip: FieldSet | undefined,
): Differences | undefined {
  if (shape.type === 'list' && shape.list !== 'atomic') return listDifferences(shape, before, after);
  const isMap = (value: Json): boolean => viewOf(shape, value).type === 'map';
  if (!isMap(before) && !isMap(after)) return leafDifference(before, after);
  const [left, right] = [mapMembers(shape, before), mapMembers(shape, after)];
  if (isEmptyMap(left) && isEmptyMap(right)) return leafDifference(before, after);
  const drafts: Drafts = {};
  compareMembers(drafts, shape, { before: left, after: right, skip });
  // A map that becomes something else, or the other way round, changes as a whole besides; null is no such thing.
  return finish(drafts, isMap(before) !== isMap(after) && before !== null && after !== null);
}

function listDifferences(list: ListShape, before: Json, after: Json): Differences | undefined {
  const [left, right] = [isArray(before) ? before : noItems, isArray(after) ? after : noItems];
  if (left.length === 0 && right.length === 0) return leafDifference(before, after);
  const drafts: Drafts = {};
  compareItems(drafts, list, left, right);
  return finish(drafts, false);
}

const leafDifference = (before: Json, after: Json): Differences | undefined =>
  equalJson(before, after) ? undefined : changedHere;

function mapMembers(shape: Shape, value: Json): JsonObject {
  const view = viewOf(shape, value);
  return view.type === 'map' ? view.members : nothing;
}

function isEmptyMap(members: JsonObject): boolean {
  for (const _name in members) return false;
  return true;
}

function compareMembers(
  drafts: Drafts,
  shape: Shape,
  { before, after, skip }: { before: JsonObject; after: JsonObject; skip: FieldSet | undefined },
): void {
  const visit = (name: string, left: Json | undefined, right: Json | undefined): void => {
    if (left === right) return;
    const below = skip === undefined ? undefined : skip[`f:${name}`];
    const found = differences(memberShape(shape, name), left, right, below);
    if (found !== undefined) collect(drafts, `f:${name}`, found);
  };
  for (const name of Object.keys(after))
    visit(name, Object.hasOwn(before, name) ? before[name] : undefined, after[name]);
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) visit(name, before[name], undefined);
}

function compareItems(drafts: Drafts, list: ListShape, left: readonly Json[], right: readonly Json[]): void {
  const [before, after] = [itemsByElement(list, left), itemsByElement(list, right)];
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    const found = compareSame(list, before.get(element) ?? noItems, after.get(element) ?? noItems);
    if (found !== undefined) collect(drafts, element, found);
  }
}

/** The items of one identity before and after. Where several share it, they are taken as one leaf. */
function compareSame(
  list: ListShape,
  before: readonly Json[],
  after: readonly Json[],
): Differences | undefined {
  const [old, now] = [before[0], after[0]];
  if (before.length > 1 && after.length > 1) return equalJson(before, after) ? undefined : changedHere;
  if (before.length > 1) return { ...differences(list.item(), undefined, now, undefined), removed: leaf };
  if (after.length > 1) return { ...differences(list.item(), old, undefined, undefined), added: leaf };
  return differences(list.item(), old, now, undefined);
}

function collect(drafts: Drafts, element: string, found: Differences): void {
  for (const outcome of outcomes) {
    const node = found[outcome];
    if (node !== undefined) (drafts[outcome] ??= {})[element] = node;
  }
}

function finish(drafts: Drafts, changedItself: boolean): Differences | undefined {
  const { added, modified, removed } = drafts;
  if (!changedItself && added === undefined && modified === undefined && removed === undefined)
    return undefined;
  return {
    added: added === undefined ? undefined : inOrder(added),
    modified: nodeOf(changedItself, modified === undefined ? undefined : inOrder(modified)),
    removed: removed === undefined ? undefined : inOrder(removed),
  };
}
