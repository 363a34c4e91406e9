import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** The kinds of field error of Kubernetes, as the `reason` of a cause spells them. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError';

/** One thing wrong with one field. `message` is the whole text after `field: `. */
export type FieldError = {
  readonly reason: FieldErrorType;
  readonly field: string;
  readonly message: string;
};

/** A value as Kubernetes quotes it in an error: strings in double quotes, maps and lists as JSON. */
function quoteValue(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  return printJson(value);
}

const tail = (detail: string): string => (detail === '' ? '' : `: ${detail}`);

export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: `Required value${tail(detail)}`,
});
export const invalid = (field: string, value: Json | undefined, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${quoteValue(value)}${tail(detail)}`,
});
export const typeInvalid = (field: string, value: Json | undefined, detail: string): FieldError => ({
  reason: 'FieldValueTypeInvalid',
  field,
  message: `Invalid value: ${quoteValue(value)}${tail(detail)}`,
});
export const duplicate = (field: string, value: Json | undefined): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${quoteValue(value)}`,
});
export const forbidden = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden${tail(detail)}`,
});
export const notFoundValue = (field: string, value: Json | undefined): FieldError => ({
  reason: 'FieldValueNotFound',
  field,
  message: `Not found: ${quoteValue(value)}`,
});
export const tooLong = (field: string, maxBytes: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${maxBytes} bytes`,
});
export const tooMany = (field: string, actual: number, most: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${actual}: must have at most ${most} items`,
});
export const notSupported = (
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message:
    `Unsupported value: ${quoteValue(value)}` +
    (supported.length === 0
      ? ''
      : `: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`),
});
