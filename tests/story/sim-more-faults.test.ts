import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { later, seconds } from '#base/time.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import { pods } from '#loop/owned/resources.ts';
import { lateWrites } from '../sim/faults/late-writes.ts';
import { metWrites } from '../sim/faults/met-writes.ts';
import { planMachineWorld } from '../sim/machines/plan-machine-world.ts';
import { planDisruptions } from '../sim/plan-disruptions.ts';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';
import { addCounts } from '../sim/tally.ts';
import { timerOrder } from '../sim/timer-order.ts';

const signal = new AbortController().signal;
const call = { verb: 'create', resource: pods, namespace: 'n', name: 'a', signal } as const;

test(
  'releases with late writes, failing Leases and users who meet writes break no rule',
  { timeout: 120_000 },
  async () => {
    const faults: Record<string, number> = {};
    // Two processes elect a leader in the last one, and divide the workloads in the second; in the first there is one.
    for (const plan of [planWorld(3_000_006), planWorld(3_000_012), planDisruptions(3_000_009)]) {
      const played = await playWorld(plan);
      expect({ seed: plan.seed, complaints: played.complaints }).toEqual({ seed: plan.seed, complaints: [] });
      addCounts(faults, played.faults);
    }
    const expected = [
      'late',
      'late and refused',
      'met writes',
      'partition',
      'leases lost',
      'leases answer lost',
    ];
    expect(expected.filter((name) => !faults[name])).toEqual([]);
  },
);

test('seeds before keep their plans', () => {
  const typesOf = (seed: number): ReadonlySet<string> =>
    new Set(planWorld(seed).rounds.flatMap(({ faults }) => faults.map(({ type }) => type)));
  expect([...typesOf(2_999_999)]).not.toContain('late-writes');
  expect([...typesOf(3_000_000)]).toContain('late-writes');
  const hasMeetings = (seed: number): boolean =>
    planWorld(seed).rounds.some(({ happenings }) => happenings.some(({ meets }) => meets !== undefined));
  expect([hasMeetings(2_999_999), hasMeetings(3_000_000)]).toEqual([false, true]);
});

test('seeds from 4000000 on have timers in any order, and operators without a network', () => {
  expect(timerOrder(3_999_999)).toBeUndefined();
  const order = timerOrder(4_000_000);
  expect(new Set(Array.from({ length: 20 }, () => order?.())).size).toBe(20);
  const isOffline = (seed: number): boolean =>
    planMachineWorld(seed).rounds.some(({ happenings }) => happenings.some(({ type }) => type === 'offline'));
  const seeds = Array.from({ length: 20 }, (_, at) => at);
  expect(seeds.filter((at) => isOffline(3_999_980 + at))).toEqual([]);
  expect(seeds.filter((at) => isOffline(4_000_000 + at)).length).toBeGreaterThan(5);
});

test('a late write is carried out after its client gave up, once, and also when all faults end', async () => {
  const { clock, until, step } = virtualTime(0);
  const sent: number[] = [];
  const late = lateWrites({ random: seededRandom(1), clock, arrives: (_call, _sentAt, send) => void send() });
  late.begin({ seconds: 10, share: 1, longest: 40 });
  const go = (): Promise<number> => Promise.resolve(sent.push(clock.now()));
  await expect(until(late.call?.(call, go) ?? go())).rejects.toThrow('timed out');
  const gaveUp = clock.now();
  expect(sent).toEqual([]);
  while (await step(later(clock.now(), seconds(50))));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toBeGreaterThan(gaveUp);
  late.begin({ seconds: 10, share: 1, longest: 40 });
  await expect(until(late.call?.(call, go) ?? go())).rejects.toThrow('timed out');
  late.end();
  expect(sent).toHaveLength(2);
  while (await step(later(clock.now(), seconds(50))));
  expect(sent).toHaveLength(2);
});

test('a user acts directly before or after a write of a controller', async () => {
  const met = metWrites();
  const did: string[] = [];
  const note = (what: string): Promise<void> => Promise.resolve(void did.push(what));
  met.wait('n', { writes: 2, how: 'before' }, () => note('before'));
  met.wait('n', { writes: 2, how: 'after' }, () => note('after'));
  met.wait('other', { writes: 1, how: 'after' }, () => note('other'));
  for (const write of ['first', 'second', 'third']) await met.call?.(call, () => note(write));
  expect(did).toEqual(['first', 'before', 'second', 'after', 'third']);
});
