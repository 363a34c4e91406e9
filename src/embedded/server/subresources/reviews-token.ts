import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { User } from '#kube/user.ts';
import { badRequest } from '#kube/status.ts';
import { ownAudiences } from '#embedded/server/authorization/authenticate.ts';
import type { AccessControl } from '#embedded/server/rbac/access.ts';

/** Whose the token of a TokenReview is. */
export function tokenStatus({ knowToken }: AccessControl, review: JsonObject): JsonObject {
  const token = textAt(review, 'spec', 'token') ?? '';
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const wanted = listAt(review, 'spec', 'audiences').filter((each) => typeof each === 'string');
  const known = knowToken(token, wanted.length === 0 ? ownAudiences : wanted);
  if (known === undefined) return { user: {}, error: 'invalid bearer token' };
  return { authenticated: true, user: userInfo(known.user), audiences: known.audiences };
}

export const userInfo = (user: User): JsonObject => ({
  username: user.name,
  ...(user.uid === '' ? {} : { uid: user.uid }),
  groups: user.groups,
  ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
});
