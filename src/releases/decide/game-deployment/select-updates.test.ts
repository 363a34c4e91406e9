import { expect, test } from 'vitest';
import { podFrom } from '#releases/decide/testing/cases/pod-short.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import { noon } from '#kube/workload/testing/objects.ts';
import { selectUpdates } from './select-updates.ts';

type Row = {
  readonly name: string;
  readonly pods: readonly string[];
  readonly replicas: number;
  readonly maxUnavailable: number;
  readonly partition?: number;
  readonly minReadySeconds?: number;
  readonly chosen?: string;
  readonly expect: { readonly selected: readonly string[]; readonly postponed?: number };
};

const three = ['a old', 'b old', 'c old'];

/** The worked values, and what follows from them. */
const rows: readonly Row[] = [
  {
    name: 'all ready',
    pods: three,
    replicas: 3,
    maxUnavailable: 1,
    expect: { selected: ['a'], postponed: 2 },
  },
  {
    name: 'the one that is not ready, and no other',
    pods: ['a old', 'b old', 'c old unready'],
    replicas: 3,
    maxUnavailable: 1,
    expect: { selected: ['c'], postponed: 2 },
  },
  {
    name: 'one that is not ready and is no candidate',
    pods: ['a old', 'b old', 'c new unready'],
    replicas: 3,
    maxUnavailable: 1,
    expect: { selected: [], postponed: 2 },
  },
  {
    name: 'surge only, one pod more',
    pods: ['a old', 'b old', 'c old', 'd old', 'e new'],
    replicas: 4,
    maxUnavailable: 0,
    expect: { selected: ['a'], postponed: 3 },
  },
  {
    name: 'two pods more and one that may be out',
    pods: ['a old', 'b old', 'c old', 'd old', 'e new', 'f new'],
    replicas: 4,
    maxUnavailable: 1,
    expect: { selected: ['a', 'b', 'c'], postponed: 1 },
  },
  { name: 'neither', pods: three, replicas: 3, maxUnavailable: 0, expect: { selected: [], postponed: 3 } },
  {
    name: 'the partition keeps two',
    pods: three,
    replicas: 3,
    maxUnavailable: 3,
    partition: 2,
    expect: { selected: ['a'], postponed: 0 },
  },
  {
    name: 'the partition keeps more than there are',
    pods: three,
    replicas: 3,
    maxUnavailable: 3,
    partition: 9,
    expect: { selected: [], postponed: 0 },
  },
  {
    name: 'fewer pods than wanted shrink the budget',
    pods: ['a old', 'b old'],
    replicas: 3,
    maxUnavailable: 1,
    expect: { selected: [], postponed: 2 },
  },
  {
    name: 'a pod that is ready and not yet available is counted once',
    pods: ['a old ready:-1', 'b old', 'c old'],
    replicas: 3,
    maxUnavailable: 2,
    minReadySeconds: 30,
    expect: { selected: ['a', 'b'], postponed: 1 },
  },
  {
    name: 'who was chosen before is first',
    pods: three,
    replicas: 3,
    maxUnavailable: 1,
    chosen: 'c',
    expect: { selected: ['c'], postponed: 2 },
  },
  { name: 'nobody is old', pods: ['a new'], replicas: 1, maxUnavailable: 1, expect: { selected: [] } },
];

test.for(rows)('$name', (row) => {
  const { replicas, maxUnavailable, partition = 0, minReadySeconds = 0 } = row;
  const { selected, postponed } = selectUpdates({
    pods: row.pods.map((line) => releasePodOf(podFrom(line, {}))),
    targetRevision: 'new',
    partition,
    replicas,
    maxUnavailable,
    minReadySeconds,
    isChosen: ({ facts }) => facts.name === `gd-${row.chosen ?? ''}`,
    now: noon,
  });
  expect(selected.map(({ facts }) => facts.name.slice(3))).toEqual(row.expect.selected);
  expect(postponed).toBe(row.expect.postponed ?? 0);
});
