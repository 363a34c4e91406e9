import type { KubeObject } from '#kube/object.ts';
import { masters } from '#kube/user.ts';
import type { Call } from '#embedded/server/request/call.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';
import { authorize } from './authorize.ts';
import { checkEscalation } from './escalation.ts';

/**
 * A call whose writes ask what only the object tells: whether a PUT or an apply that creates may create, and
 * whether a role or binding hands out more than the user holds. The rules ask before anything is validated.
 */
export function guarded(authorizer: Authorizer, call: Call): Call {
  const { user, resource, request } = call;
  if (authorizer.mode === 'allow' || user.groups.includes(masters)) return call;
  if (request.method === 'GET' || request.method === 'DELETE') return call;
  const { rules } = resource;
  const prepareCreate = (object: KubeObject): KubeObject => {
    if (request.method !== 'POST') checkCreate(authorizer, call);
    checkEscalation(authorizer, call, object, undefined);
    return rules.prepareCreate?.(object) ?? object;
  };
  const prepareUpdate = (object: KubeObject, old: KubeObject): KubeObject => {
    checkEscalation(authorizer, call, object, old);
    return rules.prepareUpdate?.(object, old) ?? object;
  };
  return { ...call, resource: { ...resource, rules: { ...rules, prepareCreate, prepareUpdate } } };
}

function checkCreate(authorizer: Authorizer, { user, resource, target }: Call): void {
  const { name = '', namespace = '' } = target;
  const { group, plural } = resource;
  const place = { group, resource: plural, subresource: '', name, namespace };
  authorize(authorizer, user, { type: 'resource', verb: 'create', ...place });
}
