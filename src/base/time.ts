/** Milliseconds since 1970, UTC. Made by a Clock or a parser. */
export type Instant = number & { readonly __brand: 'Instant' };
/** A span of milliseconds. */
export type Millis = number & { readonly __brand: 'Millis' };

/** Time as it is handed in. A sleep that is aborted rejects with the signal's reason. */
export type Clock = {
  now(): Instant;
  /** Milliseconds since a fixed moment, whatever the time is set to. Left out where nobody sets the time. */
  steady?(): number;
  sleep(span: Millis, signal: AbortSignal): Promise<void>;
  /** Runs `task` once after `span`; the answer cancels it. Never keeps the process alive by itself. */
  after(span: Millis, task: () => void): () => void;
};

export const millis = (count: number): Millis => count as Millis;
export const seconds = (count: number): Millis => (count * 1000) as Millis;
export const minutes = (count: number): Millis => (count * 60_000) as Millis;
export const instant = (count: number): Instant => count as Instant;
export const later = (from: Instant, span: Millis): Instant => (from + span) as Instant;

const dayMillis = 86_400_000;
const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`);

/** Year, month and day of a count of days since 1970-01-01 (proleptic Gregorian). */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysFromCivil(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateAndTime(at: Instant): string {
  const days = Math.floor(at / dayMillis);
  const { year, month, day } = civil(days);
  const rest = Math.floor((at - days * dayMillis) / 1000);
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}`;
}

/** RFC 3339 in UTC to the second, as Kubernetes writes `metav1.Time`: `2026-11-15T04:47:49Z`. */
export function formatTime(at: Instant): string {
  return `${dateAndTime(at)}Z`;
}

/** RFC 3339 in UTC with six digits, as Kubernetes writes `metav1.MicroTime`. */
export function formatMicroTime(at: Instant): string {
  const micros = Math.round((at - Math.floor(at / 1000) * 1000) * 1000);
  return `${dateAndTime(at)}.${String(micros).padStart(6, '0')}Z`;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339 with any offset; undefined when the text is not such a time. */
export function parseTime(text: string): Instant | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const part = (i: number): number => Number(match[i] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const days = daysFromCivil(year, month, day);
  const back = civil(days);
  if (back.month !== month || back.day !== day) return undefined;
  const fraction = Number(`0.${match[7] ?? '0'}`) * 1000;
  const offset = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10)) * 60_000;
  return instant(days * dayMillis + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset);
}
