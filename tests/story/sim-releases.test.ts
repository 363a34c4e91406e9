import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';
import { shrink } from '../sim/shrink.ts';
import { smallerWorlds } from '../sim/smaller-worlds.ts';
import { sumOf } from '../sim/tally.ts';

const run = promisify(execFile);
const small = { subjects: 4, rounds: 2 };

test(
  'whatever happens to releases and hook runs, they break no rule and come to the declared state',
  { timeout: 120_000 },
  async () => {
    let histories = 0;
    for (let seed = 1; seed <= 8; seed += 1) {
      const played = await playWorld(planWorld(seed));
      expect({ seed, complaints: played.complaints }).toEqual({ seed, complaints: [] });
      expect(sumOf(played.faults)).toBeGreaterThan(0);
      histories += played.histories;
    }
    // At least one release or run of each subject in each round.
    expect(histories).toBeGreaterThanOrEqual(8 * 32);
  },
);

test.for([
  [9021, 'a pod that was made and deleted while no watch was open'],
  [100270, 'a status of a disruption budget that was older than the restart of a pod'],
] as const)('seed %i, which once broke a rule, holds: %s', { timeout: 60_000 }, async ([seed]) => {
  expect((await playWorld(planWorld(seed))).complaints).toEqual([]);
});

test.for([101, 102, 103])(
  'the same plans hold on the whole embedded server, seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const plan = planWorld(seed, small);
    for (const server of ['embedded', 'model'] as const) {
      const { complaints, histories, judged } = await playWorld(plan, { server });
      expect({ server, complaints }).toEqual({ server, complaints: [] });
      expect(histories).toBeGreaterThanOrEqual(8);
      expect(judged['changes']).toBeGreaterThan(0);
    }
  },
);

const digest = (trace: readonly string[]): string =>
  createHash('sha256').update(trace.join('\n')).digest('hex');

test(
  'the same seed gives the same history in another process, time zone and locale, on a busy machine',
  { timeout: 120_000 },
  async () => {
    const here = await playWorld(planWorld(7, small), { isTraced: true });
    const again = await playWorld(planWorld(7, small), { isTraced: true });
    const other = await playWorld(planWorld(8, small), { isTraced: true });
    expect(digest(again.trace)).toBe(digest(here.trace));
    expect(digest(other.trace)).not.toBe(digest(here.trace));
    const busy = spawn(process.execPath, ['-e', 'for (;;);']);
    try {
      const { stdout } = await run(process.execPath, ['tests/sim/print-trace.ts', '7', '4', '2'], {
        env: { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        maxBuffer: 64 * 1024 * 1024,
      });
      expect(stdout.replace(/\n$/, '').split('\n')).toEqual(here.trace);
    } finally {
      busy.kill();
    }
  },
);

test('a failing plan is shrunk to the parts that matter', async () => {
  const plan = planWorld(9, { subjects: 6, rounds: 3 });
  const hasImage = (each: typeof plan): boolean =>
    each.rounds.some(({ happenings }) => happenings.some(({ type }) => type === 'image'));
  expect(hasImage(plan)).toBe(true);
  const least = await shrink(plan, {
    smaller: smallerWorlds,
    fails: (each) => Promise.resolve(hasImage(each)),
    most: 1000,
  });
  expect(least.rounds.map(({ happenings }) => happenings.map(({ type }) => type))).toEqual([['image']]);
  expect(least.rounds[0]?.faults).toEqual([]);
  expect(least.subjects).toHaveLength(1);
});
