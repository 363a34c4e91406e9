import { addQuantity, compareQuantity, parseQuantity } from '#base/quantity.ts';
import { quantityFault } from '#schema/strict/literal-faults.ts';
import type { OverloadRow } from './overload.ts';
import { checkedInt, failed, isError, type QuantityValue, type CelValue } from './value.ts';

const billion = 1_000_000_000n;
const fallback =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function quantity(text: string): CelValue {
  const parsed = parseQuantity(text);
  return parsed === undefined
    ? failed(quantityFault(text) ?? fallback)
    : { kind: 'quantity', quantity: parsed };
}

/** The whole number, when it is one that fits. */
function integer({ quantity: { nano } }: QuantityValue): bigint | undefined {
  const whole = nano % billion === 0n ? checkedInt(nano / billion) : undefined;
  return typeof whole === 'bigint' ? whole : undefined;
}

const add = (left: QuantityValue, right: QuantityValue, sign: bigint): CelValue => ({
  kind: 'quantity',
  quantity: addQuantity(left.quantity, { ...right.quantity, nano: right.quantity.nano * sign }),
});

const whole = (value: bigint): QuantityValue => ({
  kind: 'quantity',
  quantity: { nano: value * billion, format: 'DecimalSI' },
});

const order = (left: QuantityValue, right: QuantityValue): number =>
  compareQuantity(left.quantity, right.quantity);

function sign({ quantity: { nano } }: QuantityValue): bigint {
  if (nano === 0n) return 0n;
  return nano < 0n ? -1n : 1n;
}

export const quantities: readonly OverloadRow[] = [
  ['quantity(string): Quantity', quantity],
  ['isQuantity(string): bool', (text: string) => !isError(quantity(text))],
  ['sign(Quantity): int', sign],
  ['Quantity.isGreaterThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => order(a, b) > 0],
  ['Quantity.isLessThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => order(a, b) < 0],
  ['Quantity.compareTo(Quantity): int', (a: QuantityValue, b: QuantityValue) => BigInt(order(a, b))],
  ['Quantity.asApproximateFloat(): double', (a: QuantityValue) => Number(a.quantity.nano) / 1e9],
  [
    'Quantity.asInteger(): int',
    (a: QuantityValue) => integer(a) ?? failed('cannot convert value to integer'),
  ],
  ['Quantity.isInteger(): bool', (a: QuantityValue) => integer(a) !== undefined],
  ['Quantity.add(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) => add(a, b, 1n)],
  ['Quantity.add(int): Quantity', (a: QuantityValue, b: bigint) => add(a, whole(b), 1n)],
  ['Quantity.sub(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) => add(a, b, -1n)],
  ['Quantity.sub(int): Quantity', (a: QuantityValue, b: bigint) => add(a, whole(b), -1n)],
];
