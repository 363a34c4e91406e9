import { formatTime, instant, parseTime } from '#base/time.ts';

const billion = 1_000_000_000n;
/** From the year 1 to the end of the year 9999. */
const earliest = -62_135_596_800n * billion;
const latest = 253_402_300_800n * billion - 1n;

/** Longer texts are neither times nor durations. */
const longest = 100;

export const isTimestamp = (nanos: bigint): boolean => nanos >= earliest && nanos <= latest;

/** Nanoseconds since 1970 of an RFC 3339 text; undefined when it is none or out of range. */
export function parseTimestamp(text: string): bigint | undefined {
  if (text.length > longest) return undefined;
  const match = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(text);
  const whole = match === null ? undefined : parseTime(`${match[1] ?? ''}${match[3] ?? ''}`);
  if (whole === undefined) return undefined;
  const fraction = BigInt((match?.[2] ?? '').slice(0, 9).padEnd(9, '0'));
  const nanos = BigInt(whole) * 1_000_000n + fraction;
  return isTimestamp(nanos) ? nanos : undefined;
}

export const secondsOf = (nanos: bigint): bigint => floorDivide(nanos, billion);

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** RFC 3339 in UTC with as many digits as are needed. */
export function formatTimestamp(nanos: bigint): string {
  const seconds = secondsOf(nanos);
  const text = formatTime(instant(Number(seconds * 1000n)));
  const rest = nanos - seconds * billion;
  if (rest === 0n) return text;
  return text.replace('Z', `.${String(rest).padStart(9, '0').replace(/0+$/, '')}Z`);
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3600n * billion,
};

const largest = 2n ** 63n - 1n;

/** Nanoseconds of a Go duration such as `1h30m` or `-1.5s`. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body.length > longest) return undefined;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  const nanos = sumOfParts(body);
  if (nanos > largest) return undefined;
  return negative ? -nanos : nanos;
}

function sumOfParts(body: string): bigint {
  let nanos = 0n;
  for (const [, whole, fraction, unit] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = units[unit ?? ''] ?? 0n;
    const digits = fraction ?? '';
    nanos += BigInt(`0${whole}`) * scale + (BigInt(`0${digits}`) * scale) / 10n ** BigInt(digits.length);
  }
  return nanos;
}

/** Seconds with as many digits as are needed: `90s`, `1.5s`. */
export function formatDuration(nanos: bigint): string {
  const positive = nanos < 0n ? -nanos : nanos;
  const rest = positive % billion;
  const digits = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${nanos < 0n ? '-' : ''}${positive / billion}${digits}s`;
}
