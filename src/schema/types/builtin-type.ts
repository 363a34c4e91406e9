import type { Json } from '#base/json.ts';

/** Types whose JSON form is not the sum of their fields. */
export type SpecialForm =
  | 'time'
  | 'microtime'
  | 'quantity'
  | 'intOrString'
  /** Bytes that hold JSON of any shape. */
  | 'raw'
  | 'json'
  /** A list of strings that protobuf wraps in a message. */
  | 'list'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStrings';

export type BuiltinField = {
  /** The JSON member; of an inlined field only a label. */
  readonly name: string;
  /** The protobuf field number. */
  readonly number: number;
  /** `string`, `int32`, `int64`, `bool`, `double`, `bytes`, or the full name of another type: see `typeOfField`. Of a list or map, its elements' type. */
  readonly type: string;
  readonly container: 'none' | 'list' | 'map';
  /** Its members stand in the JSON of the type that has this field. */
  readonly inlined: boolean;
  /** Absent differs from zero, so a zero is kept. */
  readonly pointer: boolean;
  /** Left out of JSON when absent or, unless it is a pointer, zero. Otherwise written as zero, `{}` or null. */
  readonly omitEmpty: boolean;
  readonly required: boolean;
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  /** A map or struct that is owned as a whole. */
  readonly atomic: boolean;
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
  readonly default: Json | undefined;
  /** The Go type that error messages quote, and that of the elements of a list or map. */
  readonly goType: string;
  readonly goElement: string;
};

export type BuiltinType = {
  /** As OpenAPI spells it: `io.k8s.api.core.v1.Pod`. */
  readonly name: string;
  /** Its last part: `Pod`. */
  readonly shortName: string;
  readonly goType: string;
  readonly special: SpecialForm | undefined;
  /** Stands alone on the wire, with `apiVersion` and `kind`, which protobuf keeps in the envelope. */
  readonly isKind: boolean;
  /** Owned as a whole wherever it is used. */
  readonly atomic: boolean;
  /** As declared and in that order, inlined ones not resolved. */
  readonly fields: readonly BuiltinField[];
};
