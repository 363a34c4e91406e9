import { expect, test } from 'vitest';
import { planWorld } from '../sim/happenings.ts';
import { playWorld } from '../sim/play-world.ts';
import { shrink } from '../sim/shrink.ts';

const size = 4;

test.for([1, 2, 3, 4, 5, 6])(
  'whatever happens to releases of world %i, they break no rule and come to the declared state',
  { timeout: 120_000 },
  async (seed) => {
    const { complaints, judged, faults } = await playWorld(planWorld(seed, size));
    expect(complaints).toEqual([]);
    expect(judged['updated']).toBeGreaterThan(0);
    expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  },
);

test('the same seed gives the same history, another seed another', { timeout: 120_000 }, async () => {
  const one = await playWorld(planWorld(7, size));
  const two = await playWorld(planWorld(7, size));
  const other = await playWorld(planWorld(8, size));
  expect(two.trace).toEqual(one.trace);
  expect(other.trace).not.toEqual(one.trace);
});

test('a failing plan is shrunk to the parts that matter', async () => {
  const plan = planWorld(9, 6);
  const wanted = plan.histories.findIndex(({ happenings }) =>
    happenings.some(({ type }) => type === 'image'),
  );
  expect(wanted).toBeGreaterThanOrEqual(0);
  const fails = (each: typeof plan): Promise<boolean> =>
    Promise.resolve(each.histories.some(({ happenings }) => happenings.some(({ type }) => type === 'image')));
  const small = await shrink(plan, fails, 1000);
  expect(small.histories).toHaveLength(1);
  expect(small.faults).toEqual([]);
  expect(small.histories[0]?.happenings.map(({ type }) => type)).toEqual(['image']);
});
