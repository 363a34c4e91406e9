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

type ValuesRule = (count: number, field: string) => FieldError | undefined;

const someValues: ValuesRule = (count, field) =>
  count === 0 ? required(field, "must be specified when `operator` is 'In' or 'NotIn'") : undefined;
const noValues: ValuesRule = (count, field) =>
  count > 0
    ? forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    : undefined;
const oneValue: ValuesRule = (count, field) =>
  count === 1 ? undefined : required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'");

const labelOperators: ReadonlyMap<string, ValuesRule> = new Map([
  ['In', someValues],
  ['NotIn', someValues],
  ['Exists', noValues],
  ['DoesNotExist', noValues],
]);
export const nodeOperators: typeof labelOperators = new Map([
  ...labelOperators,
  ['Gt', oneValue],
  ['Lt', oneValue],
]);

/** The operator, the number of values that it needs, and the key. */
export function checkSelectorOperator(
  requirement: JsonObject,
  path: string,
  errors: FieldError[],
  operators = labelOperators,
): void {
  const { operator = '', values } = requirement;
  const rule = operators.get(textOf(operator));
  const error =
    rule === undefined
      ? invalid(`${path}.operator`, operator, 'not a valid selector operator')
      : rule(isArray(values) ? values.length : 0, `${path}.values`);
  if (error !== undefined) errors.push(error);
  const key = textOf(requirement['key']);
  complain(key, `${path}.key`, checkQualifiedName(key), errors);
}

export const isEmptySelector = (selector: JsonObject): boolean =>
  count(selector['matchLabels']) === 0 && count(selector['matchExpressions']) === 0;

const count = (value: Json | undefined): number =>
  isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
