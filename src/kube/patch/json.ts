import { equalJson, isArray, isObject, type Json, type MutableJsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { isDeepValue } from '#base/json-depth.ts';
import { type JsonOperation, readJsonOperations } from './json-operations.ts';
import { JsonPatchFailed } from './json-patch-error.ts';
import { putMember } from '#base/put-member.ts';
import { listIndex } from './pointer.ts';

/**
 * RFC 6902 as real servers apply it. All or nothing: it throws (an ApiError) or gives a new document that
 * shares everything untouched with the old one. Neither argument is changed.
 */
export function applyJsonPatch(document: Json, operations: Json): Json {
  const state: State = { document, fresh: new Set(), copied: 0 };
  for (const operation of readJsonOperations(operations)) apply(state, operation);
  return state.document;
}

/** `fresh` are the containers made during this patch: nobody else holds them, so they may be changed in place. */
type State = { document: Json; readonly fresh: Set<object>; copied: number };
type Container = Json[] | MutableJsonObject;

/** The most bytes that all `copy` operations of one patch may copy, as on a real server. */
const mostCopiedBytes = 3 * 1024 * 1024;

function apply(state: State, operation: JsonOperation): void {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return add(state, path, operation.value);
    case 'replace':
      return replace(state, path, operation.value);
    case 'remove':
      return remove(state, path);
    case 'test':
      return test(state, path, operation.value);
    case 'move': {
      const value = valueAt(state, operation.from);
      if (path.length > operation.from.length && operation.from.every((token, i) => token === path[i])) {
        throw new JsonPatchFailed('a value cannot be moved into itself');
      }
      remove(state, operation.from);
      return add(state, path, value);
    }
    case 'copy':
      return copy(state, operation.from, path);
  }
}

function add(state: State, path: readonly string[], value: Json): void {
  const key = path.at(-1);
  if (key === undefined) {
    state.document = value;
    return;
  }
  const parent = writableParent(state, path);
  if (!Array.isArray(parent)) {
    putMember(parent, key, value);
    return;
  }
  const index = key === '-' ? parent.length : listIndex(key, parent.length + 1);
  if (index === undefined) throw new JsonPatchFailed(`no place ${key} to add at`);
  parent.splice(index, 0, value);
}

/** Real servers let `replace` create a missing member of an object, though not of a list. */
function replace(state: State, path: readonly string[], value: Json): void {
  const key = path.at(-1);
  if (key === undefined) {
    state.document = value;
    return;
  }
  const parent = writableParent(state, path);
  if (Array.isArray(parent)) parent[indexOf(parent, key)] = value;
  else putMember(parent, key, value);
}

function remove(state: State, path: readonly string[]): void {
  const key = path.at(-1);
  if (key === undefined) throw new JsonPatchFailed('the whole document cannot be removed');
  const parent = writableParent(state, path);
  if (Array.isArray(parent)) {
    parent.splice(indexOf(parent, key), 1);
    return;
  }
  if (!Object.hasOwn(parent, key)) throw new JsonPatchFailed(`nothing at ${key} to remove`);
  delete parent[key];
}

/** A missing member counts as null, as real servers have it. */
function test(state: State, path: readonly string[], value: Json): void {
  const key = path.at(-1);
  const parent = key === undefined ? undefined : valueAt(state, path.slice(0, -1));
  const found = isObject(parent) && key !== undefined ? child(parent, key) : valueAt(state, path);
  if (!equalJson(found ?? null, value)) throw new JsonPatchFailed(`/${path.join('/')} is not as tested`);
}

function copy(state: State, from: readonly string[], path: readonly string[]): void {
  const value = valueAt(state, from);
  // Many moves can build what neither the document nor the patch could be.
  if (isDeepValue(value)) throw new JsonPatchFailed('the value to copy is nested too deeply');
  state.copied += printJson(value).length;
  if (state.copied > mostCopiedBytes) throw new JsonPatchFailed(`more than ${mostCopiedBytes} bytes copied`);
  add(state, path, apart(state, value));
}

/**
 * The value for a second place: what may be changed in place is copied, everything else is shared. Whatever
 * holds something fresh is fresh itself.
 */
function apart(state: State, value: Json): Json {
  if (isArray(value)) return state.fresh.has(value) ? value.map((each) => apart(state, each)) : value;
  if (!isObject(value) || !state.fresh.has(value)) return value;
  const copied: MutableJsonObject = {};
  for (const [key, each] of Object.entries(value)) putMember(copied, key, apart(state, each));
  return copied;
}

function valueAt(state: State, path: readonly string[]): Json {
  let current: Json | undefined = state.document;
  for (const token of path) current = child(current, token);
  if (current === undefined) throw new JsonPatchFailed(`nothing at /${path.join('/')}`);
  return current;
}

function child(parent: Json | undefined, token: string): Json | undefined {
  if (isArray(parent)) {
    const index = listIndex(token, parent.length);
    return index === undefined ? undefined : parent[index];
  }
  return isObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

function indexOf(list: readonly Json[], token: string): number {
  const index = listIndex(token, list.length);
  if (index === undefined) throw new JsonPatchFailed(`no item ${token}`);
  return index;
}

/** The container that holds the last token, it and everything above it being ours to change. */
function writableParent(state: State, path: readonly string[]): Container {
  let current = writable(state, state.document);
  state.document = current;
  for (let i = 0; i < path.length - 1; i += 1) {
    const token = path[i] ?? '';
    const next = writable(state, child(current, token));
    if (Array.isArray(current)) current[indexOf(current, token)] = next;
    else putMember(current, token, next);
    current = next;
  }
  return current;
}

function writable(state: State, value: Json | undefined): Container {
  if (!isArray(value) && !isObject(value))
    throw new JsonPatchFailed('the path leads through something without members');
  if (state.fresh.has(value)) return value as Container;
  const copied: Container = isArray(value) ? [...value] : { ...value };
  state.fresh.add(copied);
  return copied;
}
