import { parseTime, type Instant } from '#base/time.ts';
import type { Offset } from './schedule.ts';

/** The offset of a named zone; undefined when the zone is unknown. */
export type TimeZones = (name: string) => Offset | undefined;

const utc: Offset = () => 0;

/** Zones of the IANA database as the JavaScript engine has them. */
export const knownZones: TimeZones = (name) => {
  if (name === '' || name === 'UTC' || name === 'Etc/UTC') return utc;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (at) => offsetIn(format, at);
  } catch {
    // The engine throws for unknown zones.
    return undefined;
  }
};

function offsetIn(format: Intl.DateTimeFormat, at: Instant): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const two = (name: Intl.DateTimeFormatPartTypes): string => (parts.get(name) ?? '').padStart(2, '0');
  const date = `${(parts.get('year') ?? '').padStart(4, '0')}-${two('month')}-${two('day')}`;
  const local = parseTime(`${date}T${two('hour')}:${two('minute')}:${two('second')}Z`);
  return (local ?? at) - Math.floor(at / 1000) * 1000;
}
