import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { Attributes } from './attributes.ts';
import { allows, rulesOf, type PolicyRule } from './policy-rule.ts';
import { accountUserName, masters, type User } from '#kube/user.ts';
import type { Grant, AccessDecision } from './verdict.ts';

/** Grants of one namespace, or of the cluster, by whom they name. */
type Scope = { readonly users: Map<string, Set<Grant>>; readonly groups: Map<string, Set<Grant>> };

/** What a user holds in a place, and which roles could not be looked up. */
export type HeldRules = { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] };

const allowedToMasters: AccessDecision = { type: 'allowed', by: undefined };

/**
 * Roles and bindings, kept so that a question costs a few look-ups: grants are found by the names of the user
 * and its groups, roles by their key. Keys are those of the store: `namespace/name`, or `/name`.
 */
export class RbacIndex {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #scopes = new Map<string, Scope>();
  readonly #byBinding = new Map<string, readonly Grant[]>();

  /** A Role or ClusterRole as it is now; undefined when it is gone. */
  setRole(key: string, role: JsonObject | undefined): void {
    if (role === undefined) this.#roles.delete(key);
    else this.#roles.set(key, rulesOf(role));
  }

  /** A RoleBinding or ClusterRoleBinding as it is now; undefined when it is gone. */
  setBinding(key: string, binding: JsonObject | undefined): void {
    const namespace = namespaceOf(key);
    for (const grant of this.#byBinding.get(key) ?? []) this.#remove(namespace, grant);
    this.#byBinding.delete(key);
    if (binding === undefined) return;
    const grants = grantsOf(key, binding);
    this.#byBinding.set(key, grants);
    for (const grant of grants) this.#add(namespace, grant);
  }

  check(user: User, attributes: Attributes): AccessDecision {
    if (user.groups.includes(masters)) return allowedToMasters;
    const errors = new Set<string>();
    const namespace = attributes.type === 'resource' ? attributes.namespace : '';
    for (const grant of this.#grantsTo(user, namespace)) {
      const rules = this.#rulesBehind(grant);
      if (rules === undefined) errors.add(missingRole(grant));
      else if (rules.some((rule) => allows(rule, attributes))) return { type: 'allowed', by: grant };
    }
    return { type: 'denied', errors: [...errors] };
  }

  /** Everything a user may do in a namespace, the whole cluster's rules included. */
  rulesFor(user: User, namespace: string): HeldRules {
    const grants = [...this.#grantsTo(user, namespace)];
    const errors = grants.filter((grant) => this.#rulesBehind(grant) === undefined).map(missingRole);
    return {
      rules: grants.flatMap((grant) => this.#rulesBehind(grant) ?? []),
      errors: [...new Set(errors)],
    };
  }

  /** The rules of a role that a binding in `namespace` refers to; undefined when there is none. */
  roleRules(namespace: string, roleKind: string, roleName: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKind === 'ClusterRole' ? `/${roleName}` : `${namespace}/${roleName}`);
  }

  #rulesBehind({ binding, roleKind, roleName }: Grant): readonly PolicyRule[] | undefined {
    return this.roleRules(namespaceOf(binding), roleKind, roleName);
  }

  *#grantsTo(user: User, namespace: string): Generator<Grant> {
    for (const place of namespace === '' ? [''] : ['', namespace]) {
      const scope = this.#scopes.get(place);
      if (scope === undefined) continue;
      yield* scope.users.get(user.name) ?? [];
      for (const group of user.groups) yield* scope.groups.get(group) ?? [];
    }
  }

  #add(namespace: string, grant: Grant): void {
    const scope: Scope = this.#scopes.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#scopes.set(namespace, scope);
    const { names, name } = listed(scope, grant);
    const grants = names.get(name) ?? new Set();
    names.set(name, grants);
    grants.add(grant);
  }

  #remove(namespace: string, grant: Grant): void {
    const scope = this.#scopes.get(namespace);
    if (scope === undefined) return;
    const { names, name } = listed(scope, grant);
    const grants = names.get(name);
    grants?.delete(grant);
    if (grants?.size === 0) names.delete(name);
    if (scope.users.size === 0 && scope.groups.size === 0) this.#scopes.delete(namespace);
  }
}

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** Where a grant is listed: service accounts are users with a name of their own. */
function listed(
  { users, groups }: Scope,
  { subject }: Grant,
): { names: Map<string, Set<Grant>>; name: string } {
  if (subject.kind === 'Group') return { names: groups, name: subject.name };
  if (subject.kind === 'User') return { names: users, name: subject.name };
  return { names: users, name: accountUserName(subject.namespace, subject.name) };
}

const kinds = new Set(['User', 'Group', 'ServiceAccount']);

function grantsOf(key: string, binding: JsonObject): readonly Grant[] {
  const roleKind = textAt(binding, 'roleRef', 'kind') ?? '';
  const roleName = textAt(binding, 'roleRef', 'name') ?? '';
  return listAt(binding, 'subjects').flatMap((subject) => {
    const kind = textAt(subject, 'kind') ?? '';
    const name = textAt(subject, 'name') ?? '';
    if (!kinds.has(kind)) return [];
    const namespace = textAt(subject, 'namespace') || namespaceOf(key);
    return [{ binding: key, roleKind, roleName, subject: { kind, name, namespace } }];
  });
}

export const missingRole = ({ roleKind, roleName }: Pick<Grant, 'roleKind' | 'roleName'>): string =>
  `${roleKind.toLowerCase()}.rbac.authorization.k8s.io "${roleName}" not found`;
