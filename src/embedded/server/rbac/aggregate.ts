import { equalJson, listAt, objectAt, type Json } from '#base/json.ts';
import { labelSelectorOf, matchesLabels, SelectorError, type LabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';

export const isAggregated = (role: KubeObject): boolean => objectAt(role, 'aggregationRule') !== undefined;

/** The rules that an aggregated ClusterRole gathers from the others, each once, in the order of their names. */
export function aggregatedRules(role: KubeObject, others: readonly KubeObject[]): readonly Json[] {
  const rules: Json[] = [];
  for (const selector of listAt(role, 'aggregationRule', 'clusterRoleSelectors').flatMap(readable)) {
    const chosen = others
      .filter((each) => nameOf(each) !== nameOf(role) && matchesLabels(selector, labelsOf(each)))
      .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    for (const rule of chosen.flatMap((each) => listAt(each, 'rules'))) {
      if (!rules.some((known) => equalJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

/** An invalid selector selects nothing. */
function readable(selector: Json): readonly LabelSelector[] {
  try {
    return [labelSelectorOf(selector)];
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}

/**
 * The aggregated roles whose rules must change. One that is itself gathered by another is settled first, so
 * the answer is complete; roles that gather each other in a circle are settled after as many rounds as there
 * are roles.
 */
export function staleAggregates(roles: readonly KubeObject[]): readonly KubeObject[] {
  const current = new Map(roles.map((role) => [nameOf(role), role]));
  const gatherers = roles.filter(isAggregated).map(nameOf);
  const stale = new Set<string>();
  for (let round = 0; round < gatherers.length; round += 1) {
    const changed = gatherers.filter((name) => refresh(current, name));
    if (changed.length === 0) break;
    for (const name of changed) stale.add(name);
  }
  const before = new Map(roles.map((role) => [nameOf(role), role]));
  return [...current.values()]
    .filter((role) => stale.has(nameOf(role)))
    .filter((role) => !equalJson(listAt(before.get(nameOf(role)), 'rules'), listAt(role, 'rules')));
}

function refresh(current: Map<string, KubeObject>, name: string): boolean {
  const role = current.get(name);
  if (role === undefined) return false;
  const rules = aggregatedRules(role, [...current.values()]);
  if (equalJson(rules, listAt(role, 'rules'))) return false;
  current.set(name, { ...role, rules });
  return true;
}
