import { expect, test } from 'vitest';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { planDisruptions } from '../sim/plan-disruptions.ts';
import { playWorld } from '../sim/play-world.ts';

test(
  'whoever takes pods and claims away, releases break no rule and come to the declared state',
  { timeout: 120_000 },
  async () => {
    const judged: Record<string, number> = {};
    for (const seed of [1, 2]) {
      const played = await playWorld(planDisruptions(seed));
      expect({ seed, complaints: played.complaints }).toEqual({ seed, complaints: [] });
      for (const [name, count] of Object.entries(played.judged)) judged[name] = (judged[name] ?? 0) + count;
    }
    const seldom = ['claimedPods', 'keptClaims', 'onDelete', 'lastPods'].filter((name) => !judged[name]);
    expect(seldom).toEqual([]);
  },
);

test.for([
  [30015, 'pods that are too many removed while too few others are in service'],
  [30065, 'a second hook run for a pod of a workload in deletion'],
  [200798, 'a pod in service removed by a controller whose clock is behind'],
  [200137, 'a pod let go by an annotation that its user had withdrawn'],
  [1172, 'a shard that takes a pod that is gone for one of another shard'],
  [7314, 'a lost pod made again when steps were added before the first pod was updated'],
  [3000090, 'a pod of an ordered set removed while too few pods of an older revision are in service'],
  [3000186, 'a lost pod made of a template that its user had set back in the middle of the release'],
  [3000327, 'a pod that arrived late and was not seen counts for the partition as soon as it is seen'],
  [3000426, 'a late write that lets a pod go by a hook run that was replaced since'],
  [500163, 'a pod that is not available yet is no loss, also after a clock was ahead'],
  [4000591, 'the event of a deadline about a pod that is let go by a write that arrives late'],
  [3_000_218, 'a pod made for a claim that goes, which an informer that paused too long had not shown'],
] as const)('seed %i, which once broke a rule, holds: %s', { timeout: 60_000 }, async ([seed]) => {
  expect((await playWorld(planDisruptions(seed))).complaints).toEqual([]);
});

test('the same plan holds on the whole embedded server, whose nodes stay', { timeout: 60_000 }, async () => {
  const plan = planDisruptions(103, { subjects: 4, rounds: 2 });
  const { complaints, judged } = await playWorld(plan, { server: 'embedded' });
  expect(complaints).toEqual([]);
  expect(judged['claimedPods']).toBeGreaterThan(0);
});

testBrokenDecisions({
  sort: 'disruptions',
  usual: 'releases',
  sources: ['src/releases/', 'src/hooks/', 'src/loop/'],
  least: 5,
  play: (seed) => playWorld(planDisruptions(seed)),
});
