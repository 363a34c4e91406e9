import { equalJson, isObject, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, tooLong, type FieldError } from '#kube/field-error.ts';
import { checkConfigKey } from '#kube/names.ts';
import { complain } from './checks.ts';
import { base64Size, textBytes } from './data-size.ts';
import { textOf } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const most = 1_048_576;
const none: readonly FieldError[] = [];

/** Keys are valid, in `data` or `binaryData` but not both, and the total size is at most 1 MiB. */
function check(map: JsonObject): readonly FieldError[] {
  const { data, binaryData } = map;
  const errors: FieldError[] = [];
  let size = 0;
  if (isObject(data)) {
    size += textBytes(data, most);
    for (const key in data) {
      complain(key, `data[${key}]`, checkConfigKey(key), errors);
      if (isObject(binaryData) && Object.hasOwn(binaryData, key)) {
        errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
      }
    }
  }
  if (isObject(binaryData)) {
    for (const key in binaryData) {
      complain(key, `binaryData[${key}]`, checkConfigKey(key), errors);
      size += base64Size(textOf(binaryData[key]));
    }
  }
  if (size > most) errors.push(tooLong('[]', most));
  return errors.length === 0 ? none : errors;
}

const frozen = 'field is immutable when `immutable` is set';

/** What an immutable ConfigMap or Secret refuses. */
export function checkFrozen(
  object: JsonObject,
  old: JsonObject,
  bags: readonly string[],
): readonly FieldError[] {
  if (old['immutable'] !== true) return none;
  const errors: FieldError[] = [];
  if (object['immutable'] !== true) errors.push(forbidden('immutable', frozen));
  for (const key of bags) if (!equalJson(object[key], old[key])) errors.push(forbidden(key, frozen));
  return errors;
}

const same = (object: JsonObject, old: JsonObject, key: string): boolean => object[key] === old[key];

export const configMapRules: KindRules = kindRules({
  validateCreate: check,
  validateUpdate: (map, old) => {
    const refused = checkFrozen(map, old, ['data', 'binaryData']);
    if (same(map, old, 'data') && same(map, old, 'binaryData')) return refused;
    const errors = check(map);
    return refused.length === 0 ? errors : [...refused, ...errors];
  },
  metaOnUpdate: 'create-and-update',
});
