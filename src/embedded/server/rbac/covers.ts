import { holds, matchesResource, matchesUrl, noRule, type PolicyRule } from './policy-rule.ts';

/** The parts of `wanted` that `held` does not cover, in the smallest steps. Empty: everything is covered. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(smallest).filter((step) => !held.some((rule) => coversStep(rule, step)));
}

/** A rule as rules of one verb on one resource of one group, or of one name of it. */
function smallest(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const steps: PolicyRule[] = [];
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const resourceNames of names) {
          steps.push({ ...noRule, apiGroups: [group], resources: [resource], verbs: [verb], resourceNames });
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) steps.push({ ...noRule, nonResourceURLs: [url], verbs: [verb] });
  }
  return steps;
}

function coversStep(rule: PolicyRule, step: PolicyRule): boolean {
  const [verb = ''] = step.verbs;
  if (!holds(rule.verbs, verb)) return false;
  const [url] = step.nonResourceURLs;
  if (url !== undefined) return rule.nonResourceURLs.some((pattern) => matchesUrl(pattern, url));
  const [group = ''] = step.apiGroups;
  const [resource = ''] = step.resources;
  const [name] = step.resourceNames;
  const subresource = resource.includes('/') ? resource.slice(resource.indexOf('/') + 1) : '';
  return (
    holds(rule.apiGroups, group) &&
    matchesResource(rule.resources, resource, subresource) &&
    (rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name)))
  );
}
