import { masters } from '#kube/user.ts';
import type { AuthorizeWrite, WriteAttempt } from '#embedded/server/request/call.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';
import { authorize } from './authorize.ts';
import { checkEscalation } from './escalation.ts';

/**
 * The second authorization step of a write, which needs the object: whether a PUT or an apply that creates may create,
 * and whether a role or binding grants rights that the user does not hold. The first step needs only the request.
 */
export function authorizeWrite(authorizer: Authorizer, attempt: WriteAttempt): AuthorizeWrite | undefined {
  const { user, resource, target, request } = attempt;
  if (authorizer.mode === 'allow' || user.groups.includes(masters)) return undefined;
  if (request.method === 'GET' || request.method === 'DELETE') return undefined;
  const { group, plural } = resource;
  const { name = '', namespace = '' } = target;
  return (object, old) => {
    if (old === undefined && request.method !== 'POST') {
      const place = { group, resource: plural, subresource: '', name, namespace };
      authorize(authorizer, user, { type: 'resource', verb: 'create', ...place });
    }
    checkEscalation(authorizer, attempt, object, old);
  };
}
