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
  switch (requirement['operator']) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(forbidden(`${path}.values`, text));
      }
      break;
    default:
      errors.push(
        invalid(`${path}.operator`, requirement['operator'] ?? '', 'not a valid selector operator'),
      );
  }
  const key = textOf(requirement['key']);
  complain(key, `${path}.key`, checkQualifiedName(key), errors);
  values.forEach((value, i) => {
    complain(textOf(value), `${path}.values[${i}]`, checkLabelValue(textOf(value)), errors);
  });
};

export const isEmptySelector = (selector: JsonObject): boolean =>
  count(selector['matchLabels']) === 0 && count(selector['matchExpressions']) === 0;

const count = (value: Json | undefined): number =>
  isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
