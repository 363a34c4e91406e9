import { equalJson, textAt, without, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { metaOf, nameOf } from '#kube/object.ts';
import { isAggregated } from '#embedded/server/rbac/aggregate.ts';
import { uncovered } from '#embedded/server/rbac/covers.ts';
import { fullAuthority, rulesOf, type PolicyRule } from '#embedded/server/rbac/policy-rule.ts';
import { missingRole } from '#embedded/server/rbac/rbac-index.ts';
import { escalationText } from '#embedded/server/rbac/rule-text.ts';
import type { User } from '#kube/user.ts';
import { ApiError, forbiddenAccess } from '#kube/status.ts';
import type { WriteAttempt } from '#embedded/server/request/call.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';
import { rbacGroup } from './authorizer.ts';

/** The user who writes a role or binding, and its name in the URL. */
type Writing = {
  readonly authorizer: Authorizer;
  readonly user: User;
  readonly resource: ApiResource;
  readonly name: string;
  readonly namespace: string;
};

/** Refuses a role or binding that grants permissions that the user does not have. */
export function checkEscalation(
  authorizer: Authorizer,
  { user, resource, target }: WriteAttempt,
  object: KubeObject,
  old: KubeObject | undefined,
): void {
  if (resource.group !== rbacGroup || (old !== undefined && onlyLetsGo(object, old))) return;
  const { name = '', namespace = '' } = target;
  const writing: Writing = { authorizer, user, resource, name, namespace };
  if (resource.plural.endsWith('bindings')) checkBinding(writing, object);
  else checkRole(writing, object, old);
}

/** The garbage collector may change metadata of roles whose permissions it does not have. */
function onlyLetsGo(object: KubeObject, old: KubeObject): boolean {
  const bare = (each: KubeObject): JsonObject => ({
    ...each,
    metadata: ['ownerReferences', 'finalizers', 'managedFields', 'resourceVersion'].reduce(
      (meta, key) => without(meta, key),
      metaOf(each),
    ),
  });
  return !equalJson(metaOf(object), metaOf(old)) && equalJson(bare(object), bare(old));
}

function checkRole(writing: Writing, role: KubeObject, old: KubeObject | undefined): void {
  const { authorizer, user, resource, name, namespace } = writing;
  const { group, plural } = resource;
  const escalate = { verb: 'escalate', group, resource: plural, subresource: '', name, namespace };
  if (authorizer.check(user, { type: 'resource', ...escalate }).type === 'allowed') return;
  checkHeld(writing, role, rulesOf(role));
  if (!isAggregated(role) && (old === undefined || !isAggregated(old))) return;
  if (uncovered(authorizer.rulesFor(user, '').rules, fullAuthority).length === 0) return;
  throw refused(writing, role, 'must have cluster-admin privileges to use the aggregationRule');
}

const rolePlurals: Readonly<Record<string, string>> = { Role: 'roles', ClusterRole: 'clusterroles' };

function checkBinding(writing: Writing, binding: KubeObject): void {
  const { authorizer, user, namespace } = writing;
  const roleKind = textAt(binding, 'roleRef', 'kind') ?? '';
  const roleName = textAt(binding, 'roleRef', 'name') ?? '';
  const resource = rolePlurals[roleKind];
  // Validation refuses an invalid reference.
  if (resource === undefined || roleName === '') return;
  const bind = { verb: 'bind', group: rbacGroup, resource, subresource: '', name: roleName, namespace };
  if (authorizer.check(user, { type: 'resource', ...bind }).type === 'allowed') return;
  const rules = authorizer.roleRules(namespace, roleKind, roleName);
  if (rules === undefined) throw unknownRole(roleKind, roleName);
  checkHeld(writing, binding, rules);
}

function checkHeld(writing: Writing, object: KubeObject, rules: readonly PolicyRule[]): void {
  const { authorizer, user, namespace } = writing;
  const held = authorizer.rulesFor(user, namespace);
  const missing = uncovered(held.rules, rules);
  if (missing.length > 0) throw refused(writing, object, escalationText(user, missing, held.errors));
}

const refused = ({ resource }: Writing, object: KubeObject, why: string): ApiError =>
  forbiddenAccess({ group: rbacGroup, resource: resource.plural }, nameOf(object), why);

const unknownRole = (roleKind: string, roleName: string): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: missingRole({ roleKind, roleName }),
    details: { name: roleName, group: rbacGroup, kind: roleKind.toLowerCase() },
  });
