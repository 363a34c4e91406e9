import { fullAuthority } from '#embedded/server/rbac/policy-rule.ts';
import { RbacIndex } from '#embedded/server/rbac/rbac-index.ts';
import type { Store } from '#embedded/server/store/store.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';

export const allowAll: Authorizer = {
  mode: 'allow',
  check: () => ({ type: 'allowed', by: undefined }),
  rulesFor: () => ({ rules: fullAuthority, errors: [] }),
  roleRules: () => fullAuthority,
};

export const rbacGroup = 'rbac.authorization.k8s.io';
export const clusterRoles = `${rbacGroup}/clusterroles`;

const parts: Readonly<Record<string, 'setRole' | 'setBinding'>> = {
  [clusterRoles]: 'setRole',
  [`${rbacGroup}/roles`]: 'setRole',
  [`${rbacGroup}/clusterrolebindings`]: 'setBinding',
  [`${rbacGroup}/rolebindings`]: 'setBinding',
};

/** Decides by the roles and bindings of the store, as of its last commit. */
export function rbacAuthorizer(store: Store): Authorizer {
  const index = new RbacIndex();
  for (const [resource, set] of Object.entries(parts)) {
    for (const stored of store.table(resource).range(undefined)) index[set](stored.key, stored.object);
  }
  store.subscribe((changes) => {
    for (const { resource, type, after } of changes) {
      const set = parts[resource];
      if (set !== undefined) index[set](after.key, type === 'DELETED' ? undefined : after.object);
    }
  });
  return {
    mode: 'rbac',
    check: (user, attributes) => index.check(user, attributes),
    rulesFor: (user, namespace) => index.rulesFor(user, namespace),
    roleRules: (namespace, roleKind, roleName) => index.roleRules(namespace, roleKind, roleName),
  };
}
