import { expect, test } from 'vitest';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { planSharedBudgets } from '../sim/plan-shared-budgets.ts';
import { playWorld } from '../sim/play-world.ts';

test('workloads that share a disruption budget do not overdraw it', { timeout: 60_000 }, async () => {
  // Seeds 11 and 50: the status of a budget lags behind new replicas.
  let restarts = 0;
  for (const seed of [11, 50]) {
    const { complaints, judged } = await playWorld(planSharedBudgets(seed));
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
    restarts += judged['restarts'] ?? 0;
  }
  expect(restarts).toBeGreaterThan(100);
});

test('the same plan holds on the whole embedded server', { timeout: 60_000 }, async () => {
  const plan = planSharedBudgets(3, { subjects: 4, rounds: 2 });
  const { complaints, judged } = await playWorld(plan, { server: 'embedded' });
  expect(complaints).toEqual([]);
  expect(judged['restarts']).toBeGreaterThan(0);
});

testBrokenDecisions({
  sort: 'budgets',
  usual: 'releases',
  sources: ['src/releases/'],
  least: 2,
  play: (seed) => playWorld(planSharedBudgets(seed)),
});
