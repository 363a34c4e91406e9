import { ApiError } from '#kube/status.ts';
import { combinedResource, type Attributes } from './attributes.ts';
import type { User } from '#kube/user.ts';

/** Whom a binding names. The namespace is that of a service account. */
export type BindingSubject = { readonly kind: string; readonly name: string; readonly namespace: string };

/** One subject of one binding: a way to the rules of a role. */
export type Grant = {
  /** `namespace/name` of a RoleBinding, `/name` of a ClusterRoleBinding. */
  readonly binding: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly subject: BindingSubject;
};

export type AccessDecision =
  /** `by` is undefined when no role was checked. */
  | { readonly type: 'allowed'; readonly by: Grant | undefined }
  /** `errors` are roles that could not be looked up. */
  | { readonly type: 'denied'; readonly errors: readonly string[] };

/** The `reason` of an access review; empty when there is none. */
export function reasonOf(verdict: AccessDecision): string {
  if (verdict.type === 'denied') {
    const { errors } = verdict;
    if (errors.length === 0) return '';
    return `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
  }
  return verdict.by === undefined ? '' : `RBAC: allowed by ${grantText(verdict.by)}`;
}

function grantText({ binding, roleKind, roleName, subject }: Grant): string {
  const [namespace = '', name = ''] = binding.split('/');
  const what = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  return `${what} of ${roleKind} "${roleName}" to ${subject.kind} ${JSON.stringify(who)}`;
}

/** The 403 of a request that nothing allows. */
export function accessDenied(user: User, attributes: Attributes, reason: string): ApiError {
  const why = `${cannot(user, attributes)}${reason === '' ? '' : `: ${reason}`}`;
  if (attributes.type === 'path') {
    return new ApiError({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}`, details: {} });
  }
  const { group, resource, name } = attributes;
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` "${name}"`}`;
  const message = `${what} is forbidden: ${why}`;
  return new ApiError({ code: 403, reason: 'Forbidden', message, details: { name, group, kind: resource } });
}

function cannot(user: User, attributes: Attributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  if (attributes.type === 'path') return `${who} path ${JSON.stringify(attributes.path)}`;
  const { group, namespace } = attributes;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${who} resource "${combinedResource(attributes)}" in API group "${group}" ${where}`;
}
