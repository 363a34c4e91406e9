import { formatDouble } from './go-number.ts';
import type { OverloadRow } from './overload.ts';
import { bytesOfText, textOfBytes } from './text.ts';
import {
  formatDuration,
  formatTimestamp,
  isTimestamp,
  parseDuration,
  parseTimestamp,
  secondsOf,
} from './time-text.ts';
import {
  checkedInt,
  checkedUint,
  failed,
  type Duration,
  type Timestamp,
  type Uint,
  type CelValue,
} from './value.ts';

const notConvertible = (to: string): CelValue => failed(`type conversion error from 'string' to '${to}'`);
const same = (value: CelValue): CelValue => value;

const truths: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

const boolOf = (text: string): CelValue =>
  Object.hasOwn(truths, text) ? (truths[text] ?? false) : notConvertible('bool');

function intOf(text: string): CelValue {
  if (!/^[+-]?\d{1,20}$/.test(text)) return notConvertible('int');
  const value = BigInt(text.replace('+', ''));
  return typeof checkedInt(value) === 'bigint' ? value : notConvertible('int');
}

function uintOf(text: string): CelValue {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= 2n ** 64n) return notConvertible('uint');
  return { kind: 'uint', value: BigInt(text) };
}

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '+infinity': Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

/** Nothing that can be converted is longer, and some of the forms take quadratic time. */
const longest = 400;

function doubleOf(text: string): CelValue {
  if (text.length > longest) return notConvertible('double');
  const lower = text.toLowerCase();
  if (Object.hasOwn(special, lower)) return special[lower] ?? 0;
  const value = numberForm.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : notConvertible('double');
}

const overflow = failed('integer overflow');
const unsignedOverflow = failed('unsigned integer overflow');

const intOfDouble = (value: number): CelValue =>
  value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : overflow;
const uintOfDouble = (value: number): CelValue =>
  value > -1 && value < 2 ** 64 ? { kind: 'uint', value: BigInt(Math.trunc(value)) } : unsignedOverflow;

function timestampOf(text: string): CelValue {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? notConvertible('google.protobuf.Timestamp') : { kind: 'timestamp', nanos };
}

function timestampOfSeconds(seconds: bigint): CelValue {
  const nanos = seconds * 1_000_000_000n;
  return isTimestamp(nanos) ? { kind: 'timestamp', nanos } : failed('timestamp overflow');
}

function durationOf(text: string): CelValue {
  const nanos = parseDuration(text);
  return nanos === undefined ? notConvertible('google.protobuf.Duration') : { kind: 'duration', nanos };
}

const textOf = (bytes: Uint8Array): CelValue =>
  textOfBytes(bytes) ?? failed('invalid UTF-8 in bytes, cannot convert to string');

export const conversions: readonly OverloadRow[] = [
  ['bool(bool): bool', same],
  ['bool(string): bool', boolOf],
  ['bytes(bytes): bytes', same],
  ['bytes(string): bytes', bytesOfText],
  ['double(double): double', same],
  ['double(int): double', (value: bigint) => Number(value)],
  ['double(string): double', doubleOf],
  ['double(uint): double', ({ value }: Uint) => Number(value)],
  ['duration(duration): duration', same],
  ['duration(int): duration', (nanos: bigint) => ({ kind: 'duration', nanos })],
  ['duration(string): duration', durationOf],
  ['int(int): int', same],
  ['int(double): int', intOfDouble],
  ['int(duration): int', ({ nanos }: Duration) => nanos],
  ['int(string): int', intOf],
  ['int(timestamp): int', ({ nanos }: Timestamp) => secondsOf(nanos)],
  ['int(uint): int', ({ value }: Uint) => checkedInt(value)],
  ['string(string): string', same],
  ['string(bool): string', (value: boolean) => String(value)],
  ['string(bytes): string', textOf],
  ['string(double): string', formatDouble],
  ['string(duration): string', ({ nanos }: Duration) => formatDuration(nanos)],
  ['string(int): string', (value: bigint) => String(value)],
  ['string(timestamp): string', ({ nanos }: Timestamp) => formatTimestamp(nanos)],
  ['string(uint): string', ({ value }: Uint) => String(value)],
  ['timestamp(timestamp): timestamp', same],
  ['timestamp(int): timestamp', timestampOfSeconds],
  ['timestamp(string): timestamp', timestampOf],
  ['uint(uint): uint', same],
  ['uint(double): uint', uintOfDouble],
  ['uint(int): uint', (value: bigint) => checkedUint(value)],
  ['uint(string): uint', uintOf],
];
