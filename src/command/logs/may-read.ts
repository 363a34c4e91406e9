import { at, textAt, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { ApiError } from '#kube/status.ts';
import type { LogReader } from './reader.ts';
import { reviewed } from './reviewed.ts';

const accessReviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

type Reviewing = { readonly client: Pick<KubeClient, 'create'>; readonly signal: AbortSignal };

/** Whether the API server lets this reader do something; if not, why. */
async function verdict(
  { client, signal }: Reviewing,
  { user, uid, groups, extra }: LogReader,
  resourceAttributes: JsonObject,
): Promise<{ readonly isAllowed: boolean; readonly reason: string }> {
  const spec = { user, groups, extra, ...(uid === '' ? {} : { uid }), resourceAttributes };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const status = at(await reviewed(client, accessReviews, review, signal), 'status');
  const isAllowed = at(status, 'allowed') === true && at(status, 'denied') !== true;
  return { isAllowed, reason: textAt(status, 'reason') ?? '' };
}

/** Throws unless the reader may `get` the subresource `log` of the object. */
export async function mustReadLog(
  reviewing: Reviewing,
  reader: LogReader,
  { group, version, plural }: Resource,
  name: string,
): Promise<void> {
  const attributes = { verb: 'get', group, version, resource: plural, subresource: 'log', name };
  const { isAllowed, reason } = await verdict(reviewing, reader, attributes);
  if (isAllowed) return;
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${plural}.${group} "${name}" is forbidden: User "${reader.user}" cannot get resource "${plural}/log" in API group "${group}" at the cluster scope${reason === '' ? '' : `: ${reason}`}`,
    details: { name, group, kind: plural },
  });
}

/** Throws unless the reader may act as a user, a group or a ServiceAccount. */
export async function mustImpersonate(
  reviewing: Reviewing,
  reader: LogReader,
  { resource, name, namespace = '' }: ImpersonatedPart,
): Promise<void> {
  const attributes = { verb: 'impersonate', group: '', version: 'v1', resource, name, namespace };
  const { isAllowed, reason } = await verdict(reviewing, reader, attributes);
  if (isAllowed) return;
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${resource} "${name}" is forbidden: User "${reader.user}" cannot impersonate resource "${resource}" in API group ""${reason === '' ? '' : `: ${reason}`}`,
  });
}

/** A part of an identity that is impersonated. */
export type ImpersonatedPart = {
  readonly resource: 'users' | 'groups' | 'serviceaccounts';
  readonly name: string;
  readonly namespace?: string;
};
