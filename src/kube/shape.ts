/**
 * What merging, ownership and strict validation need to know about a value's type, whether it comes from
 * the table of built-in types or from a CustomResourceDefinition's schema. Shapes are lazy (`of` functions)
 * because types are recursive.
 */
export type Shape =
  | ScalarShape
  | StructShape
  | MapShape
  | ListShape
  /** No schema known (preserve-unknown-fields, RawExtension): maps are granular, lists atomic. */
  | { readonly type: 'untyped' };

/** `of` is left out where any scalar will do (quantities, int-or-string). */
export type ScalarShape = { readonly type: 'scalar'; readonly of?: 'string' | 'number' | 'boolean' };

export type StructShape = {
  readonly type: 'struct';
  /** True: owned and replaced as a whole (`mapType: atomic`). */
  readonly atomic: boolean;
  /** Undefined for a field that the type does not have. */
  field(name: string): FieldShape | undefined;
  fieldNames(): readonly string[];
  /** Fields beyond the declared ones are kept and untyped (preserve-unknown-fields). */
  readonly open: boolean;
};

export type MapShape = { readonly type: 'map'; readonly atomic: boolean; value(): Shape };

export type ListShape = {
  readonly type: 'list';
  readonly list: 'atomic' | 'set' | 'map';
  /** Server-side apply keys of a `map` list. */
  readonly keys: readonly string[];
  /** Defaults of keys that an item may leave out, such as `protocol: TCP`. */
  readonly keyDefaults: Readonly<Record<string, string | number | bigint | boolean>>;
  item(): Shape;
};

/** A field of a struct, with its strategic-merge markers. */
export type FieldShape = {
  shape(): Shape;
  /** `patchStrategy`: any of `merge`, `replace`, `retainKeys`. */
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
};

export const scalarShape: Shape = { type: 'scalar' };
export const untypedShape: Shape = { type: 'untyped' };
