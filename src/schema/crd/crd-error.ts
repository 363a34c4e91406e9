import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { FieldError } from '#kube/field-error.ts';
import { badValue } from '#schema/structural/go-value.ts';

/** `Invalid value` with the value as the server quotes it. */
export const invalidAt = (field: string, value: Json | undefined, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${badValue(value)}: ${detail}`,
});

/** The same with a value that is already in the server's notation. */
export const invalidDump = (field: string, dump: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${dump}: ${detail}`,
});

/** A list of texts in Go's notation; an absent one is nil. */
export function dumpTexts(values: readonly Json[] | undefined): string {
  return values === undefined
    ? '[]string(nil)'
    : `[]string{${values.map((each) => printJson(each)).join(', ')}}`;
}
