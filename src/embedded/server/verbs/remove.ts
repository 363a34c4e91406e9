import type { JsonObject } from '#base/json.ts';
import { uidOf } from '#kube/object.ts';
import type { ApiResponse } from '#kube/http.ts';
import { json } from '#embedded/server/request/answer.ts';
import { keyOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import { pageOf } from '#embedded/server/request/page.ts';
import { listOptions } from '#embedded/server/request/list-options.ts';
import { selectionOf } from '#embedded/server/request/selection.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { answersDeleted, deleteObject, type Deletion } from '#embedded/server/write/delete-object.ts';
import { deleteOptions } from '#embedded/server/write/delete-options.ts';
import { missing, objectAnswer } from './get.ts';
import { pageAnswer } from './list.ts';

export async function remove(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = await deleteOptions(context, call);
  const { resource } = call;
  const write = (transaction: Transaction): Deletion => {
    const stored = transaction.get(resource.storage, keyOf(call));
    if (stored === undefined) throw missing(call);
    return deleteObject(context, transaction, { resource, stored, options });
  };
  const deletion = options.dryRun ? context.store.rehearse(write) : await context.store.transact(write);
  if (deletion.type === 'gone' && !answersDeleted(resource)) return json(200, success(call, deletion.stored));
  return objectAnswer(context, call, { status: 200, stored: deletion.stored, format });
}

/** The Status of a successful deletion. */
function success({ resource }: Call, stored: Stored): JsonObject {
  const group = resource.group === '' ? {} : { group: resource.group };
  const details = { name: stored.name, ...group, kind: resource.plural, uid: uidOf(stored.object) };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** The number of deletions in one commit; other requests run between two commits. */
const batchSize = 500;

/** Deletes what the selectors match and returns what was there. */
export async function removeCollection(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const selection = selectionOf(call);
  const options = await deleteOptions(context, call);
  const { resource } = call;
  const page = pageOf(context, resource, selection, listOptions(call.query, false));
  for (let start = 0; start < page.items.length && !options.dryRun; start += batchSize) {
    const batch = page.items.slice(start, start + batchSize);
    await context.store.transact((transaction) => {
      for (const { key } of batch) {
        const stored = transaction.get(resource.storage, key);
        if (stored !== undefined) deleteObject(context, transaction, { resource, stored, options });
      }
    });
  }
  return pageAnswer(context, call, page, format);
}
