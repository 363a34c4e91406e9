import { equalJson, isArray, isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { withField } from '#base/json-edit.ts';

/** While a pod is gated, where it may run can still be narrowed. Answers the spec without what was narrowed. */
export function mutableWhileGated(spec: JsonObject, old: JsonObject, errors: FieldError[]): JsonObject {
  return narrowAffinity(narrowSelector(spec, old, errors), old, errors);
}

function narrowSelector(spec: JsonObject, old: JsonObject, errors: FieldError[]): JsonObject {
  const selector = objectAt(spec, 'nodeSelector') ?? {};
  const before = objectAt(old, 'nodeSelector') ?? {};
  if (equalJson(selector, before)) return spec;
  if (Object.keys(before).some((key) => selector[key] !== before[key])) {
    const text = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalid('spec.nodeSelector', selector, text));
  }
  return withField(spec, 'nodeSelector', old['nodeSelector']);
}

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';

function narrowAffinity(spec: JsonObject, old: JsonObject, errors: FieldError[]): JsonObject {
  const now = objectAt(spec, 'affinity', 'nodeAffinity');
  const before = objectAt(old, 'affinity', 'nodeAffinity');
  if (equalJson(now, before)) return spec;
  const terms = listAt(now, hard, 'nodeSelectorTerms');
  const oldTerms = listAt(before, hard, 'nodeSelectorTerms');
  if (oldTerms.length > 0) checkTerms(terms, oldTerms, errors);
  // Preferences may change freely; everything else of the affinity is compared as it is.
  return withField(spec, 'affinity', merged(spec, old, before));
}

function merged(spec: JsonObject, old: JsonObject, before: JsonObject | undefined): Json | undefined {
  const affinity = objectAt(spec, 'affinity');
  if (affinity === undefined) return old['affinity'];
  const rest = withField(affinity, 'nodeAffinity', before);
  return Object.keys(rest).length === 0 ? old['affinity'] : rest;
}

const path = `spec.affinity.nodeAffinity.${hard}`;

function checkTerms(terms: readonly Json[], old: readonly Json[], errors: FieldError[]): void {
  if (terms.length !== old.length) {
    const text = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    errors.push(invalid(`${path}.nodeSelectorTerms`, terms, text));
    return;
  }
  terms.forEach((term, i) => {
    const before = old[i];
    if (!isObject(term) || !isObject(before)) return;
    if (
      extendsList(term['matchExpressions'], before['matchExpressions']) &&
      extendsList(term['matchFields'], before['matchFields'])
    ) {
      return;
    }
    const text = 'only additions are allowed (no mutations or deletions)';
    errors.push(invalid(`${path}.nodeSelectorTerms[${i}]`, term, text));
  });
}

function extendsList(list: Json | undefined, old: Json | undefined): boolean {
  if (!isArray(old)) return true;
  return isArray(list) && old.every((each, i) => equalJson(each, list[i]));
}
