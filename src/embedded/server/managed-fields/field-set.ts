import { compareElements } from './path-element.ts';

/**
 * A set of paths into an object, as a tree in the very form of FieldsV1, so that nothing is parsed or printed
 * on the way to storage. A node's members are path elements (`f:name`, `k:{"name":"c"}`, `v:"x"`, `i:0`); below
 * the root, a node without members means its own path, and `.` means the same for a node with members.
 * Elements stand in their canonical order. Sets are immutable and share what they can.
 */
export type FieldSet = { readonly [element: string]: FieldSet };
/** The same, while it is being built by the one function that owns it. */
export type MutableFieldSet = { [element: string]: FieldSet };

/** A path and nothing below it. */
export const leaf: FieldSet = Object.freeze({});
/** The same at the root: no path at all. */
export const emptySet: FieldSet = Object.freeze({});

export function isEmptySet(set: FieldSet): boolean {
  for (const _element in set) return false;
  return true;
}

export const union = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) ? right : isEmptySet(right) ? left : uniteNodes(left, right);

/** The paths of `left` that are not in `right`; paths below those of `right` stay. */
export const difference = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) || isEmptySet(right) ? left : (subtractNodes(left, right) ?? emptySet);

/** Like `difference`, but a path of `right` also removes everything below it. */
export const differenceBelow = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) || isEmptySet(right) ? left : (cutNodes(left, right) ?? emptySet);

export const intersection = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) || isEmptySet(right) ? emptySet : (intersectNodes(left, right) ?? emptySet);

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  const elements = Object.keys(left);
  return (
    elements.length === Object.keys(right).length &&
    elements.every((element) => {
      const other = right[element];
      return other !== undefined && equalSets(left[element] ?? leaf, other);
    })
  );
}

/** Whether a node below the root means its own path. */
export const isMember = (node: FieldSet): boolean => node['.'] !== undefined || isEmptySet(node);

/** A node of these members; undefined when there is nothing in it. */
export function nodeOf(member: boolean, members: MutableFieldSet | undefined): FieldSet | undefined {
  if (members === undefined) return member ? leaf : undefined;
  return member ? { '.': leaf, ...members } : members;
}

/** Puts the elements of a freshly built node in their canonical order. */
export function inOrder(members: MutableFieldSet): MutableFieldSet {
  const elements = Object.keys(members);
  if (isOrdered(elements)) return members;
  const ordered: MutableFieldSet = {};
  for (const element of elements.sort(compareElements)) ordered[element] = members[element] ?? leaf;
  return ordered;
}

function isOrdered(elements: readonly string[]): boolean {
  for (let i = 1; i < elements.length; i += 1) {
    if (compareElements(elements[i - 1] ?? '', elements[i] ?? '') > 0) return false;
  }
  return true;
}

function uniteNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  const members: MutableFieldSet = {};
  if (isMember(left) || isMember(right)) members['.'] = leaf;
  for (const element in left) {
    if (element === '.') continue;
    const [mine, other] = [left[element] ?? leaf, right[element]];
    members[element] = other === undefined ? mine : uniteNodes(mine, other);
  }
  for (const element in right) members[element] ??= right[element] ?? leaf;
  return normal(members);
}

function normal(members: MutableFieldSet): FieldSet {
  const elements = Object.keys(members);
  return elements.length === 1 && elements[0] === '.' ? leaf : inOrder(members);
}

function subtractNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  const wasMember = isMember(left);
  const member = wasMember && !isMember(right);
  let changed = wasMember !== member;
  let members: MutableFieldSet | undefined;
  for (const element in left) {
    if (element === '.') continue;
    const [mine, other] = [left[element] ?? leaf, right[element]];
    const kept = other === undefined ? mine : subtractNodes(mine, other);
    if (kept !== mine) changed = true;
    if (kept !== undefined) (members ??= {})[element] = kept;
  }
  return changed ? nodeOf(member, members) : left;
}

function cutNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  let changed = false;
  let members: MutableFieldSet | undefined;
  for (const element in left) {
    if (element === '.') continue;
    const [mine, other] = [left[element] ?? leaf, right[element]];
    const kept = other === undefined ? mine : isMember(other) ? undefined : cutNodes(mine, other);
    if (kept !== mine) changed = true;
    if (kept !== undefined) (members ??= {})[element] = kept;
  }
  return changed ? nodeOf(isMember(left), members) : left;
}

function intersectNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  let members: MutableFieldSet | undefined;
  for (const element in left) {
    const other = right[element];
    if (element === '.' || other === undefined) continue;
    const kept = intersectNodes(left[element] ?? leaf, other);
    if (kept !== undefined) (members ??= {})[element] = kept;
  }
  return nodeOf(isMember(left) && isMember(right), members);
}
