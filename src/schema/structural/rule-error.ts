import type { CelValue } from '#schema/cel/value.ts';
import type { FieldError } from '#kube/field-error.ts';
import type { ValidationRule } from './rule-tree.ts';

/** How a rule did not hold. */
export type Found =
  | { readonly type: 'refused'; readonly detail: string | undefined }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'fault'; readonly detail: string }
  | { readonly type: 'exhausted' }
  | { readonly type: 'over budget' };

/** Where: the value is only named by its type, since it may be large. */
type Place = { readonly path: string; readonly type: string };

/** The error of a rule with the server's text. */
export function ruleError(rule: ValidationRule, place: Place, found: Found): FieldError {
  if (found.type === 'refused') return refusal(rule, place, found.detail ?? plainMessage(rule));
  return invalid(place, detailOf(rule, found));
}

const named = ({ message, text }: ValidationRule): string => (message === '' ? text : message);
const plainMessage = ({ message, text }: ValidationRule): string =>
  message === '' ? `failed rule: ${text}` : message;

function detailOf(rule: ValidationRule, found: Exclude<Found, { type: 'refused' }>): string {
  switch (found.type) {
    case 'fault':
      return found.detail;
    case 'over budget':
      return 'validation failed due to running out of cost budget, no further validation rules will be run';
    case 'exhausted':
      return `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${named(rule)}`;
    case 'error':
      return found.message.startsWith('no such overload')
        ? `'${found.message}': call arguments did not match a supported operator, function or macro signature for rule: ${named(rule)}`
        : `${found.message} evaluating rule: ${named(rule)}`;
  }
}

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path);

const invalid = ({ path, type }: Place, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field: fieldOf(path),
  message: `Invalid value: "${type}": ${detail}`,
});

function refusal(rule: ValidationRule, { path, type }: Place, detail: string): FieldError {
  const field = fieldOf(below(path, rule.fieldPath));
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return { reason: rule.reason, field, message: `Forbidden: ${detail}` };
    case 'FieldValueRequired':
      return { reason: rule.reason, field, message: `Required value: ${detail}` };
    case 'FieldValueDuplicate':
      return { reason: rule.reason, field, message: `Duplicate value: "${type}"` };
    default:
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: "${type}": ${detail}` };
  }
}

function below(path: string, inner: string): string {
  if (path === '' || inner === '') return `${path}${inner}`;
  return `${path}.${inner}`;
}

const longestMessage = 5 * 1024;
const encoder = new TextEncoder();

/** What an expression gave for a message, when it is one: a line of text that is not too long. */
export function wordingOf(value: CelValue): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.includes('\n') || encoder.encode(text).length > longestMessage) return undefined;
  return text;
}

/** Why there is no message: finding it was too expensive. */
export const wordingFault = ({ wordingText }: ValidationRule, type: 'exhausted' | 'over budget'): string =>
  type === 'exhausted'
    ? `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(wordingText)}`
    : 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
