import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { labelsOf, nameOf, stringMap, type KubeObject } from '#kube/object.ts';

export type NodeFit = { readonly shouldRun: boolean; readonly mayStay: boolean };

/** Whether a daemon's pod belongs on a node, and whether one that is there may stay. */
export function nodeFit(podSpec: JsonObject, node: KubeObject): NodeFit {
  const wishedNode = textAt(podSpec, 'nodeName') ?? '';
  const isWished = wishedNode === '' || wishedNode === nameOf(node);
  if (!isWished || !selectsNode(podSpec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = listAt(podSpec, 'tolerations');
  const hurting = listAt(node, 'spec', 'taints').filter(
    (taint) => !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
  const has = (...effects: readonly string[]): boolean =>
    hurting.some((taint) => effects.includes(textAt(taint, 'effect') ?? ''));
  return { shouldRun: !has('NoSchedule', 'NoExecute'), mayStay: !has('NoExecute') };
}

function tolerates(toleration: Json, taint: Json): boolean {
  const effect = textAt(toleration, 'effect') ?? '';
  if (effect !== '' && effect !== textAt(taint, 'effect')) return false;
  const key = textAt(toleration, 'key') ?? '';
  if (key !== '' && key !== textAt(taint, 'key')) return false;
  if (textAt(toleration, 'operator') === 'Exists') return true;
  return key !== '' && (textAt(toleration, 'value') ?? '') === (textAt(taint, 'value') ?? '');
}

function selectsNode(podSpec: JsonObject, node: KubeObject): boolean {
  const labels = labelsOf(node);
  const selector = Object.entries(stringMap(objectAt(podSpec, 'nodeSelector')));
  if (!selector.every(([key, value]) => labels[key] === value)) return false;
  const required = objectAt(
    podSpec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  if (required === undefined) return true;
  return listAt(required, 'nodeSelectorTerms').some(
    (term) => isObject(term) && matchesTerm(term, node, labels),
  );
}

/** A term without any requirement matches nothing. */
function matchesTerm(term: JsonObject, node: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  const expressions = listAt(term, 'matchExpressions');
  const fields = listAt(term, 'matchFields');
  if (expressions.length === 0 && fields.length === 0) return false;
  const ofNode: Readonly<Record<string, string>> = { 'metadata.name': nameOf(node) };
  return expressions.every((each) => meets(each, labels)) && fields.every((each) => meets(each, ofNode));
}

function meets(requirement: Json, values: Readonly<Record<string, string>>): boolean {
  const value = values[textAt(requirement, 'key') ?? ''];
  const wanted = listAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && wanted.includes(value);
    case 'NotIn':
      return value === undefined || !wanted.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value ?? Number.NaN) > Number(wanted[0]);
    case 'Lt':
      return Number(value ?? Number.NaN) < Number(wanted[0]);
    default:
      return false;
  }
}
