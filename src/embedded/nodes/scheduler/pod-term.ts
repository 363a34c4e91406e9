import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { labelSelectorOf, matchesLabels, SelectorError, type LabelSelector } from '#kube/label-selector.ts';
import { labelsOf, namespaceOf, type KubeObject } from '#kube/object.ts';

type Labels = Readonly<Record<string, string>>;

/** Which pods a term selects, and the topology key that defines their domain. */
export type PodTerm = {
  /** Terms of equal ids select the same pods with the same topology key. */
  readonly id: string;
  readonly topologyKey: string;
  matches(pod: KubeObject): boolean;
};

/** One term of a pod's affinity, anti-affinity or spread, resolved for that pod. */
export function podTerm(
  pod: KubeObject,
  term: JsonObject,
  labelsOfNamespace: (namespace: string) => Labels,
): PodTerm {
  const topologyKey = textAt(term, 'topologyKey') ?? '';
  const selector = selectorFor(pod, term);
  const others = listAt(term, 'namespaces').filter((each) => typeof each === 'string');
  const bySelector = objectAt(term, 'namespaceSelector');
  const names = others.length === 0 && bySelector === undefined ? [namespaceOf(pod)] : others;
  const spaces = bySelector === undefined ? undefined : selectorOf(bySelector);
  const known = new Set(names);
  return {
    id: printJson([topologyKey, names, bySelector ?? null, term['labelSelector'] ?? null, keyed(pod, term)]),
    topologyKey,
    matches(other) {
      if (selector === undefined || !matchesLabels(selector, labelsOf(other))) return false;
      const namespace = namespaceOf(other);
      if (known.has(namespace)) return true;
      return spaces !== undefined && matchesLabels(spaces, labelsOfNamespace(namespace));
    },
  };
}

/** Undefined matches nothing: no selector at all, or one that cannot be read. */
function selectorFor(pod: KubeObject, term: JsonObject): LabelSelector | undefined {
  const selector = selectorOf(term['labelSelector']);
  if (selector === undefined) return undefined;
  const [same, other] = keyed(pod, term);
  return [
    ...selector,
    ...same.map(([key, value]) => ({ type: 'in', key, values: new Set([value]) }) as const),
    ...other.map(([key, value]) => ({ type: 'notin', key, values: new Set([value]) }) as const),
  ];
}

function selectorOf(selector: Json | undefined): LabelSelector | undefined {
  if (!isObject(selector)) return undefined;
  try {
    return labelSelectorOf(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

type Pairs = readonly (readonly [string, string])[];

/** The requirements of `matchLabelKeys` and `mismatchLabelKeys` for this pod. Missing labels are skipped. */
function keyed(pod: KubeObject, term: JsonObject): readonly [Pairs, Pairs] {
  const labels = labelsOf(pod);
  const pairs = (list: string): Pairs =>
    listAt(term, list).flatMap((key) => {
      const value = typeof key === 'string' ? labels[key] : undefined;
      return typeof key === 'string' && value !== undefined ? [[key, value] as const] : [];
    });
  return [pairs('matchLabelKeys'), pairs('mismatchLabelKeys')];
}
