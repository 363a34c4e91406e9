/** Protobuf by hand, for tests: each function answers the bytes of one field. */
export type Bytes = readonly number[];

export function varint(value: number | bigint): Bytes {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

export const int = (number: number, value: number | bigint): Bytes => [
  ...varint(number * 8),
  ...varint(value),
];
export const block = (number: number, ...parts: readonly Bytes[]): Bytes => {
  const inner = parts.flat();
  return [...varint(number * 8 + 2), ...varint(inner.length), ...inner];
};
export const text = (number: number, value: string): Bytes =>
  block(number, [...new TextEncoder().encode(value)]);
export const double = (number: number, value: number): Bytes => [
  ...varint(number * 8 + 1),
  ...new Uint8Array(new Float64Array([value]).buffer),
];
export const entry = (number: number, key: string, value: string): Bytes =>
  block(number, text(1, key), text(2, value));

export const magic: Bytes = [0x6b, 0x38, 0x73, 0x00];

/** A whole body, as client-go writes it. */
export function body(apiVersion: string, kind: string, ...fields: readonly Bytes[]): Uint8Array {
  const meta = block(1, text(1, apiVersion), text(2, kind));
  return new Uint8Array([...magic, ...meta, ...block(2, ...fields), ...text(3, ''), ...text(4, '')]);
}
