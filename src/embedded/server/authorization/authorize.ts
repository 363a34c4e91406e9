import type { Attributes } from '#embedded/server/rbac/attributes.ts';
import type { User } from '#kube/user.ts';
import { accessDenied, reasonOf } from '#embedded/server/rbac/verdict.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';

/** Throws a 403 if the user may not do this. */
export function authorize(authorizer: Authorizer, user: User, attributes: Attributes): void {
  const verdict = authorizer.check(user, attributes);
  if (verdict.type === 'denied') throw accessDenied(user, attributes, reasonOf(verdict));
}
