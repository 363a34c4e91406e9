import type { PolicyRule } from './policy-rule.ts';
import type { User } from '#kube/user.ts';

/** A list of texts as Go quotes it. */
const quotedList = (list: readonly string[]): string =>
  `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;

/** Rules about the same resource (and at most one name of it) as one rule with all their verbs. */
export function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const simple = new Map<string, PolicyRule>();
  const rest: PolicyRule[] = [];
  for (const rule of rules) {
    const key = simpleKey(rule);
    if (key === undefined) rest.push(rule);
    else
      simple.set(key, {
        ...rule,
        verbs: [...new Set([...(simple.get(key)?.verbs ?? []), ...rule.verbs])],
      });
  }
  return [...rest, ...simple.values()];
}

function simpleKey({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string | undefined {
  const isSimple =
    apiGroups.length === 1 &&
    resources.length === 1 &&
    resourceNames.length <= 1 &&
    nonResourceURLs.length === 0;
  return isSimple ? JSON.stringify([apiGroups, resources, resourceNames]) : undefined;
}

const parts = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

export const ruleText = (rule: PolicyRule): string =>
  `{${parts
    .filter(([, key]) => rule[key].length > 0)
    .map(([title, key]) => `${title}:${quotedList(rule[key])}`)
    .join(', ')}}`;

/** Why a user may not hand out rights: the ones that the user lacks, and what could not be looked up. */
export function escalationText(
  user: User,
  missing: readonly PolicyRule[],
  errors: readonly string[],
): string {
  const lines = [...new Set(compact(missing).map(ruleText))].sort().join('\n');
  const lost = errors.length === 0 ? '' : `; resolution errors: [${errors.join(' ')}]`;
  return `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines}${lost}`;
}
