import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Attributes } from '#embedded/server/rbac/attributes.ts';
import type { PolicyRule } from '#embedded/server/rbac/policy-rule.ts';
import type { HeldRules } from '#embedded/server/rbac/rbac-index.ts';
import type { User } from '#kube/user.ts';
import { reasonOf } from '#embedded/server/rbac/verdict.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';

export const isAccessReview = (kind: string): boolean => kind.endsWith('SubjectAccessReview');

/** Whether a user may do something: the caller, unless the review names another. */
export function accessStatus(authorizer: Authorizer, caller: User, review: JsonObject): JsonObject {
  const spec = objectAt(review, 'spec') ?? {};
  const user = review['kind'] === 'SelfSubjectAccessReview' ? caller : subjectOf(spec);
  const verdict = authorizer.check(user, attributesOf(spec));
  const reason = reasonOf(verdict);
  return { allowed: verdict.type === 'allowed', ...(reason === '' ? {} : { reason }) };
}

function subjectOf(spec: JsonObject): User {
  const extra = objectAt(spec, 'extra') ?? {};
  const texts = (value: JsonObject, key: string): readonly string[] =>
    listAt(value, key).filter((each) => typeof each === 'string');
  return {
    name: textAt(spec, 'user') ?? '',
    uid: textAt(spec, 'uid') ?? '',
    groups: texts(spec, 'groups'),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, texts(extra, key)])),
  };
}

function attributesOf(spec: JsonObject): Attributes {
  const path = spec['nonResourceAttributes'];
  if (isObject(path)) {
    return { type: 'path', verb: textAt(path, 'verb') ?? '', path: textAt(path, 'path') ?? '' };
  }
  const text = (key: string): string => textAt(spec, 'resourceAttributes', key) ?? '';
  return {
    type: 'resource',
    verb: text('verb'),
    group: text('group'),
    resource: text('resource'),
    subresource: text('subresource'),
    name: text('name'),
    namespace: text('namespace'),
  };
}

/** All rules of a user in a namespace. */
export function rulesStatus({ rules, errors }: HeldRules): JsonObject {
  return {
    resourceRules: rules.filter((rule) => rule.resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: errors.join(', ') }),
  };
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
