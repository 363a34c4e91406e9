import { listAt, objectAt } from '#base/json.ts';
import type { ApiResponse } from '#kube/http.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { namespaceFinalizeRules } from '#embedded/kinds/rules/namespace.ts';
import { keyOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { commit, decodedBody } from '#embedded/server/verbs/create.ts';
import { missing, objectAnswer } from '#embedded/server/verbs/get.ts';
import { checkPlace } from '#embedded/server/verbs/update.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import { writeOptions } from '#embedded/server/write/write-options.ts';

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
