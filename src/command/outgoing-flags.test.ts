import { expect, test } from 'vitest';
import { collected } from './list-flag.ts';
import { outgoingPolicy } from './outgoing-flags.ts';

test('lists are given with commas, or one after the other', () => {
  expect(collected('b, c,', collected('a'))).toEqual(['a', 'b', 'c']);
});

test('names and ranges of addresses are told apart', () => {
  const given = { outgoingAllow: ['*.example.com', '10.0.0.0/8'], outgoingDeny: ['10.1.2.3', '::1'] };
  expect(outgoingPolicy(given, { allowLoopback: true })).toEqual({
    allowHosts: ['*.example.com'],
    allowCidrs: ['10.0.0.0/8'],
    denyHosts: [],
    denyCidrs: ['10.1.2.3', '::1'],
    allowLoopback: true,
  });
});

test('what is neither is named', () => {
  expect(() => outgoingPolicy({ outgoingAllow: ['http://x'] }, { allowLoopback: false })).toThrow('http://x');
});
