import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, required, type FieldError } from '#kube/field-error.ts';
import { checkLabelValue, checkQualifiedName } from '#kube/names.ts';
import { checkItems, complain, type ItemCheck } from './checks.ts';
import { textOf } from '#base/json-edit.ts';
import { checkLabels } from '#kube/metadata/metadata.ts';

/** A `{matchLabels, matchExpressions}`; absent is fine. */
export function checkLabelSelector(selector: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isObject(selector)) return;
  checkLabels(selector['matchLabels'], `${path}.matchLabels`, errors);
  checkItems(selector['matchExpressions'], `${path}.matchExpressions`, checkRequirement, errors);
}

const checkRequirement: ItemCheck = (requirement, path, errors) => {
  const values = isArray(requirement['values']) ? requirement['values'] : [];
  checkSelectorOperator(requirement, path, errors);
  values.forEach((value, i) => {
    complain(textOf(value), `${path}.values[${i}]`, checkLabelValue(textOf(value)), errors);
  });
};

/** The operator, the number of values that it needs, and the key. Node affinity also has `Gt` and `Lt`. */
export function checkSelectorOperator(
  requirement: JsonObject,
  path: string,
  errors: FieldError[],
  ofNodes = false,
): void {
  const operator = textOf(requirement['operator']);
  const values = isArray(requirement['values']) ? requirement['values'].length : 0;
  if (operator === 'In' || operator === 'NotIn') {
    if (values === 0)
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values > 0) errors.push(forbidden(`${path}.values`, text));
  } else if (ofNodes && (operator === 'Gt' || operator === 'Lt')) {
    const text = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values !== 1) errors.push(required(`${path}.values`, text));
  } else {
    const given = requirement['operator'] ?? '';
    errors.push(invalid(`${path}.operator`, given, 'not a valid selector operator'));
  }
  const key = textOf(requirement['key']);
  complain(key, `${path}.key`, checkQualifiedName(key), errors);
}

export const isEmptySelector = (selector: JsonObject): boolean =>
  count(selector['matchLabels']) === 0 && count(selector['matchExpressions']) === 0;

const count = (value: Json | undefined): number =>
  isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
