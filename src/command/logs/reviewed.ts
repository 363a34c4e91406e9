import type { JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { ApiError } from '#kube/status.ts';

/** Has the API server answer a review. Without an answer nothing is served. */
export async function reviewed(
  client: Pick<KubeClient, 'create'>,
  resource: Resource,
  review: JsonObject,
  signal: AbortSignal,
): Promise<KubeObject> {
  const outcome = await client.create(resource, review, signal).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    throw unanswered(503, `the API server does not answer: ${error.message}`);
  });
  if (outcome.type === 'ok') return outcome.object;
  const remedy = outcome.type === 'forbidden' ? '; run: boathook access | kubectl apply -f -' : '';
  throw unanswered(500, `the controller may not create ${resource.plural}: ${outcome.message}${remedy}`);
}

const unanswered = (code: 500 | 503, why: string): ApiError =>
  new ApiError({
    code,
    reason: code === 503 ? 'ServiceUnavailable' : 'InternalError',
    message: `the reader of the log cannot be checked, because ${why}`,
  });
