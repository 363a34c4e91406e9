import { millis, type Millis } from '#base/time.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const whole = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const piece = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** Longer than this is a mistake, and would overflow timers. */
const longest = 365 * 24 * 3_600_000;

/** Reads `250ms`, `5s`, `1m30s`, `0`; undefined for anything else. */
export function parseSpan(text: string): Millis | undefined {
  if (text === '0') return millis(0);
  if (text.length > 40 || !whole.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(piece)) total += Number(count) * (units[unit ?? ''] ?? 0);
  return total <= longest ? millis(total) : undefined;
}

/** Go's format of a duration, as messages of a kubelet print it: `10s`, `1m20s`, `5m0s`, `350ms`. */
export function printSpan(span: Millis): string {
  if (span < 1000) return `${Math.round(span)}ms`;
  const total = Math.round(span / 10) / 100;
  const minutes = Math.floor(total / 60);
  const rest = Number((total - minutes * 60).toFixed(2));
  if (minutes === 0) return `${rest}s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${rest}s` : `${hours}h${minutes % 60}m${rest}s`;
}
