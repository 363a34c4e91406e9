import type { JsonObject } from '#base/json.ts';
import type { ApiResponse } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import { notFound } from '#kube/status.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { keyOf, nameOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { view } from '#embedded/server/request/encode.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { commit } from '#embedded/server/verbs/create.ts';
import { missing } from '#embedded/server/verbs/get.ts';
import { patchOptions } from '#embedded/server/verbs/patch.ts';
import { decodeBody } from '#embedded/server/write/decode.ts';
import { expectedKind } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { applyPatch, checkBuiltin, parsePatch } from '#embedded/server/write/patched.ts';
import { patchType } from '#embedded/server/write/patch-type.ts';
import { readBody, readText } from '#embedded/server/write/read-body.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import { writeOptions, type WriteRequestOptions } from '#embedded/server/write/write-options.ts';
import { applyScale } from './apply-scale.ts';
import { checkScale, scaleAnswer } from './scale-answer.ts';
import { scaleViewOf } from './scale-view.ts';

const expected = expectedKind('autoscaling', 'v1', 'Scale');

/** GET, PUT and PATCH of `…/scale`. */
export async function scale(context: ServerContext, call: Call): Promise<ApiResponse> {
  switch (call.request.method) {
    case 'GET':
      return scaleAnswer(context, call, getScale(context, call));
    case 'PUT':
      return putScale(context, call);
    default:
      return patchScale(context, call);
  }
}

function getScale(context: ServerContext, call: Call): JsonObject {
  const { resource } = call;
  const stored = context.store.table(resource.storage).get(keyOf(call));
  if (stored === undefined) {
    const name = resource.source.type === 'custom' ? resource.plural : `${resource.plural}/scale`;
    throw notFound({ group: resource.group, resource: name }, nameOf(call));
  }
  return scaleViewOf(resource).read(view(resource, stored).object);
}

async function putScale(context: ServerContext, call: Call): Promise<ApiResponse> {
  const options = writeOptions(call, 'UpdateOptions');
  const type = bodyType(call.request.headers['content-type'], false);
  const { object } = decodeBody(context, await readBody(call.request), type, expected);
  return change(context, call, options, () => object);
}

async function patchScale(context: ServerContext, call: Call): Promise<ApiResponse> {
  const type = patchType(call.request.headers['content-type'], call.resource);
  const options = patchOptions(call, type);
  if (type === 'apply') return applyScale(context, call, options);
  const parsed = parsePatch(type, await readText(call.request));
  const shape = shapeOfType(expected.typeName ?? '');
  return change(context, call, options, (current) =>
    checkBuiltin(parsed, expected, applyPatch(parsed, shape, current)),
  );
}

async function change(
  context: ServerContext,
  call: Call,
  options: WriteRequestOptions,
  next: (current: KubeObject) => KubeObject,
): Promise<ApiResponse> {
  const { resource } = call;
  const scales = scaleViewOf(resource);
  const write = (transaction: Transaction): Stored => {
    const stored = transaction.get(resource.storage, keyOf(call));
    if (stored === undefined) throw missing(call);
    const rescaled = (live: KubeObject): KubeObject => {
      const wanted = next(scales.toChange(live));
      checkScale(call, wanted);
      return scales.write(live, wanted);
    };
    return updateObject(context, transaction, {
      resource,
      stored,
      next: rescaled,
      subresource: 'scale',
      manager: options.manager,
      needsRevision: false,
    });
  };
  const stored = await commit(context, options.dryRun, write);
  return scaleAnswer(context, call, scales.read(view(resource, stored).object));
}
