/** How an amount was written, and so how it is written again. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** An exact amount such as `1Gi`, `1500m` or `1e3`. The smallest unit is a billionth. */
export type Quantity = { readonly nano: bigint; readonly format: QuantityFormat };

const billion = 1_000_000_000n;
/** Longer texts and larger exponents name no amount of anything: they are refused rather than computed. */
const longest = 256;
const largestExponent = 256;
/** Binary amounts are capped at the largest signed 64-bit number. */
const binaryMost = (2n ** 63n - 1n) * billion;

const binaryPowers: ReadonlyMap<string, bigint> = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
]);
const decimalPowers: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binaryNames = ['', ...binaryPowers.keys()];
const decimalNames = new Map([...decimalPowers].map(([name, power]) => [power, name]));

const shape = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*(?:[-+]?\d*))$/;
const exponentShape = /^[eE]([+-]?\d+)$/;

/** Reads an amount; undefined when the text is not one. Parts smaller than a billionth are rounded up. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text === '' || text.length > longest) return undefined;
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const digits = BigInt(`0${whole}${fraction}`);
  const amount = applySuffix({ digits, places: fraction.length }, suffix);
  if (amount === undefined) return undefined;
  return sign === '-' ? { ...amount, nano: -amount.nano } : amount;
}

/** The canonical text: a whole number and the largest suffix that keeps it whole. */
export function formatQuantity(quantity: Quantity): string {
  const { nano, format } = quantity;
  if (nano === 0n) return '0';
  const large = nano >= 1024n * billion || nano <= -1024n * billion;
  if (format === 'BinarySI' && large && nano % billion === 0n) return formatBinary(nano / billion);
  return formatDecimal(nano, format === 'DecimalExponent');
}

/** Negative, zero or positive, as for sorting. */
export function compareQuantity(left: Quantity, right: Quantity): number {
  if (left.nano === right.nano) return 0;
  return left.nano < right.nano ? -1 : 1;
}

/** The sum, written the way the left amount was, or the right one when the left is zero. */
export function addQuantity(left: Quantity, right: Quantity): Quantity {
  return { nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format };
}

type Decimal = { readonly digits: bigint; readonly places: number };

function applySuffix(number: Decimal, suffix: string): Quantity | undefined {
  const binary = binaryPowers.get(suffix);
  if (binary !== undefined) return binaryAmount(number, binary);
  const decimal = decimalPowers.get(suffix);
  if (decimal !== undefined) return { nano: nanoOf(number, decimal), format: 'DecimalSI' };
  const exponent = exponentShape.exec(suffix);
  if (exponent === null) return undefined;
  const power = Number(exponent[1]);
  if (power > largestExponent) return undefined;
  return { nano: nanoOf(number, Math.max(power, -2 * longest)), format: 'DecimalExponent' };
}

function binaryAmount(number: Decimal, power: bigint): Quantity {
  const exact = nanoOf({ ...number, digits: number.digits << power }, 0);
  const nano = exact > binaryMost ? binaryMost : exact;
  return { nano, format: nano > 0n && nano < billion ? 'DecimalSI' : 'BinarySI' };
}

/** Digits times a power of ten, in billionths, rounded up: whoever asks for little gets a little, not nothing. */
function nanoOf({ digits, places }: Decimal, power: number): bigint {
  const shift = power - places + 9;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor - 1n) / divisor;
}

function formatBinary(whole: bigint): string {
  let rest = whole;
  let step = 0;
  while (rest % 1024n === 0n && step < binaryNames.length - 1) {
    rest /= 1024n;
    step += 1;
  }
  return `${rest}${binaryNames[step] ?? ''}`;
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  let rest = nano;
  let power = -9;
  const highest = asExponent ? Infinity : 18;
  while (rest % 1000n === 0n && power < highest) {
    rest /= 1000n;
    power += 3;
  }
  if (asExponent) return power === 0 ? `${rest}` : `${rest}e${power}`;
  return `${rest}${decimalNames.get(power) ?? ''}`;
}
