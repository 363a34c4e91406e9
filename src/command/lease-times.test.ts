import { Command } from 'commander';
import { expect, test } from 'vitest';
import { leaseOptions } from './lease-options.ts';
import { leaseTimes } from './lease-times.ts';

const usual = leaseOptions(new Command('x')).parse([], { from: 'user' }).opts();

test('the usual times are those of Kubernetes', () => {
  expect(leaseTimes(usual)).toEqual({ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 });
});

test('all of them can be given', () => {
  expect(leaseTimes({ leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '500ms' })).toEqual({
    leaseDuration: 3_000,
    renewDeadline: 2_000,
    retryPeriod: 500,
  });
});

test.for([
  [{ leaseDuration: 'long' }, '--lease-duration long is not a duration above 0'],
  [{ leaseDuration: '' }, '--lease-duration  is not a duration above 0'],
  [{ retryPeriod: '0' }, '--retry-period 0 is not a duration above 0'],
  [{ leaseDuration: '1500ms' }, '--lease-duration is in whole seconds'],
  [{ leaseDuration: '10s' }, '--renew-deadline must be less than --lease-duration'],
  [{ renewDeadline: '2s' }, '--retry-period must be less than --renew-deadline'],
] as const)('%o is refused', ([given, message]) => {
  expect(() => leaseTimes({ ...usual, ...given })).toThrow(message);
});
