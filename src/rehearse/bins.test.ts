import { expect, test } from 'vitest';
import { binsFor, binsOf } from './bins.ts';

const complete = (values: readonly number[]): Parameters<typeof binsOf>[0] =>
  values.map((value) => ({ value, type: 'Completes' as const }));

const shown = (values: readonly number[], mostBins: number): readonly string[] =>
  binsOf(complete(values), mostBins).map(
    ({ from, to, runs }) => `${from}-${to}: ${runs.get('Completes') ?? 0}`,
  );

test.for([
  { name: 'nothing', values: [], bins: [] },
  { name: 'one value', values: [7, 7], bins: ['7-7: 2'] },
  { name: 'a bin for each value', values: [1, 3, 3], bins: ['1-1: 1', '2-2: 0', '3-3: 2'] },
  { name: 'wider bins', values: [0, 1, 2, 10], bins: ['0-2: 3', '3-5: 0', '6-8: 0', '9-10: 1'] },
])('$name', ({ values, bins }) => {
  expect(shown(values, 5)).toEqual(bins);
});

test('each outcome is counted by itself', () => {
  const [bin] = binsOf([...complete([2]), { value: 2, type: 'Stops' }], 5);
  expect(bin?.runs).toEqual(
    new Map([
      ['Completes', 1],
      ['Stops', 1],
    ]),
  );
});

test('the number of bins grows with the number of rehearsals, up to 20', () => {
  expect([2, 100, 100_000].map(binsFor)).toEqual([5, 10, 20]);
});
