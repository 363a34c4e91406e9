import { isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { matchesLabels, type Requirement } from '#kube/label-selector.ts';
import { stringMap, type KubeObject } from '#kube/object.ts';

/** Whether a node is one that the pod's nodeSelector and required node affinity allow. */
export function matchesAffinity(
  pod: KubeObject,
  node: { readonly name: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  const selector = stringMap(objectAt(pod, 'spec', 'nodeSelector'));
  for (const key in selector) if (node.labels[key] !== selector[key]) return false;
  const required = objectAt(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  if (required === undefined) return true;
  return listAt(required, 'nodeSelectorTerms')
    .filter(isObject)
    .some((term) => matchesTerm(term, node));
}

/** The score of a node by the pod's preferred node affinity. Undefined: it has none. */
export function preferenceOf(
  pod: KubeObject,
): ((node: Parameters<typeof matchesTerm>[1]) => number) | undefined {
  const affinity = objectAt(pod, 'spec', 'affinity', 'nodeAffinity');
  if (affinity === undefined) return undefined;
  const desiredAll = listAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map((each) => ({
    weight: numberAt(each, 'weight') ?? 1,
    term: objectAt(each, 'preference') ?? {},
  }));
  if (desiredAll.length === 0) return undefined;
  return (node) =>
    desiredAll.reduce((sum, { weight, term }) => sum + (matchesTerm(term, node) ? weight : 0), 0);
}

/** A term without requirements matches nothing. */
function matchesTerm(
  term: JsonObject,
  node: { readonly name: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  const expressions = requirements(term['matchExpressions']);
  const fields = requirements(term['matchFields']);
  if (expressions === undefined || fields === undefined) return false;
  if (expressions.length + fields.length === 0) return false;
  return matchesLabels(expressions, node.labels) && matchesLabels(fields, { 'metadata.name': node.name });
}

/** Undefined when one of them cannot be read: such a term matches nothing. */
function requirements(list: Json | undefined): readonly Requirement[] | undefined {
  const found: Requirement[] = [];
  for (const each of listAt({ list: list ?? [] }, 'list').filter(isObject)) {
    const requirement = requirementOf(each);
    if (requirement === undefined) return undefined;
    found.push(requirement);
  }
  return found;
}

function requirementOf(expression: JsonObject): Requirement | undefined {
  const key = textAt(expression, 'key') ?? '';
  const values = listAt(expression, 'values').filter((value) => typeof value === 'string');
  switch (expression['operator']) {
    case 'In':
      return { type: 'in', key, values: new Set(values) };
    case 'NotIn':
      return { type: 'notin', key, values: new Set(values) };
    case 'Exists':
      return { type: 'exists', key };
    case 'DoesNotExist':
      return { type: 'absent', key };
    case 'Gt':
    case 'Lt':
      return { type: expression['operator'] === 'Gt' ? 'above' : 'below', key, bound: Number(values[0]) };
    default:
      return undefined;
  }
}
