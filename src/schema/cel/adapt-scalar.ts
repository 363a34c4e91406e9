import { parseTime } from '#base/time.ts';
import { isInteger, isNumber, type Json } from '#base/json.ts';
import type { Adapt } from './json-value.ts';
import { parseDuration, parseTimestamp } from './time-text.ts';
import { failed, type CelValue } from './value.ts';

const wrong = (wanted: string, value: Json): CelValue =>
  failed(`invalid data, expected ${wanted}, got ${value === null ? '<nil>' : typeof value}`);

export const adaptBool: Adapt = (value) => (typeof value === 'boolean' ? value : wrong('bool', value));
export const adaptNumber: Adapt = (value) => (isNumber(value) ? Number(value) : wrong('float', value));
export const adaptInteger: Adapt = (value) => (isInteger(value) ? BigInt(value) : wrong('int', value));
const adaptText: Adapt = (value) => (typeof value === 'string' ? value : wrong('string', value));

export const adaptIntOrString: Adapt = (value) => {
  if (typeof value === 'string') return value;
  if (isInteger(value)) return BigInt(value);
  return failed('invalid data, expected XIntOrString value to be either a string or integer');
};

const fromText =
  (read: (text: string) => CelValue | undefined, name: string): Adapt =>
  (value) => {
    if (typeof value !== 'string') return wrong('string', value);
    return read(value) ?? failed(`Invalid ${name} ${value}`);
  };

function date(text: string): CelValue | undefined {
  const at = parseTime(`${text}T00:00:00Z`);
  return at === undefined ? undefined : { kind: 'timestamp', nanos: BigInt(at) * 1_000_000n };
}

function dateTime(text: string): CelValue | undefined {
  const nanos = parseTimestamp(text.toUpperCase());
  return nanos === undefined ? undefined : { kind: 'timestamp', nanos };
}

function duration(text: string): CelValue | undefined {
  const nanos = parseDuration(text) ?? looseDuration(text);
  return nanos === undefined ? undefined : { kind: 'duration', nanos };
}

const second = 1_000_000_000n;
const looseUnits: readonly (readonly [RegExp, bigint])[] = [
  [/^n(?:s|ano)/, 1n],
  [/^(?:us|µs|micro)/, 1000n],
  [/^(?:ms|milli)/, 1_000_000n],
  [/^(?:m|min.*)$/, 60n * second],
  [/^s/, second],
  [/^h/, 3600n * second],
  [/^d/, 86_400n * second],
  [/^w/, 604_800n * second],
];

/** `3 days 2 hours`, which the format accepts as well. */
function looseDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, count = '0', unit = ''] of text.slice(0, 100).matchAll(/(\d{1,18})\s*([A-Za-zµ]+)/g)) {
    const known = looseUnits.find(([pattern]) => pattern.test(unit.toLowerCase()));
    if (known !== undefined) total = (total ?? 0n) + BigInt(count) * known[1];
  }
  return total;
}

function base64(text: string): CelValue | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

const byFormat: Readonly<Record<string, Adapt>> = {
  byte: fromText(base64, 'byte formatted string'),
  duration: fromText(duration, 'duration'),
  date: fromText(date, 'date formatted string'),
  'date-time': fromText(dateTime, 'date-time formatted string'),
};

/** How a text is read: some formats have types of their own. */
export const adaptFormat = (format: string): Adapt =>
  Object.hasOwn(byFormat, format) ? (byFormat[format] ?? adaptText) : adaptText;
