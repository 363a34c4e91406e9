import type { Json } from '#base/json.ts';
import { checkPercent } from '#kube/names.ts';
import type { FieldError } from '#kube/field-error.ts';
import { invalid } from '#kube/field-error.ts';
import { mustBeAtLeastZero, type FieldCheck } from './checks.ts';
import { goIntOrString, invalidAs } from '#kube/metadata/go-values.ts';

/** A count that is not negative, or a percentage. */
export const countOrPercent: FieldCheck = (value, field, errors) => {
  if (typeof value === 'string') {
    for (const each of checkPercent(value)) errors.push(invalidAs(field, goIntOrString(value), each));
  } else if (typeof value === 'number' && value < 0) {
    errors.push(invalid(field, value, mustBeAtLeastZero));
  }
};

export function atMostHundredPercent(value: Json | undefined, field: string, errors: FieldError[]): void {
  if (percentOf(value) > 100)
    errors.push(invalidAs(field, goIntOrString(value), 'must not be greater than 100%'));
}

const percentOf = (value: Json | undefined): number =>
  typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;

/** Whether the value is zero or 0 %. */
export const isNone = (value: Json | undefined): boolean =>
  typeof value === 'string' ? percentOf(value) === 0 : Number(value ?? 0) === 0;
