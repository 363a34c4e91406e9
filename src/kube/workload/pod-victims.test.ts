import { expect, test } from 'vitest';
import { nameOf } from '#kube/object.ts';
import { after, podOf, type PodGiven } from './testing/objects.ts';
import { chooseVictims } from './pod-victims.ts';

const first = (given: readonly PodGiven[]): string => {
  const pods = given.map((each) => podOf(each));
  return nameOf(chooseVictims(pods, 1, pods, after(100_000))[0] ?? {});
};

const ready = { readyAt: 10, node: 'n' };

test.for<readonly [string, PodGiven, PodGiven]>([
  ['an unassigned pod before an assigned one', { name: 'a', readyAt: 1 }, { name: 'b', node: 'n' }],
  [
    'a pending pod before a running one',
    { name: 'a', phase: 'Pending', node: 'n' },
    { name: 'b', node: 'n' },
  ],
  [
    'an unknown pod before a running one',
    { name: 'a', phase: 'Unknown', node: 'n' },
    { name: 'b', node: 'n' },
  ],
  ['an unready pod before a ready one', { name: 'a', node: 'n' }, { name: 'b', ...ready }],
  [
    'the cheaper one',
    { name: 'a', ...ready, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-1' } },
    { name: 'b', ...ready },
  ],
  [
    'the one that has been ready for much less time',
    { name: 'a', ...ready, readyAt: 99_990 },
    { name: 'b', ...ready },
  ],
  ['the one that restarted more', { name: 'a', ...ready, restarts: 3 }, { name: 'b', ...ready, restarts: 1 }],
  ['the much younger one', { name: 'a', ...ready, createdAt: 99_990 }, { name: 'b', ...ready }],
])('who goes first: %s', ([, loser, winner]) => {
  expect(first([winner, loser])).toBe('a');
  expect(first([loser, winner])).toBe('a');
});

test('a crowded node loses a pod first', () => {
  const pods = [podOf({ name: 'a', ...ready, node: 'one' }), podOf({ name: 'b', ...ready, node: 'two' })];
  const family = [...pods, podOf({ name: 'c', ...ready, node: 'two' })];
  expect(chooseVictims(pods, 1, family, after(100)).map(nameOf)).toEqual(['b']);
});

test('ages of the same order of magnitude count as one: the uid decides', () => {
  expect(
    first([
      { name: 'b', ...ready, readyAt: 11 },
      { name: 'a', ...ready },
    ]),
  ).toBe('a');
  expect(
    first([
      { name: 'b', ...ready },
      { name: 'a', ...ready, readyAt: 11 },
    ]),
  ).toBe('a');
});
