import { equalJson, type JsonObject } from '#base/json.ts';
import { invalid, required, type FieldError } from '#kube/field-error.ts';
import { notNegative } from './checks.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

function check(revision: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (revision['data'] === undefined || revision['data'] === null)
    errors.push(required('data', 'data is mandatory'));
  notNegative(revision['revision'], 'revision', errors);
  return errors;
}

export const controllerRevisionRules: KindRules = kindRules({
  metaOnUpdate: 'create-and-update',
  validateCreate: check,
  validateUpdate: (revision, old) =>
    equalJson(revision['data'], old['data'])
      ? check(revision)
      : [...check(revision), invalid('data', revision['data'], 'field is immutable')],
});
