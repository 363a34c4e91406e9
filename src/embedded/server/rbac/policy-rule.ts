import { listAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { combinedResource, type Attributes } from './attributes.ts';

/** One rule of a Role or ClusterRole; lists that were left out are empty. */
export type PolicyRule = {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
};

export const noRule: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** Every verb on everything: what only a cluster's administrator holds. */
export const fullAuthority: readonly PolicyRule[] = [
  { ...noRule, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...noRule, verbs: ['*'], nonResourceURLs: ['*'] },
];

const texts = (value: Json, key: string): readonly string[] =>
  listAt(value, key).filter((each) => typeof each === 'string');

/** The rules of a stored Role or ClusterRole. */
export const rulesOf = (role: JsonObject): readonly PolicyRule[] =>
  listAt(role, 'rules').map((rule) => ({
    verbs: texts(rule, 'verbs'),
    apiGroups: texts(rule, 'apiGroups'),
    resources: texts(rule, 'resources'),
    resourceNames: texts(rule, 'resourceNames'),
    nonResourceURLs: texts(rule, 'nonResourceURLs'),
  }));

const optional = ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;

/** A rule as it is written into a role. */
export function ruleJson(rule: PolicyRule): JsonObject {
  const json: MutableJsonObject = { verbs: rule.verbs };
  for (const key of optional) if (rule[key].length > 0) json[key] = rule[key];
  return json;
}

export function allows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!holds(rule.verbs, attributes.verb)) return false;
  if (attributes.type === 'path') return rule.nonResourceURLs.some((url) => matchesUrl(url, attributes.path));
  return (
    holds(rule.apiGroups, attributes.group) &&
    matchesResource(rule.resources, combinedResource(attributes), attributes.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/** `*` matches everything. */
export const holds = (list: readonly string[], value: string): boolean =>
  list.includes(value) || list.includes('*');

/** `*` for every resource and subresource, `*` and a subresource for that of every resource. */
export const matchesResource = (
  resources: readonly string[],
  combined: string,
  subresource: string,
): boolean => holds(resources, combined) || (subresource !== '' && resources.includes(`*/${subresource}`));

/** A star at the end matches any rest. */
export function matchesUrl(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}
