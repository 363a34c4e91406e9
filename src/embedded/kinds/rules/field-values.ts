import { numberAt, textAt } from '#base/json.ts';
import type { FieldValue } from './kind-rules.ts';

/** The values that field selectors compare. */
export const textField =
  (...path: readonly string[]): FieldValue =>
  (object) =>
    textAt(object, ...path) ?? '';

export const numberField =
  (...path: readonly string[]): FieldValue =>
  (object) =>
    String(numberAt(object, ...path) ?? 0);
