import { expect, test } from 'vitest';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { planDisruptions } from '../sim/plan-disruptions.ts';
import { playWorld } from '../sim/play-world.ts';

test(
  'whoever takes pods and claims away, releases break no rule and come to the declared state',
  { timeout: 120_000 },
  async () => {
    const judged: Record<string, number> = {};
    for (let seed = 1; seed <= 4; seed += 1) {
      const played = await playWorld(planDisruptions(seed));
      expect({ seed, complaints: played.complaints }).toEqual({ seed, complaints: [] });
      for (const [name, count] of Object.entries(played.judged)) judged[name] = (judged[name] ?? 0) + count;
    }
    for (const name of ['claimedPods', 'keptClaims', 'onDelete', 'lastPods'])
      expect({ name, count: judged[name] }).toEqual({ name, count: expect.any(Number) as number });
    expect(
      Math.min(...['claimedPods', 'keptClaims', 'lastPods'].map((name) => judged[name] ?? 0)),
    ).toBeGreaterThan(0);
  },
);

testBrokenDecisions({
  sort: 'disruptions',
  usual: 'releases',
  sources: ['src/releases/', 'src/hooks/', 'src/loop/'],
  least: 5,
  play: (seed) => playWorld(planDisruptions(seed)),
});
