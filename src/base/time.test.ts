import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMicroTime, formatTime, instant, later, minutes, parseTime, seconds } from './time.ts';

/** From the year 1 to the year 9999. */
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

test('times are written as the calendar of the platform has them', () => {
  fc.assert(
    fc.property(moment, (date) => {
      const at = instant(date.getTime());
      const iso = date.toISOString();
      expect(formatTime(at)).toBe(`${iso.slice(0, 19)}Z`);
      expect(formatMicroTime(at)).toBe(`${iso.slice(0, 23)}000Z`);
      expect(parseTime(iso)).toBe(at);
      expect(parseTime(formatMicroTime(at))).toBe(at);
    }),
  );
});

test('an offset moves the instant', () => {
  fc.assert(
    fc.property(moment, fc.nat(23), fc.nat(59), fc.boolean(), (date, hour, minute, east) => {
      const local = date.toISOString().slice(0, 19);
      const offset = `${east ? '+' : '-'}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
      const utc = Math.floor(date.getTime() / 1000) * 1000;
      expect(parseTime(`${local}${offset}`)).toBe(utc - (east ? 1 : -1) * (hour * 60 + minute) * 60_000);
    }),
  );
});

test.for([
  '',
  'never',
  '2020-01-01',
  '2020-01-01T00:00:00',
  '2020-13-01T00:00:00Z',
  '2020-00-01T00:00:00Z',
  '2020-02-30T00:00:00Z',
  '2021-02-29T00:00:00Z',
  '2020-01-01T24:00:00Z',
  '2020-01-01T00:60:00Z',
  '2020-01-01T00:00:61Z',
  '2020-01-01 00:00:00Z',
  '2020-01-01T00:00:00.Z',
  ' 2020-01-01T00:00:00Z',
  '20200-01-01T00:00:00Z',
])('"%s" is no time', (text) => {
  expect(parseTime(text)).toBeUndefined();
});

test('what is no time is not guessed at', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseTime(`${text}x`)).toBeUndefined();
    }),
  );
});

test('microseconds are kept as far as a number can', () => {
  expect(formatMicroTime(parseTime('2020-01-01T00:00:00.123456Z') ?? instant(0))).toBe(
    '2020-01-01T00:00:00.123456Z',
  );
});

test('spans add up', () => {
  expect(later(instant(5), seconds(2))).toBe(2005);
  expect(minutes(2)).toBe(seconds(120));
});
