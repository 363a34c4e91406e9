import { expect, test } from 'vitest';
import { limitIn } from '#edge/open-file-limit.ts';
import { addressGroup } from './address-group.ts';
import { connectionLimitsOf } from './connection-limits.ts';

test.for([16, 64, 256, 1024, 4096, 20_000, 1_048_576, Number.POSITIVE_INFINITY])(
  'with %d open files there is room for everybody, and some is kept for files',
  (openFiles) => {
    const limits = connectionLimitsOf(openFiles);
    const { unauthenticated, unauthenticatedPerAddress, authenticated, perUser } = limits;
    expect(unauthenticated + authenticated).toBeLessThanOrEqual(Math.min(openFiles * 0.875, 65_536));
    expect(unauthenticatedPerAddress).toBeLessThanOrEqual(unauthenticated);
    expect(perUser).toBeLessThanOrEqual(authenticated);
    for (const limit of Object.values(limits)) expect(limit).toBeGreaterThanOrEqual(2);
  },
);

test('with 1024 open files one user has 504 connections, and strangers 224', () => {
  expect(connectionLimitsOf(1024)).toEqual({
    unauthenticated: 224,
    unauthenticatedPerAddress: 168,
    authenticated: 672,
    perUser: 504,
  });
});

test.for([
  ['Max open files            1024                 524288               files', 1024],
  ['Max open files            unlimited            unlimited            files', Number.POSITIVE_INFINITY],
  ['Max processes             unlimited            unlimited            processes', 4096],
] as const)('the limit in %j is %d', ([line, limit]) => {
  expect(limitIn(`Limit  Soft Limit  Hard Limit  Units\n${line}\n`)).toBe(limit);
});

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts to %s', ([address, group]) => {
  expect(addressGroup(address ?? '')).toBe(group);
});
