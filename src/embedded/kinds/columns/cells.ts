import { at, isNumber, isObject, listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { formatQuantity, parseQuantity } from '#base/quantity.ts';
import type { Cell } from './column.ts';

/** Cells that read one field, for columns that need no more. */
export const textCell =
  (...path: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...path) ?? '';

export const numberCell =
  (...path: readonly string[]): Cell =>
  (object) =>
    numberAt(object, ...path) ?? 0;

/** A text, or a placeholder such as `<none>` when it is missing or empty. */
export const textOr =
  (missing: string, ...path: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...path) || missing;

export const lengthCell =
  (...path: readonly string[]): Cell =>
  (object) =>
    listAt(object, ...path).length;

/** The texts of a list; what is not a text is left out. */
export function textsAt(value: Json | undefined, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((each) => typeof each === 'string');
}

/** How many entries a map has. */
function sizeOf(value: Json | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0;
}

/** A map of labels as `a=1,b=2`, sorted by key. */
export function labelsText(value: Json | undefined): string {
  if (!isObject(value)) return '<none>';
  const keys = Object.keys(value).sort();
  if (keys.length === 0) return '<none>';
  return keys.map((key) => `${key}=${scalarText(value[key])}`).join(',');
}

/** An int-or-string as Go prints it; a quantity would lose its suffix here, see `quantityText`. */
export function scalarText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return isNumber(value) || typeof value === 'boolean' ? String(value) : '';
}

/** A quantity in canonical form; `0` when it is missing. */
export function quantityText(value: Json | undefined): string {
  const text = scalarText(value);
  const quantity = parseQuantity(text);
  return quantity === undefined ? text || '0' : formatQuantity(quantity);
}

/** One member of every item of a list, joined by commas. */
export function joined(list: readonly Json[], member: string): string {
  return list.map((item) => textAt(item, member) ?? '').join(',');
}

/** `host:port`, with brackets around IPv6 addresses. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The first `most` texts, and how many more there are. */
export function withMore(texts: readonly string[], most: number, separator = ','): string {
  const shown = texts.slice(0, most).join(separator);
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown;
}

/** Whether the first condition of this type is True. */
export function isTrue(conditions: readonly Json[], type: string): boolean {
  const condition = conditions.find((each) => textAt(each, 'type') === type);
  return textAt(condition, 'status') === 'True';
}

/** Go's nil: absent or null. */
export const isSet = (value: Json | undefined): value is Json => value !== undefined && value !== null;

export const countAt = (value: Json | undefined, ...path: readonly string[]): number =>
  sizeOf(at(value, ...path));
