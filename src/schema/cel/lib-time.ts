import { memoize } from '#base/memoize.ts';
import { formatTime, instant, parseTime } from '#base/time.ts';
import type { OverloadRow } from './overload.ts';
import { isTimestamp, secondsOf } from './time-text.ts';
import { failed, type CelError, type Duration, type Timestamp, type CelValue } from './value.ts';

const timestampOverflow = failed('timestamp overflow');
const durationOverflow = failed('duration overflow');

const timestamp = (nanos: bigint): CelValue =>
  isTimestamp(nanos) ? { kind: 'timestamp', nanos } : timestampOverflow;
const duration = (nanos: bigint): CelValue =>
  BigInt.asIntN(64, nanos) === nanos ? { kind: 'duration', nanos } : durationOverflow;

type Timed = Timestamp | Duration;

const arithmetic: readonly OverloadRow[] = [
  ['_+_(duration, duration): duration', (a: Timed, b: Timed) => duration(a.nanos + b.nanos)],
  ['_+_(timestamp, duration): timestamp', (a: Timed, b: Timed) => timestamp(a.nanos + b.nanos)],
  ['_+_(duration, timestamp): timestamp', (a: Timed, b: Timed) => timestamp(a.nanos + b.nanos)],
  ['_-_(duration, duration): duration', (a: Timed, b: Timed) => duration(a.nanos - b.nanos)],
  ['_-_(timestamp, timestamp): duration', (a: Timed, b: Timed) => duration(a.nanos - b.nanos)],
  ['_-_(timestamp, duration): timestamp', (a: Timed, b: Timed) => timestamp(a.nanos - b.nanos)],
];

/** The civil time of a count of seconds, read off its text. */
type Civil = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly days: number;
  readonly nanos: bigint;
};

function civilOf(nanos: bigint): Civil {
  const total = secondsOf(nanos);
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = formatTime(
    instant(Number(total) * 1000),
  )
    .split(/[-:TZ]/)
    .map(Number);
  const days = Math.floor(Number(total) / 86_400);
  return { year, month, day, hours, minutes, seconds, days, nanos: nanos - total * 1_000_000_000n };
}

const dayOfYear = ({ year, days }: Civil): number => {
  const newYear = parseTime(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`) ?? 0;
  return days - newYear / 86_400_000;
};

const parts: readonly (readonly [string, (civil: Civil) => number])[] = [
  ['getFullYear', (civil) => civil.year],
  ['getMonth', (civil) => civil.month - 1],
  ['getDate', (civil) => civil.day],
  ['getDayOfMonth', (civil) => civil.day - 1],
  ['getDayOfWeek', (civil) => (((civil.days + 4) % 7) + 7) % 7],
  ['getDayOfYear', dayOfYear],
  ['getHours', (civil) => civil.hours],
  ['getMinutes', (civil) => civil.minutes],
  ['getSeconds', (civil) => civil.seconds],
  ['getMilliseconds', (civil) => Number(civil.nanos / 1_000_000n)],
];

const getters: readonly OverloadRow[] = parts.flatMap(([name, part]): readonly OverloadRow[] => [
  [`timestamp.${name}(): int`, ({ nanos }: Timestamp) => BigInt(part(civilOf(nanos)))],
  [
    `timestamp.${name}(string): int`,
    ({ nanos }: Timestamp, zone: string) => {
      const offset = offsetOf(zone, nanos);
      return typeof offset === 'bigint' ? BigInt(part(civilOf(nanos + offset))) : offset;
    },
  ],
]);

/** The offset of a zone at a time, in nanoseconds: `02:00`, `-08:00` or a name such as `Europe/Berlin`. */
function offsetOf(zone: string, nanos: bigint): bigint | CelError {
  const match = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (match !== null) {
    const minutes = BigInt(match[2] ?? '0') * 60n + BigInt(match[3] ?? '0');
    return (match[1] === '-' ? -minutes : minutes) * 60_000_000_000n;
  }
  return namedOffset(zone, nanos) ?? failed(`unknown time zone ${zone}`);
}

const formatOf = memoize(
  1000,
  (zone) => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }),
);

function namedOffset(zone: string, nanos: bigint): bigint | undefined {
  try {
    const seconds = secondsOf(nanos);
    const format = formatOf(zone);
    const name = format.formatToParts(Number(seconds) * 1000).find((each) => each.type === 'timeZoneName');
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name?.value ?? '') ?? [];
    const total = (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000_000n;
    return sign === '-' ? -total : total;
  } catch {
    return undefined;
  }
}

const spans: readonly (readonly [string, bigint])[] = [
  ['getHours', 3_600_000_000_000n],
  ['getMinutes', 60_000_000_000n],
  ['getSeconds', 1_000_000_000n],
  ['getMilliseconds', 1_000_000n],
];

export const times: readonly OverloadRow[] = [
  ...arithmetic,
  ...getters,
  ...spans.map(([name, unit]): OverloadRow => [
    `duration.${name}(): int`,
    ({ nanos }: Duration) => nanos / unit,
  ]),
];
