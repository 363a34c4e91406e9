import { isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { textOf } from '#base/json-edit.ts';

/** Values that a server quotes in its own notation because they have no JSON form in its errors. */

const quote = (text: string): string => JSON.stringify(text);

export function goStringMap(value: Json | undefined): string {
  if (!isObject(value)) return 'map[string]string(nil)';
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${quote(key)}:${quote(textOf(value[key]))}`);
  return `map[string]string{${entries.join(', ')}}`;
}

export const goStrings = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`;

const goStringsOrNil = (value: Json | undefined): string =>
  Array.isArray(value) ? goStrings(value.map(String)) : '[]string(nil)';

export function goLabelSelector(selector: JsonObject): string {
  const expressions = selector['matchExpressions'];
  const list = Array.isArray(expressions)
    ? `[]v1.LabelSelectorRequirement{${(expressions as readonly Json[]).map(goRequirement).join(', ')}}`
    : '[]v1.LabelSelectorRequirement(nil)';
  return `v1.LabelSelector{MatchLabels:${goStringMap(selector['matchLabels'])}, MatchExpressions:${list}}`;
}

function goRequirement(requirement: Json): string {
  const key = quote(textAt(requirement, 'key') ?? '');
  const operator = quote(textAt(requirement, 'operator') ?? '');
  const values = goStringsOrNil(isObject(requirement) ? requirement['values'] : undefined);
  return `v1.LabelSelectorRequirement{Key:${key}, Operator:${operator}, Values:${values}}`;
}

export function goIntOrString(value: Json | undefined): string {
  return typeof value === 'string'
    ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`
    : `intstr.IntOrString{Type:0, IntVal:${Number(value ?? 0)}, StrVal:""}`;
}

const goFlag = (value: Json | undefined): string =>
  typeof value === 'boolean' ? '(*bool)(0xc000000000)' : '(*bool)(nil)';

export function goOwnerReferences(owners: readonly JsonObject[]): string {
  const each = owners.map((owner) => {
    const text = (key: string): string => quote(textAt(owner, key) ?? '');
    return (
      `v1.OwnerReference{APIVersion:${text('apiVersion')}, Kind:${text('kind')}, Name:${text('name')}, UID:${text('uid')}, ` +
      `Controller:${goFlag(owner['controller'])}, BlockOwnerDeletion:${goFlag(owner['blockOwnerDeletion'])}}`
    );
  });
  return `[]v1.OwnerReference{${each.join(', ')}}`;
}

/** `Invalid value` with a value that is already a text in the server's notation. */
export const invalidAs = (field: string, value: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${value}${detail === '' ? '' : `: ${detail}`}`,
});
