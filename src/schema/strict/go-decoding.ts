import type { Json } from '#base/json.ts';

/**
 * The state of Go's decoder. It remembers the first value of a wrong type and reads on, but stops at the first
 * value that a type with a parser of its own refuses, so that this second kind of error wins.
 */
export type Decoding = {
  /** The members and the structs they belong to, from the outside in; list positions and map keys do not count. */
  readonly names: string[];
  readonly structs: string[];
  /** Set inside a type's own parser: its errors name the member that it was called for. */
  readonly caller: string | undefined;
  first: string | undefined;
  final: string | undefined;
};

export const startDecoding = (caller?: string): Decoding => ({
  names: [],
  structs: [],
  caller,
  first: undefined,
  final: undefined,
});

/** For the parser of a type's own, which works apart. */
export const startInside = (decoding: Decoding): Decoding => startDecoding(memberOf(decoding));

export function noteFault(decoding: Decoding, found: string, goType: string): void {
  decoding.first ??= cannotUnmarshal(decoding, found, goType);
}

export const cannotUnmarshal = (decoding: Decoding, found: string, goType: string): string =>
  `json: cannot unmarshal ${found} into Go struct field ${memberOf(decoding)} of type ${goType}`;

const memberOf = ({ caller, structs, names }: Decoding): string =>
  caller ?? `${structs.at(-1) ?? ''}.${names.join('.')}`;

export function kindOfJson(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
