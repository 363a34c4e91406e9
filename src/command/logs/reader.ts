import { at, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { ApiRequest } from '#kube/http.ts';
import type { Resource } from '#kube/resource.ts';
import { ApiError } from '#kube/status.ts';
import { authenticated } from '#kube/user.ts';
import { reviewed } from './reviewed.ts';

/** Who wants to read a log, with the members that a SubjectAccessReview takes. */
export type LogReader = {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: JsonObject;
};

const tokenReviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  namespaced: false,
};

/** Longer than any token of Kubernetes. */
const longestToken = 64 * 1024;

/** The owner of the bearer token, as the API server knows it, or of the client certificate that TLS has verified. */
export async function readerOf(
  client: Pick<KubeClient, 'create'>,
  { headers, peer, signal }: Pick<ApiRequest, 'headers' | 'peer' | 'signal'>,
): Promise<LogReader> {
  const token = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (token !== undefined && token.length <= longestToken) return ownerOf(client, token, signal);
  const { certificate } = peer;
  if (certificate === undefined || headers['authorization'] !== undefined) throw unauthorized();
  return {
    user: certificate.user,
    uid: '',
    groups: [...new Set([...certificate.groups, authenticated])],
    extra: {},
  };
}

async function ownerOf(
  client: Pick<KubeClient, 'create'>,
  token: string,
  signal: AbortSignal,
): Promise<LogReader> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const status = at(await reviewed(client, tokenReviews, review, signal), 'status');
  const user = textAt(status, 'user', 'username') ?? '';
  if (at(status, 'authenticated') !== true || user === '') throw unauthorized();
  return {
    user,
    uid: textAt(status, 'user', 'uid') ?? '',
    groups: listAt(status, 'user', 'groups').filter((each) => typeof each === 'string'),
    extra: objectAt(status, 'user', 'extra') ?? {},
  };
}

const unauthorized = (): ApiError =>
  new ApiError({
    code: 401,
    reason: 'Unauthorized',
    message: 'send a bearer token or a client certificate that the API server of the cluster accepts',
  });
