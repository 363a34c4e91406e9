import type { JsonObject } from '#base/json.ts';

/** A rule of a Role or ClusterRole. */
export type AccessRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
};

export const accessRule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
): AccessRule => ({ apiGroups: [group], resources, verbs });

/** One rule for each resource, with all of its verbs, in a fixed order. Only for rules without `resourceNames`. */
export function mergedRules(rules: readonly AccessRule[]): readonly (AccessRule & JsonObject)[] {
  const verbs = new Map<string, Set<string>>();
  for (const each of rules)
    for (const resource of each.resources) {
      const key = `${each.apiGroups[0]}/${resource}`;
      verbs.set(key, new Set([...(verbs.get(key) ?? []), ...each.verbs]));
    }
  return [...verbs]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, allowed]) => {
      const slash = key.indexOf('/');
      return {
        apiGroups: [key.slice(0, slash)],
        resources: [key.slice(slash + 1)],
        verbs: [...allowed].toSorted(),
      };
    });
}
