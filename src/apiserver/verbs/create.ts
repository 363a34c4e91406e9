import { namespaceOf as objectNamespace } from '#kube/object.ts';
import type { ApiResponse } from '#kube/http.ts';
import type { Call, ServerContext } from '#apiserver/call.ts';
import { namespaceOf } from '#apiserver/call.ts';
import { objectFormat } from '#apiserver/negotiate.ts';
import type { Transaction } from '#apiserver/store/store.ts';
import type { Stored } from '#apiserver/store/stored.ts';
import { checkAhead } from '#apiserver/write/check-ahead.ts';
import { createObject } from '#apiserver/write/create-object.ts';
import { decodeBody, type Decoded } from '#apiserver/write/decode.ts';
import { expectedOf } from '#apiserver/write/expected.ts';
import { bodyType } from '#apiserver/write/media-type.ts';
import { readBody } from '#apiserver/write/read-body.ts';
import { judgeFields } from '#apiserver/write/strictness.ts';
import { wrongNamespace } from '#apiserver/write/update-object.ts';
import { writeOptions, type WriteOptions } from '#apiserver/write/write-options.ts';
import { warnOf } from '#apiserver/write/warn.ts';
import { objectAnswer } from './get.ts';

export async function create(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = writeOptions(call, 'CreateOptions');
  const { object } = await decodedBody(context, call, options);
  const given = objectNamespace(object);
  if (call.resource.namespaced && given !== '' && given !== namespaceOf(call)) throw wrongNamespace();
  const creation = {
    resource: call.resource,
    namespace: namespaceOf(call),
    object,
    manager: options.manager,
  };
  await checkAhead(context, call, object);
  const stored = await commit(context, options.dryRun, (transaction) =>
    createObject(context, transaction, creation),
  );
  warnOf(call, stored);
  return objectAnswer(context, call, { status: 201, stored, format });
}

/** The decoded and judged body of a write to the call's resource. */
export async function decodedBody(
  context: ServerContext,
  call: Call,
  options: WriteOptions,
): Promise<Decoded> {
  const { resource, request } = call;
  const type = bodyType(request.headers['content-type'], resource.source.type === 'custom');
  const decoded = decodeBody(context, await readBody(request), type, expectedOf(resource));
  judgeFields(call, decoded, options.validation);
  return decoded;
}

/** Runs a write for good, or as a rehearsal whose result carries no revision (W16). */
export async function commit(
  context: ServerContext,
  dryRun: boolean,
  write: (transaction: Transaction) => Stored,
): Promise<Stored> {
  return dryRun ? context.store.rehearse(write) : context.store.transact(write);
}
