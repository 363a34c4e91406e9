import { equalJson, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { notNegative } from './checks.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

function check(revision: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  notNegative(revision['revision'], 'revision', errors);
  return errors;
}

export const controllerRevisionRules: KindRules = kindRules({
  validateCreate: check,
  validateUpdate: (revision, old) =>
    equalJson(revision['data'], old['data'])
      ? check(revision)
      : [...check(revision), invalid('data', revision['data'], 'field is immutable')],
});
