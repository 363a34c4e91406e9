import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { judgeBy } from './policy.ts';
import { CallRefused, judgedLookup, remembering } from './resolve.ts';

const address = (text: string): LookupAddress => ({ address: text, family: text.includes(':') ? 6 : 4 });

test('a name is asked for once at a time, and its answer holds for a while', async () => {
  const clock = manualClock(0);
  const asked: string[] = [];
  const answer = Promise.withResolvers<readonly LookupAddress[]>();
  const find = remembering((host) => {
    asked.push(host);
    return answer.promise;
  }, clock);
  const waiting = [find('a'), find('a'), find('b')];
  clock.advance(seconds(30));
  waiting.push(find('a'));
  answer.resolve([address('1.1.1.1')]);
  await Promise.all(waiting);
  expect(asked).toEqual(['a', 'b']);
  clock.advance(seconds(4));
  await find('a');
  expect(asked).toHaveLength(2);
  clock.advance(seconds(2));
  await find('a');
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a name that hangs is asked for again after a minute, one that fails after a second', async () => {
  const clock = manualClock(0);
  const asked: string[] = [];
  const find = remembering((host) => {
    asked.push(host);
    return host === 'hangs' ? new Promise(() => undefined) : Promise.reject(new Error('unknown'));
  }, clock);
  void find('hangs');
  await expect(find('fails')).rejects.toThrow('unknown');
  await expect(find('fails')).rejects.toThrow('unknown');
  clock.advance(seconds(2));
  void find('hangs');
  await expect(find('fails')).rejects.toThrow('unknown');
  expect(asked).toEqual(['hangs', 'fails', 'fails']);
  clock.advance(seconds(60));
  void find('hangs');
  expect(asked).toHaveLength(4);
});

const lookUp = (addresses: readonly string[], all: boolean): Promise<unknown[]> =>
  new Promise((resolve) => {
    const find = () => Promise.resolve(addresses.map(address));
    judgedLookup('a.example', find, judgeBy({}))('ignored', { all }, (...told) => resolve(told));
  });

test('a socket is told only addresses that are allowed', async () => {
  const mixed = ['169.254.169.254', '2001:db8::1', '127.0.0.1', '10.0.0.1'];
  expect(await lookUp(mixed, true)).toEqual([null, [address('2001:db8::1'), address('10.0.0.1')]]);
  expect(await lookUp(mixed, false)).toEqual([null, '2001:db8::1', 6]);
});

test.for<[string[], RegExp]>([
  [['127.0.0.1', 'fe80::1'], /^a\.example has the address fe80::1: a link-local address/],
  [[], /^a\.example has no address/],
])('%j leaves nothing to connect to', async ([addresses, says]) => {
  const [error] = await lookUp(addresses, true);
  expect(error).toBeInstanceOf(CallRefused);
  expect((error as Error).message).toMatch(says);
});
