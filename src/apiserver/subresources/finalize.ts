import { listAt, objectAt } from '#base/json.ts';
import type { ApiResponse } from '#kube/http.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { namespaceFinalizeRules } from '#kube/rules/namespace.ts';
import { keyOf, type Call, type ServerContext } from '#apiserver/call.ts';
import { objectFormat } from '#apiserver/negotiate.ts';
import type { Stored } from '#apiserver/store/stored.ts';
import type { Transaction } from '#apiserver/store/store.ts';
import { commit, decodedBody } from '#apiserver/verbs/create.ts';
import { missing, objectAnswer } from '#apiserver/verbs/get.ts';
import { checkPlace } from '#apiserver/verbs/update.ts';
import { updateObject } from '#apiserver/write/update-object.ts';
import { writeOptions } from '#apiserver/write/write-options.ts';

/** PUT of `namespaces/NAME/finalize`: only spec.finalizers is taken; the last one lets the namespace go. */
export async function finalize(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = writeOptions(call, 'UpdateOptions');
  const { object } = await decodedBody(context, call, options);
  checkPlace(call, object);
  const resource = { ...call.resource, rules: namespaceFinalizeRules };
  const next = (live: KubeObject): KubeObject => ({
    ...live,
    metadata: { ...metaOf(live), resourceVersion: metaOf(object)['resourceVersion'] ?? '' },
    spec: { ...objectAt(live, 'spec'), finalizers: listAt(object, 'spec', 'finalizers') },
  });
  const write = (transaction: Transaction): Stored => {
    const stored = transaction.get(resource.storage, keyOf(call));
    if (stored === undefined) throw missing(call);
    return updateObject(context, transaction, {
      resource,
      stored,
      next,
      subresource: 'finalize',
      manager: options.manager,
      needsRevision: true,
    });
  };
  const stored = await commit(context, options.dryRun, write);
  return objectAnswer(context, call, { status: 200, stored, format });
}
