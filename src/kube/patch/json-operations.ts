import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { ApiError } from '#kube/status.ts';
import { JsonPatchFailed } from './json-patch-error.ts';
import { parsePointer } from './pointer.ts';
import { badPatch, goTypeOfJson } from './undecodable.ts';

type Tokens = readonly string[];

export type JsonOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Tokens; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Tokens }
  | { readonly op: 'copy' | 'move'; readonly path: Tokens; readonly from: Tokens };

const mostOperations = 10_000;

/** Reads the list of operations; the whole list is judged before anything is applied. */
export function readJsonOperations(patch: Json): readonly JsonOperation[] {
  if (patch === null) return [];
  if (!isArray(patch)) {
    throw badPatch(
      `json: cannot unmarshal ${goTypeOfJson(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  for (const each of patch) checkTypes(each);
  if (patch.length > mostOperations) {
    const why = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`;
    throw new ApiError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: ${why}`,
    });
  }
  return patch.map(readOperation);
}

function checkTypes(each: Json): void {
  if (each === null) return;
  if (!isObject(each)) {
    throw badPatch(`json: cannot unmarshal ${goTypeOfJson(each)} into Go value of type handlers.jsonPatchOp`);
  }
  for (const field of ['op', 'path', 'from']) {
    const value = each[field];
    if (value === undefined || value === null || typeof value === 'string') continue;
    const type = goTypeOfJson(value);
    throw badPatch(`json: cannot unmarshal ${type} into Go struct field jsonPatchOp.${field} of type string`);
  }
}

function readOperation(each: Json): JsonOperation {
  const operation = isObject(each) ? each : {};
  const path = tokensOf(operation['path']);
  const op = operation['op'];
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      if (operation['value'] === undefined && op !== 'test') throw new JsonPatchFailed(`${op} has no value`);
      return { op, path, value: operation['value'] ?? null };
    case 'remove':
      return { op, path };
    case 'copy':
    case 'move':
      return { op, path, from: tokensOf(operation['from']) };
    default:
      throw new JsonPatchFailed(`unknown operation ${printJson(op ?? null)}`);
  }
}

function tokensOf(pointer: Json | undefined): Tokens {
  const tokens = typeof pointer === 'string' ? parsePointer(pointer) : undefined;
  if (tokens === undefined) throw new JsonPatchFailed(`${printJson(pointer ?? null)} is not a JSON pointer`);
  return tokens;
}
