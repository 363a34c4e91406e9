import type { Attributes } from '#kube/rbac/attributes.ts';
import type { User } from '#kube/rbac/user.ts';
import { accessDenied, reasonOf } from '#kube/rbac/verdict.ts';
import type { Authorizer } from './access.ts';

/** Throws the 403 of what a user may not do. */
export function authorize(authorizer: Authorizer, user: User, attributes: Attributes): void {
  const verdict = authorizer.check(user, attributes);
  if (verdict.type === 'denied') throw accessDenied(user, attributes, reasonOf(verdict));
}
