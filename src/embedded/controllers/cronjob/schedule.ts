import { formatTime, instant, type Instant } from '#base/time.ts';

/** A schedule in the five fields of cron, or a fixed rhythm. */
export type Schedule =
  | {
      readonly type: 'fields';
      readonly minutes: ReadonlySet<number>;
      readonly hours: ReadonlySet<number>;
      readonly days: ReadonlySet<number>;
      readonly months: ReadonlySet<number>;
      readonly weekdays: ReadonlySet<number>;
      /** Both days are given: either will do. */
      readonly isEitherDay: boolean;
    }
  | { readonly type: 'every'; readonly seconds: number };

type Field = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: ['', ...months] },
  { name: 'day of week', least: 0, most: 6, names: weekdays },
] as const satisfies readonly Field[];

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The text is not a schedule; the message is the reason. */
export class ScheduleError extends Error {}

export function parseSchedule(text: string): Schedule {
  const every = /^@every (.+)$/.exec(text)?.[1];
  if (every !== undefined) return { type: 'every', seconds: Math.max(1, Math.floor(durationOf(every))) };
  const parts = (shorthands[text] ?? text).trim().split(/\s+/);
  if (text.startsWith('@') && shorthands[text] === undefined)
    throw new ScheduleError(`unrecognized descriptor: ${text}`);
  if (parts.length !== 5)
    throw new ScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minute, hour, day, month, weekday] = fields;
  const at = (index: number): string => parts[index] ?? '*';
  return {
    type: 'fields',
    minutes: parseField(at(0), minute),
    hours: parseField(at(1), hour),
    days: parseField(at(2), day),
    months: parseField(at(3), month),
    weekdays: parseField(at(4), weekday),
    isEitherDay: !isOpen(at(2)) && !isOpen(at(4)),
  };
}

/** Any day will do; every second day will not. */
const isOpen = (text: string): boolean => text.split(',').some((part) => /^[*?](?:\/0*1)?$/.test(part));

function parseField(text: string, field: Field): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of text.split(',')) addRange(part, field, found);
  return found;
}

function addRange(text: string, field: Field, found: Set<number>): void {
  const [range = '', stepText, ...tooMany] = text.split('/');
  if (tooMany.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  const [first, last] = boundsOf(range, field, stepText !== undefined);
  if (first < field.least)
    throw new ScheduleError(`beginning of range (${first}) below minimum (${field.least}): ${text}`);
  if (last > field.most)
    throw new ScheduleError(`end of range (${last}) above maximum (${field.most}): ${text}`);
  if (first > last)
    throw new ScheduleError(`beginning of range (${first}) beyond end of range (${last}): ${text}`);
  for (let value = first; value <= last; value += step) found.add(value);
}

function boundsOf(range: string, field: Field, hasStep: boolean): readonly [number, number] {
  if (range === '*' || range === '?') return [field.least, field.most];
  const [low = '', high, ...tooMany] = range.split('-');
  if (tooMany.length > 0) throw new ScheduleError(`too many hyphens: ${range}`);
  const first = valueOf(low, field);
  if (high !== undefined) return [first, valueOf(high, field)];
  // `5/15` means: from five on.
  return [first, hasStep ? field.most : first];
}

function valueOf(text: string, field: Field): number {
  const named = text === '' ? -1 : (field.names?.indexOf(text.toLowerCase()) ?? -1);
  return named >= 0 ? named : numberOf(text);
}

function numberOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ScheduleError(
    `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`,
  );
}

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Seconds of a duration such as `1h30m`. */
function durationOf(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) {
    throw new ScheduleError(`failed to parse duration @every ${text}: time: invalid duration "${text}"`);
  }
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    sum += Number(amount) * (units[unit ?? ''] ?? 0);
  }
  return sum;
}

/** How far local time is ahead of UTC at a moment, in milliseconds. */
export type Offset = (at: Instant) => number;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A schedule such as the thirtieth of February never comes. */
const horizon = 5 * 366 * day;

/** The first time after `from`; undefined when there is none within five years. */
export function nextTime(schedule: Schedule, from: Instant, offset: Offset): Instant | undefined {
  if (schedule.type === 'every') {
    return instant(Math.floor(from / 1000) * 1000 + schedule.seconds * 1000);
  }
  const end = from + horizon;
  let time = Math.floor(from / minute) * minute + minute;
  while (time <= end) {
    const local = time + offset(instant(time));
    const date = civilOf(local);
    if (!schedule.months.has(date.month) || !isDay(schedule, date)) time = nextMidnight(time, offset);
    else if (!schedule.hours.has(date.hour)) time += hour - (((local % hour) + hour) % hour);
    else if (!schedule.minutes.has(date.minute)) time += minute;
    else return instant(time);
  }
  return undefined;
}

/** The beginning of the next local day, which is an hour early or late where the clocks change. */
function nextMidnight(time: number, offset: Offset): number {
  const local = time + offset(instant(time));
  const today = Math.floor(local / day);
  const guess = (today + 1) * day - (local - time);
  const there = guess + offset(instant(guess));
  const exact = guess + (today + 1) * day - there;
  // Where midnight itself is skipped, the day begins with the guess.
  return Math.floor((exact + offset(instant(exact))) / day) > today ? exact : Math.max(guess, exact);
}

type Civil = {
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
};

function isDay(schedule: Schedule & { readonly type: 'fields' }, date: Civil): boolean {
  const isDate = schedule.days.has(date.day);
  const isWeekday = schedule.weekdays.has(date.weekday);
  return schedule.isEitherDay ? isDate || isWeekday : isDate && isWeekday;
}

/** Local time is read from its own print. */
function civilOf(local: number): Civil {
  const text = formatTime(instant(local));
  const days = Math.floor(local / day);
  return {
    month: Number(text.slice(-15, -13)),
    day: Number(text.slice(-12, -10)),
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Number(text.slice(-9, -7)),
    minute: Number(text.slice(-6, -4)),
  };
}
