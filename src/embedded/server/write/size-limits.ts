import { without, type Json } from '#base/json.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

/** Maps within an object of a built-in kind: each may get defaults and errors of its own. */
const mostMaps = 50_000;
/** Members of maps and items of lists within it. */
const mostValues = 100_000;
/** Characters of a stored object: more than any body brings, with room for defaults and managed fields. */
const longestObject = 4 * 1024 * 1024;

/**
 * Refuses what would cost seconds to complete and check: millions of empty containers, ports or rules. The record of
 * managed fields does not count: it grows with the rest.
 */
export function refuseTooMany(object: KubeObject): void {
  let [maps, values] = [0, 0];
  const open: object[] = [{ ...object, metadata: without(metaOf(object), 'managedFields') }];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const parts = Array.isArray(value) ? (value as readonly Json[]) : (Object.values(value) as Json[]);
    if (!Array.isArray(value)) maps += 1;
    values += parts.length;
    if (maps > mostMaps) throw tooMany(`${mostMaps} maps`);
    if (values > mostValues) throw tooMany(`${mostValues} values`);
    for (const part of parts) if (typeof part === 'object' && part !== null) open.push(part);
  }
}

const tooMany = (what: string): ApiError =>
  badRequest(`the object contains more than ${what}: split it into several objects`);

/** Stores an object unless it became too long, as patches one after the other can make it. */
export function putObject(
  transaction: Transaction,
  storage: string,
  key: string,
  object: KubeObject,
): Stored {
  const stored = transaction.put(storage, key, object);
  if (stored.json.length > longestObject) throw tooLong(stored.json.length);
  return stored;
}

const tooLong = (length: number): ApiError =>
  new ApiError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: the object would be ${length} characters long, limit is ${longestObject}`,
  });
