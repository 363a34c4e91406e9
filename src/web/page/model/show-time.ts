import { formatAge } from '#base/age.ts';
import { parseTime, type Instant, type Millis } from '#base/time.ts';

/** Clocks are compared to whole seconds, and what is shown is up to a second old: so close a time is not ahead. */
const tolerance = 3000;

/** `in 45s`, `3m2s ago`; empty for a text that is no time. */
export function relativeTime(text: string, now: Instant): string {
  const time = parseTime(text);
  if (time === undefined) return '';
  const span = now - time;
  if (span < 0 && span > -tolerance) return '0s ago';
  return span < 0 ? `in ${formatAge(-span as Millis)}` : `${formatAge(span as Millis)} ago`;
}

/** What is left until a time: `0:45`, `1:02:03`; `0:00` when it has passed. */
export function countdown(text: string, now: Instant): string {
  const left = Math.max(0, Math.ceil(((parseTime(text) ?? now) - now) / 1000));
  const two = (count: number): string => String(count).padStart(2, '0');
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

/** `2m5s` */
export const spanOf = (seconds: number): string => formatAge((seconds * 1000) as Millis);
