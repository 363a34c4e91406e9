import type { JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { checkRows, notNegative, positive, type FieldRow } from './checks.ts';
import { specOf } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const rows: readonly FieldRow[] = [
  ['leaseDurationSeconds', positive],
  ['leaseTransitions', notNegative],
];

function check(lease: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkRows(specOf(lease), 'spec', rows, errors);
  return errors;
}

export const leaseRules: KindRules = kindRules({
  validateCreate: check,
  validateUpdate: check,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
});
