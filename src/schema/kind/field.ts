import type { TArray, TObject, TRecord, TSchema, TString, TUnsafe } from 'typebox';
import { Type } from './type.ts';
import type { Json, JsonObject } from '#base/json.ts';

/** The options of any field. All of them are part of the CRD and the reference page. */
export type FieldOptions = { readonly description: string; readonly default?: Json };

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

/** Fields that may be absent, with their description first. */
export const optionalString = (description: string, options: Parameters<typeof Type.String>[0] = {}) =>
  Type.Optional(Type.String({ description, ...options }));
export const optionalInteger = (description: string, options: Parameters<typeof Type.Integer>[0] = {}) =>
  Type.Optional(Type.Integer({ description, ...options }));
export const optionalBoolean = (description: string, options: Parameters<typeof Type.Boolean>[0] = {}) =>
  Type.Optional(Type.Boolean({ description, ...options }));

/** One of the given values. */
export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: FieldOptions,
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

export const optionalEnum = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Optional(stringEnum(values, { description }));

/** A list that may be absent. */
export const optionalList = <Item extends TSchema>(
  item: Item,
  description: string,
  options: Parameters<typeof Type.Array>[1] = {},
) => Type.Optional(Type.Array(item, { description, ...options }));

/** A count or a percentage, as in `maxUnavailable`. */
export function intOrString({
  text,
  ...options
}: FieldOptions & {
  readonly pattern?: string;
  /** The pattern of text values as a CEL rule, whose message is a sentence instead of the pattern. */
  readonly text?: { readonly matches: string; readonly message: string };
  readonly minimum?: number;
  readonly maxLength?: number;
}): TUnsafe<number | string> {
  const rules = text && [
    { rule: `type(self) == int || self.matches(r'${text.matches}')`, message: text.message },
  ];
  return Type.Unsafe<number | string>({
    'x-kubernetes-int-or-string': true,
    ...options,
    ...(rules && { 'x-kubernetes-validations': rules }),
  });
}

/** An object whose fields are not ours to describe. `View` names the few that our code reads. */
export function openObject<View = JsonObject>(options: FieldOptions): TUnsafe<View> {
  return Type.Unsafe<View>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...options });
}

/** Any JSON value at all. */
export function anyValue(options: FieldOptions): TUnsafe<Json> {
  return Type.Unsafe<Json>({ 'x-kubernetes-preserve-unknown-fields': true, ...options });
}

/** A whole Kubernetes object inside ours: its apiVersion, kind and metadata are checked, the rest is kept. */
export function embeddedObject(options: FieldOptions): TUnsafe<JsonObject> {
  return Type.Unsafe<JsonObject>({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    ...options,
  });
}

/** Names of the user's choice, each with a value of the same schema. */
export function mapOf<Value extends TSchema>(value: Value, options: FieldOptions): TRecord<'^.*$', Value> {
  return Type.Record(Type.String(), value, { ...options });
}

/** A list whose items are identified by one or more fields; appliers may own single items. */
export function listByKey<Item extends TObject>(
  item: Item,
  keys: readonly (keyof Item['properties'] & string)[],
  options: FieldOptions & { readonly minItems?: number; readonly maxItems?: number },
): TArray<Item> {
  return Type.Array(item, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [...keys],
    ...options,
  });
}

/** A list of unique texts. */
export function setOf(options: FieldOptions & { readonly maxItems?: number }): TArray<TString> {
  return Type.Array(Type.String(), { 'x-kubernetes-list-type': 'set', ...options });
}
