import { namespaceOf as objectNamespace } from '#kube/object.ts';
import type { ApiResponse } from '#kube/http.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { namespaceOf } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { checkAhead } from '#embedded/server/write/check-ahead.ts';
import { createObject } from '#embedded/server/write/create-object.ts';
import { decodeBody, type DecodedBody } from '#embedded/server/write/decode.ts';
import { expectedOf } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { readBody } from '#embedded/server/write/read-body.ts';
import { judgeFields } from '#embedded/server/write/strictness.ts';
import { wrongNamespace } from '#embedded/server/write/update-object.ts';
import { writeOptions, writeParts, type WriteRequestOptions } from '#embedded/server/write/write-options.ts';
import { warnOf } from '#embedded/server/write/warn.ts';
import { objectAnswer } from './get.ts';

export async function create(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = writeOptions(call, 'CreateOptions');
  const { object } = await decodedBody(context, call, options);
  const given = objectNamespace(object);
  if (call.resource.namespaced && given !== '' && given !== namespaceOf(call)) throw wrongNamespace();
  const creation = { ...writeParts(call, options), object };
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
  options: WriteRequestOptions,
): Promise<DecodedBody> {
  const { resource, request } = call;
  const type = bodyType(request.headers['content-type'], resource.source.type === 'custom');
  const decoded = decodeBody(context, await readBody(request), type, expectedOf(resource));
  judgeFields(call, decoded, options.validation);
  return decoded;
}

/** Runs a write for good, or as a rehearsal whose result carries no revision. */
export async function commit(
  context: ServerContext,
  dryRun: boolean,
  write: (transaction: Transaction) => Stored,
): Promise<Stored> {
  return dryRun ? context.store.rehearse(write) : context.store.transact(write);
}
