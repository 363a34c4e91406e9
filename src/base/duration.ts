import { millis, type Millis } from './time.ts';

const unitMillis: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const wholeText = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const onePart = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Reads a span as Go writes it (`1h30m`, `500ms`, `0`); undefined for anything else, negative ones included. */
export function parseDuration(text: string): Millis | undefined {
  if (text === '0') return millis(0);
  if (text.length > 64 || !wholeText.test(text)) return undefined;
  let total = 0;
  for (const [, count = '', unit = ''] of text.matchAll(onePart))
    total += Number(count) * (unitMillis[unit] ?? 0);
  return Number.isFinite(total) ? millis(total) : undefined;
}

/** The text of a schema's `pattern` that accepts the spans people write; finer ones than a millisecond are left out. */
export const durationPattern = String.raw`^(0|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$`;

/** A span for people: `1m30s`, `500ms`, `0s`. */
export function formatDuration(span: Millis): string {
  if (span < 1000) return span === 0 ? '0s' : `${Math.round(span * 1000) / 1000}ms`;
  const parts: string[] = [];
  let rest: number = span;
  for (const [unit, size] of [
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const) {
    if (rest < size) continue;
    parts.push(`${Math.floor(rest / size)}${unit}`);
    rest %= size;
  }
  if (rest > 0) parts.push(`${Math.round(rest) / 1000}s`);
  return parts.join('');
}
