import type { Json } from '#base/json.ts';

/**
 * The state of Go's decoder. It remembers the first value of a wrong type and reads on, but stops at the first
 * value that a type with a parser of its own refuses, so that this second kind of error wins.
 */
export type Decoding = {
  /** The members and the structs they belong to, from the outside in; list positions and map keys do not count. */
  readonly names: string[];
  readonly structs: string[];
  first: string | undefined;
  final: string | undefined;
};

export const startDecoding = (): Decoding => ({ names: [], structs: [], first: undefined, final: undefined });

/** A parser of a type's own works apart, but its errors speak of the member that it was called for. */
export const startInside = ({ names, structs }: Decoding): Decoding => ({
  names: [names.join('.')],
  structs: [structs.at(-1) ?? ''],
  first: undefined,
  final: undefined,
});

export function noteFault(decoding: Decoding, found: string, goType: string): void {
  decoding.first ??= cannotUnmarshal(decoding, found, goType);
}

export function cannotUnmarshal({ names, structs }: Decoding, found: string, goType: string): string {
  return `json: cannot unmarshal ${found} into Go struct field ${structs.at(-1)}.${names.join('.')} of type ${goType}`;
}

export function kindOfJson(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
