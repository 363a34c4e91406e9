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

/** At most this many errors are shown. */
const mostShown = 100;
/** So many characters of them. */
const mostCharacters = 128 * 1024;

/** When so many errors are found, checks of lists and maps stop looking for more. */
export const enoughErrors = 1000;

/** What is wrong with the items of a list, until it is enough. */
export function eachError<Item>(
  list: readonly Item[],
  check: (item: Item, index: number) => readonly FieldError[],
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (let i = 0; i < list.length && errors.length < enoughErrors; i += 1)
    for (const error of check(list[i] as Item, i)) errors.push(error);
  return errors;
}

/** The errors that a refusal shows: a hundred at most, and cut where they become too long. */
export function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let room = mostCharacters;
  const shown: FieldError[] = [];
  for (const error of errors) {
    if (shown.length >= mostShown || room <= 0) break;
    const { field, message } = error;
    const isShort = field.length + message.length <= room;
    shown.push(isShort ? error : { ...error, field: cut(field, room), message: cut(message, room) });
    room -= field.length + message.length;
  }
  return shown;
}

const longestName = 256;

/** A name within a path. It is repeated in every error below it, so a very long one is cut. */
export const nameInPath = (name: string): string => cut(name, longestName);

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}...`;

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
