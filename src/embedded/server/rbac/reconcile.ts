import { equalJson, isObject, listAt, type Json } from '#base/json.ts';
import { annotationsOf, labelsOf, withMeta, type KubeObject } from '#kube/object.ts';
import { autoUpdate } from './bootstrap-roles.ts';
import { uncovered } from './covers.ts';
import { ruleJson, rulesOf } from './policy-rule.ts';
import { compact } from './rule-text.ts';

const isProtected = (stored: KubeObject): boolean => annotationsOf(stored)[autoUpdate] === 'false';

/** The stored role with every right that the wanted one has; what it has beyond stays. */
export function reconciledRole(stored: KubeObject, wanted: KubeObject): KubeObject {
  if (isProtected(stored)) return stored;
  const marked = withMarks(stored, wanted);
  if (isObject(wanted['aggregationRule'])) return withSelectors(marked, wanted);
  const missing = compact(uncovered(rulesOf(stored), rulesOf(wanted)));
  if (missing.length === 0) return marked;
  return { ...marked, rules: [...listAt(stored, 'rules'), ...missing.map(ruleJson)] };
}

/** The stored binding with every subject of the wanted one. A binding to another role is left alone. */
export function reconciledBinding(stored: KubeObject, wanted: KubeObject): KubeObject {
  if (isProtected(stored) || !equalJson(stored['roleRef'], wanted['roleRef'])) return stored;
  const subjects = joined(listAt(stored, 'subjects'), listAt(wanted, 'subjects'));
  const marked = withMarks(stored, wanted);
  return subjects.length === listAt(stored, 'subjects').length ? marked : { ...marked, subjects };
}

function withSelectors(stored: KubeObject, wanted: KubeObject): KubeObject {
  const path = ['aggregationRule', 'clusterRoleSelectors'] as const;
  const selectors = joined(listAt(stored, ...path), listAt(wanted, ...path));
  if (selectors.length === listAt(stored, ...path).length) return stored;
  return { ...stored, aggregationRule: { clusterRoleSelectors: selectors } };
}

/** Missing labels and annotations; other values stay. */
function withMarks(stored: KubeObject, wanted: KubeObject): KubeObject {
  const labels = { ...labelsOf(wanted), ...labelsOf(stored) };
  const annotations = { ...annotationsOf(wanted), ...annotationsOf(stored) };
  if (equalJson(labels, labelsOf(stored)) && equalJson(annotations, annotationsOf(stored))) return stored;
  return withMeta(stored, { labels, annotations });
}

const joined = (stored: readonly Json[], wanted: readonly Json[]): readonly Json[] => [
  ...stored,
  ...wanted.filter((each) => !stored.some((known) => equalJson(known, each))),
];
