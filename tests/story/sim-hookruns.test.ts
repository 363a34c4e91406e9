import { expect, test } from 'vitest';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { planHookRuns } from '../sim/plan-hook-runs.ts';
import { playWorld } from '../sim/play-world.ts';
import { addCounts, sumOf } from '../sim/tally.ts';

test(
  'whatever happens to hook runs, answers are counted once and their verdicts follow from the limits',
  { timeout: 60_000 },
  async () => {
    const judged: Record<string, number> = {};
    for (let seed = 1; seed <= 12; seed += 1) {
      const played = await playWorld(planHookRuns(seed));
      expect({ seed, complaints: played.complaints }).toEqual({ seed, complaints: [] });
      expect(played.histories).toBe(32);
      expect(sumOf(played.faults)).toBeGreaterThan(0);
      addCounts(judged, played.judged);
    }
    expect(judged['measurements']).toBeGreaterThan(1000);
    expect(judged['decidedMetrics']).toBeGreaterThan(400);
  },
);

test('seed 300472, which once broke a rule, holds: a lost answer to the first status of a run', async () => {
  expect((await playWorld(planHookRuns(300_472))).complaints).toEqual([]);
});

test.each([3_000_570, 3_001_091])(
  'seed %i, which once broke a rule, holds: a late first status of a process that was killed',
  async (seed) => {
    expect((await playWorld(planHookRuns(seed))).complaints).toEqual([]);
  },
);

test('the same plan holds on the whole embedded server', { timeout: 60_000 }, async () => {
  const { complaints, histories } = await playWorld(planHookRuns(101, { subjects: 4, rounds: 2 }), {
    server: 'embedded',
  });
  expect(complaints).toEqual([]);
  expect(histories).toBe(8);
});

testBrokenDecisions({
  sort: 'hookruns',
  usual: 'releases',
  sources: ['src/hooks/'],
  least: 4,
  play: (seed) => playWorld(planHookRuns(seed)),
});
