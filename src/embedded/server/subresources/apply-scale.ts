import { applyScale as applyOwned } from '#embedded/server/managed-fields/scale.ts';
import type { ApiResponse } from '#kube/http.ts';
import { apiVersionOf, kindOf, metaOf, type KubeObject } from '#kube/object.ts';
import { badRequest } from '#kube/status.ts';
import { keyOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { view } from '#embedded/server/request/encode.ts';
import { flag } from '#embedded/server/request/request-options.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { appliedBody } from '#embedded/server/verbs/apply.ts';
import { commit } from '#embedded/server/verbs/create.ts';
import { missing } from '#embedded/server/verbs/get.ts';
import { unwritten, zeroOf } from '#embedded/server/write/ownership.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import type { WriteRequestOptions } from '#embedded/server/write/write-options.ts';
import { checkScale, scaleAnswer } from './scale-answer.ts';
import { scaleViewOf } from './scale-view.ts';

/** Server-side apply to `…/scale`: the manager owns the replicas of the scaled object. */
export async function applyScale(
  context: ServerContext,
  call: Call,
  options: WriteRequestOptions,
): Promise<ApiResponse> {
  const { resource } = call;
  const applied = await appliedBody(context, call);
  if (apiVersionOf(applied) !== 'autoscaling/v1' || kindOf(applied) !== 'Scale') {
    throw badRequest(`invalid object type: ${apiVersionOf(applied) || '/'}, Kind=${kindOf(applied)}`);
  }
  checkScale(call, applied);
  const scales = scaleViewOf(resource);
  const write = (transaction: Transaction): Stored => {
    const stored = transaction.get(resource.storage, keyOf(call));
    if (stored === undefined) throw missing(call);
    const next = (live: KubeObject): KubeObject => {
      const { name, namespace } = metaOf(live);
      const identity = { name: name ?? '', ...(namespace === undefined ? {} : { namespace }) };
      const bare: KubeObject = { apiVersion: resource.apiVersion, kind: resource.kind, metadata: identity };
      return applyOwned({
        shape: resource.shape(),
        live,
        applied: withoutRevision(scales.write(bare, applied)),
        manager: options.manager,
        force: flag(call.query, 'force'),
        apiVersion: resource.apiVersion,
        now: context.clock.now(),
        zero: zeroOf(resource),
        ignore: unwritten(resource, 'scale'),
      }).object;
    };
    const track = (shaped: KubeObject): KubeObject => shaped;
    const { manager } = options;
    return updateObject(context, transaction, {
      resource,
      stored,
      next,
      subresource: 'scale',
      manager,
      needsRevision: false,
      track,
    });
  };
  const stored = await commit(context, options.dryRun, write);
  return scaleAnswer(context, call, scales.read(view(resource, stored).object));
}

function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _revision, ...metadata } = metaOf(object);
  return { ...object, metadata };
}
