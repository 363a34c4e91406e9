import { isArray, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { between, checkPortName, checkPortNumber, type Complaints } from '#kube/names.ts';
import { textOf } from '#base/json-edit.ts';

/** Looks at one value and adds what is wrong with it. */
export type FieldCheck = (value: Json | undefined, field: string, errors: FieldError[]) => void;
/** A row of a table of rules: a field of an object and its check. */
export type FieldRow = readonly [key: string, check: FieldCheck];

export function checkRows(
  object: JsonObject,
  path: string,
  rows: readonly FieldRow[],
  errors: FieldError[],
): void {
  for (const [key, check] of rows) check(object[key], `${path}.${key}`, errors);
}

export type ItemCheck = (item: JsonObject, path: string, errors: FieldError[]) => void;

/** Checks every object of a list that may be absent. */
export function checkItems(
  list: Json | undefined,
  path: string,
  check: ItemCheck,
  errors: FieldError[],
): void {
  if (!isArray(list)) return;
  for (let i = 0; i < list.length && errors.length < enoughErrors; i++) {
    const item = list[i];
    if (isObject(item)) check(item, `${path}[${i}]`, errors);
  }
}

/** Checks with a rule of names.ts; `value` must be a text. */
export function complain(text: string, field: string, complaints: Complaints, errors: FieldError[]): void {
  if (errors.length >= enoughErrors) return;
  for (const each of complaints) errors.push(invalid(field, text, each));
}

export const mustBeAtLeastZero = 'must be greater than or equal to 0';

export const notNegative: FieldCheck = (value, field, errors) => {
  if (isNumber(value) && value < 0) errors.push(invalid(field, value, mustBeAtLeastZero));
};

export const positive: FieldCheck = (value, field, errors) => {
  if (isNumber(value) && value <= 0) errors.push(invalid(field, value, 'must be greater than 0'));
};

export const inRange =
  (low: number, high: number): FieldCheck =>
  (value, field, errors) => {
    if (isNumber(value) && (value < low || value > high))
      errors.push(invalid(field, value, between(low, high)));
  };

export const needed: FieldCheck = (value, field, errors) => {
  if (value === undefined || value === '' || value === null || (isArray(value) && value.length === 0)) {
    errors.push(required(field));
  }
};

/** One of the given values, or absent. */
export const optionalWord =
  (...words: readonly string[]): FieldCheck =>
  (value, field, errors) => {
    if (value === undefined || value === '') return;
    if (!words.includes(textOf(value))) errors.push(notSupported(field, value, words));
  };

/** One of the given values; absent is an error. */
export const neededWord =
  (...words: readonly string[]): FieldCheck =>
  (value, field, errors) => {
    if (value === undefined || value === '') errors.push(required(field));
    else if (!words.includes(textOf(value))) errors.push(notSupported(field, value, words));
  };

/** A text that must follow a rule of names.ts when it is there. */
export const named =
  (rule: (text: string) => Complaints): FieldCheck =>
  (value, field, errors) => {
    if (typeof value === 'string' && value !== '') complain(value, field, rule(value), errors);
  };

/** The same, where an absent text is an error. */
export const neededName =
  (rule: (text: string) => Complaints): FieldCheck =>
  (value, field, errors) => {
    if (value === undefined || value === '') errors.push(required(field));
    else complain(textOf(value), field, rule(textOf(value)), errors);
  };

/** A port's number, or the name of a port. */
export const portOrName: FieldCheck = (value, field, errors) => {
  if (typeof value === 'string') complain(value, field, checkPortName(value), errors);
  else
    for (const each of checkPortNumber(Number(value ?? 0)))
      errors.push(invalid(field, Number(value ?? 0), each));
};

export const portNumber: FieldCheck = (value, field, errors) => {
  for (const each of checkPortNumber(Number(value ?? 0)))
    errors.push(invalid(field, Number(value ?? 0), each));
};
