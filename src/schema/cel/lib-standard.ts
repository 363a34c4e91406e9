import type { OverloadRow } from './overload.ts';
import { matchPattern } from './lib-regex.ts';
import { sizeOfText } from './text.ts';
import { typeNameOf, type Dict, type List, type CelValue } from './value.ts';

const sizes: readonly OverloadRow[] = (
  [
    ['string', (text: string) => BigInt(sizeOfText(text))],
    ['bytes', (bytes: Uint8Array) => BigInt(bytes.length)],
    ['list<A>', (list: List) => BigInt(list.length)],
    ['map<A, B>', (map: Dict) => BigInt(map.size)],
  ] as const
).flatMap(([type, size]): readonly OverloadRow[] => [
  [`size(${type}): int`, size],
  [`${type}.size(): int`, size],
]);

/** The functions that every CEL has. */
export const standard: readonly OverloadRow[] = [
  ...sizes,
  ['string.contains(string): bool', (text: string, part: string) => text.includes(part)],
  ['string.startsWith(string): bool', (text: string, part: string) => text.startsWith(part)],
  ['string.endsWith(string): bool', (text: string, part: string) => text.endsWith(part)],
  ['string.matches(string): bool', matchPattern],
  ['matches(string, string): bool', matchPattern],
  ['type(A): type<A>', (value: CelValue) => ({ kind: 'type', name: typeNameOf(value) })],
  ['dyn(A): dyn', (value: CelValue) => value],
];
