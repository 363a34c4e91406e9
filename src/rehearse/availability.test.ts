import { expect, test } from 'vitest';
import { availabilityOf } from './availability.ts';
import type { PodSample } from './rehearsal-report.ts';

const samples = (...counts: readonly (readonly [at: number, inService: number])[]): readonly PodSample[] =>
  counts.map(([at, inService]) => ({
    at,
    updated: 9,
    updatedInService: inService,
    others: 0,
    othersInService: 0,
  }));

test.for([
  { name: 'pods that stay', pods: samples([0, 10]), lowest: 10, lowestAt: 0 },
  { name: 'fewer pods later', pods: samples([0, 10], [120, 4]), lowest: 4, lowestAt: 120 },
  { name: 'the first of equal ones', pods: samples([0, 4], [5, 3], [9, 3]), lowest: 3, lowestAt: 5 },
])('$name', ({ pods, lowest, lowestAt }) => {
  expect(availabilityOf(pods, 3)).toEqual({ lowest, lowestAt, promised: 3 });
});
