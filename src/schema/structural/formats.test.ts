import { expect, test } from 'vitest';
import { formatCheck } from '#schema/formats/formats.ts';

test.for<[format: string, good: readonly string[], bad: readonly string[]]>([
  [
    'date-time',
    ['2020-02-29T23:59:59Z', '2020-01-01t00:00:00.123+02:00'],
    ['yesterday', '2021-02-29T00:00:00Z', '2020-01-01T24:00:00Z', ''],
  ],
  ['date', ['2020-12-31'], ['2020-13-01', '2020-1-1']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['x', '']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  ['email', ['a@example.com', 'A Person <a@example.com>'], ['x', '@', 'a b@example.com']],
  ['ipv4', ['1.2.3.4'], ['1.2.3', '::1', '1.2.3.256']],
  ['ipv6', ['::1', '2001:db8::1'], ['1.2.3.4', ':::']],
  ['cidr', ['10.0.0.0/8', '2001:db8::/64'], ['10.0.0.0', '10.0.0.0/33']],
  [
    'mac',
    ['00:00:5e:00:53:01', '02-00-5e-10-00-00-00-01', '0000.5e00.5301'],
    ['00:00:5e', '00:00-5e:00:53:01'],
  ],
  ['byte', ['YQ==', 'YWJj'], ['***', 'YQ', '']],
  ['duration', ['1h30m', '-1.5s', '0', '3 days', '5 Hours'], ['5 parsecs', '', 'h']],
  [
    'hostname',
    ['example.com', 'localhost', 'a-b.example.com'],
    ['-a.com', 'a_b', 'a..com', `${'a'.repeat(64)}.com`],
  ],
  [
    'uri',
    ['http://example.com/a?b#c', '/path', 'mailto:a@b.c'],
    ['example.com', '', 'http://a b/', 'http://a/%zz'],
  ],
  ['isbn10', ['0-306-40615-2'], ['0-306-40615-3']],
  ['isbn13', ['978-0-306-40615-7'], ['978-0-306-40615-8']],
  ['isbn', ['0306406152', '9780306406157'], ['1']],
  ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112', '1234']],
  ['ssn', ['111-22-3333'], ['111-222-333']],
  ['hexcolor', ['#fff', 'a1b2c3'], ['#ff', 'ggg']],
  ['rgbcolor', ['rgb(0, 128,255)'], ['rgb(0,0,256)', 'rgb(0,0)']],
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f']],
  ['password', ['', 'anything'], []],
])('%s', ([format, good, bad]) => {
  const check = formatCheck(format);
  expect(good.filter((each) => check?.(each) !== true)).toEqual([]);
  expect(bad.filter((each) => check?.(each) !== false)).toEqual([]);
});

test.for(['int32', 'int64', 'double', 'quantity', 'constructor', ''])('%j is not checked', (format) => {
  expect(formatCheck(format)).toBeUndefined();
});

test('a text that is far too long is refused at once', () => {
  expect(formatCheck('duration')?.('1'.repeat(1_000_000))).toBe(false);
});
