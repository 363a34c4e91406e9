import { textAt, type JsonObject } from '#base/json.ts';
import { notSupported, required, type FieldError } from '#kube/field-error.ts';
import { fieldPathOf } from '#schema/structural/rule-field-path.ts';
import { invalidAt } from './crd-error.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The checks of a rule before its expressions are compiled. */
export function checkRuleForm(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  return [
    ...checkTexts(rule, path),
    ...checkWording(rule, path),
    ...checkReason(rule, path),
    ...checkFieldPath(rule, schema, path),
  ];
}

const hasLines = (text: string): boolean => text.includes('\n');

function checkTexts(rule: JsonObject, path: string): readonly FieldError[] {
  const text = (textAt(rule, 'rule') ?? '').trim();
  const given = textAt(rule, 'message') ?? '';
  const message = given.trim();
  if (text === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (given !== '' && message === '')
    return [invalidAt(`${path}.message`, given, 'message must be non-empty if specified')];
  if (hasLines(message)) return [invalidAt(`${path}.message`, given, 'message must not contain line breaks')];
  if (hasLines(text) && message === '')
    return [required(`${path}.message`, 'message must be specified if rule contains line breaks')];
  return [];
}

function checkWording(rule: JsonObject, path: string): readonly FieldError[] {
  const wording = textAt(rule, 'messageExpression') ?? '';
  if (wording === '' || wording.trim() !== '') return [];
  return [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')];
}

function checkReason(rule: JsonObject, path: string): readonly FieldError[] {
  const reason = textAt(rule, 'reason');
  if (reason === undefined || reasons.includes(reason)) return [];
  return [notSupported(`${path}.reason`, reason, reasons)];
}

function checkFieldPath(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  const fieldPath = textAt(rule, 'fieldPath') ?? '';
  if (fieldPath === '') return [];
  const wrong = (why: string): FieldError => invalidAt(`${path}.fieldPath`, fieldPath, why);
  return [
    ...(fieldPath.trim() === '' ? [wrong('fieldPath must be non-empty if specified')] : []),
    ...(hasLines(fieldPath) ? [wrong('fieldPath must not contain line breaks')] : []),
    ...(fieldPathOf(schema, fieldPath) === undefined ? [wrong('fieldPath must be a valid path')] : []),
  ];
}
