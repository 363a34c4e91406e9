import { nameOf as objectName, namespaceOf as objectNamespace, type KubeObject } from '#kube/object.ts';
import type { ApiResponse } from '#kube/http.ts';
import { badRequest } from '#kube/status.ts';
import { keyOf, nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { checkAhead } from '#embedded/server/write/check-ahead.ts';
import { createObject } from '#embedded/server/write/create-object.ts';
import { updateObject, wrongNamespace } from '#embedded/server/write/update-object.ts';
import { warnOf } from '#embedded/server/write/warn.ts';
import { writeOptions, writeParts } from '#embedded/server/write/write-options.ts';
import { commit, decodedBody } from './create.ts';
import { missing, objectAnswer } from './get.ts';

/** PUT of an object or of its status. */
export async function update(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = writeOptions(call, 'UpdateOptions');
  const { object } = await decodedBody(context, call, options);
  checkPlace(call, object);
  await checkAhead(context, call, object);
  const parts = writeParts(call, options);
  let status = 200;
  const write = (transaction: Transaction): Stored => {
    const stored = transaction.get(call.resource.storage, keyOf(call));
    if (stored !== undefined) {
      const next = (): KubeObject => object;
      return updateObject(context, transaction, { ...parts, stored, next, needsRevision: true });
    }
    if (!call.resource.rules.allowCreateOnUpdate || parts.subresource !== '') throw missing(call);
    status = 201;
    return createObject(context, transaction, { ...parts, object });
  };
  const stored = await commit(context, options.dryRun, write);
  warnOf(call, stored);
  return objectAnswer(context, call, { status, stored, format });
}

/** The body must name the object of the URL. */
export function checkPlace(call: Call, object: KubeObject): void {
  const name = objectName(object);
  const namespace = objectNamespace(object);
  if (call.resource.namespaced && namespace !== '' && namespace !== namespaceOf(call)) throw wrongNamespace();
  if (name === '') throw badRequest('name must be provided');
  if (name !== nameOf(call)) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${nameOf(call)})`);
  }
}
