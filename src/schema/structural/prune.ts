import { enoughErrors, nameInPath } from '#kube/field-error.ts';
import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { pruneMeta } from './object-meta.ts';
import type { SchemaNode } from './schema-node.ts';
import { withChanges, type Changes } from './with-changes.ts';

/**
 * An object without fields that its schema does not have, without nulls that may not be null and have no
 * default, and with metadata cut down to ObjectMeta. What needs no change is shared, not copied.
 */
export function pruneObject(object: JsonObject, node: SchemaNode): JsonObject {
  return pruneMembers(object, node, true);
}

/**
 * The paths of what pruning would drop, in the order in which the server reports them: the root's
 * metadata, the fields of the schema sorted, the metadata of embedded resources.
 */
export function unknownPaths(object: JsonObject, node: SchemaNode): readonly string[] {
  const found: Found = { meta: [], fields: [], embedded: [] };
  walkMembers(object, node, { path: '', root: true, found });
  return [...found.meta.toSorted(), ...found.fields.toSorted(), ...found.embedded.toSorted()];
}

/** Whether pruning would drop anything from a value somewhere inside of an object. */
export function hasUnknownFields(value: Json, node: SchemaNode): boolean {
  const found: Found = { meta: [], fields: [], embedded: [] };
  walkValue(value, node, { path: '', root: false, found });
  return found.fields.length > 0;
}

const isMetaField = (key: string): boolean => key === 'metadata' || key === 'apiVersion' || key === 'kind';

function pruneValue(value: Json, node: SchemaNode): Json {
  if (isArray(value)) return pruneItems(value, node);
  return isObject(value) ? pruneMembers(value, node, false) : value;
}

function pruneMembers(value: JsonObject, node: SchemaNode, root: boolean): JsonObject {
  const resource = root || node.embeddedResource;
  let changes: Changes | undefined;
  for (const key in value) {
    const old = value[key] ?? null;
    const next = resource && isMetaField(key) ? metaMember(key, old) : prunedMember(key, old, node);
    if (next !== old) (changes ??= new Map()).set(key, next);
  }
  return changes === undefined ? value : withChanges(value, changes);
}

function metaMember(key: string, value: Json): Json {
  return key === 'metadata' && isObject(value) ? pruneMeta(value) : value;
}

/** Undefined: the member is dropped. */
function prunedMember(key: string, value: Json, node: SchemaNode): Json | undefined {
  const known = node.property(key) ?? node.additional();
  if (known === undefined) return node.preserveUnknown ? value : undefined;
  if (known === true) return pruneUnknown(value, 0);
  if (value === null) return known.nullable || known.fallback !== undefined ? value : undefined;
  return pruneValue(value, known);
}

function pruneItems(value: readonly Json[], node: SchemaNode): readonly Json[] {
  const items = node.items();
  if (items === undefined)
    return node.preserveUnknown ? value : mapShared(value, (each) => pruneUnknown(each, 0));
  return mapShared(value, (each) => pruneValue(each, items));
}

/** Below `additionalProperties: true` nothing is specified: scalars stay, the members of objects do not. */
function pruneUnknown(value: Json, depth: number): Json {
  if (depth > 100) return null;
  if (isArray(value)) return mapShared(value, (each) => pruneUnknown(each, depth + 1));
  return isObject(value) && Object.keys(value).length > 0 ? {} : value;
}

function mapShared(list: readonly Json[], change: (each: Json) => Json): readonly Json[] {
  let copy: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const old = list[i] ?? null;
    const next = change(old);
    if (next === old) continue;
    copy ??= [...list];
    copy[i] = next;
  }
  return copy ?? list;
}

type Found = { readonly meta: string[]; readonly fields: string[]; readonly embedded: string[] };
type Walk = { readonly path: string; readonly root: boolean; readonly found: Found };

function note(paths: string[], path: string): void {
  if (paths.length < enoughErrors) paths.push(path);
}

function walkMembers(value: JsonObject, node: SchemaNode, walk: Walk): void {
  const resource = walk.root || node.embeddedResource;
  for (const key in value) {
    const name = nameInPath(key);
    const path = walk.path === '' ? name : `${walk.path}.${name}`;
    const member = value[key] ?? null;
    if (resource && isMetaField(key)) walkMeta(key, member, { ...walk, path });
    else walkMember(key, member, { node, walk: { ...walk, path, root: false } });
  }
}

function walkMeta(key: string, value: Json, { path, root, found }: Walk): void {
  const list = root ? found.meta : found.embedded;
  if (key === 'metadata' && isObject(value)) pruneMeta(value, (below) => note(list, `${path}${below}`));
}

function walkMember(key: string, value: Json, { node, walk }: { node: SchemaNode; walk: Walk }): void {
  const known = node.property(key) ?? node.additional();
  if (known === true) walkUnknown(value, walk);
  else if (known !== undefined) walkValue(value, known, walk);
  else if (!node.preserveUnknown) note(walk.found.fields, walk.path);
}

function walkValue(value: Json, node: SchemaNode, walk: Walk): void {
  if (isObject(value)) walkMembers(value, node, walk);
  if (!isArray(value)) return;
  const items = node.items();
  if (items === undefined && node.preserveUnknown) return;
  value.forEach((each, i) => {
    const inside = { ...walk, path: `${walk.path}[${i}]` };
    if (items === undefined) walkUnknown(each, inside);
    else walkValue(each, items, inside);
  });
}

function walkUnknown(value: Json, walk: Walk, depth = 0): void {
  if (isObject(value)) for (const key in value) note(walk.found.fields, `${walk.path}.${nameInPath(key)}`);
  if (!isArray(value) || depth > 100) return;
  value.forEach((each, i) => walkUnknown(each, { ...walk, path: `${walk.path}[${i}]` }, depth + 1));
}
