import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { virtualTime } from '#edge/virtual-time.ts';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';
import { shrink } from '../sim/shrink.ts';
import { smallerWorlds } from '../sim/smaller-worlds.ts';
import { sumOf } from '../sim/tally.ts';
import { WorldDigest } from '../sim/world-digest.ts';
import { sortNames } from '../sim/world-sorts.ts';

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
  [1000317, 'a pod chosen for a scale-down before the own deletion of another one was seen'],
  [4000716, 'another pod chosen for a scale-down when the answer to a deletion was lost'],
  [4000044, 'steps that come while all pods go back to the revision that they had'],
  [3000061, 'steps that come when all pods have the new revision and are not in service yet'],
  [3000142, 'a lost pod below the partition while the informer of ControllerRevisions was behind'],
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

/** What `print-digests.ts` prints in another process. */
const digestsIn = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, ['tests/sim/print-digests.ts'], {
    env: { ...process.env, ...env },
  });
  return stdout.trim().split('\n');
};

test(
  'the same seed gives the same history in another process, time zone and locale, on a busy machine',
  { timeout: 120_000 },
  async () => {
    const one = await digestsIn({ TZ: 'UTC', LANG: 'C', LC_ALL: 'C' });
    const busy = spawn(process.execPath, ['-e', 'for (;;);']);
    try {
      const other = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
      expect(await digestsIn(other)).toEqual(one);
    } finally {
      busy.kill();
    }
    const names = [...sortNames, 'elected seed \\d+', 'sharded seed \\d+'];
    const lines = names.map((name) => new RegExp(`^${name} [0-9a-f]{64}$`));
    expect(one).toEqual(lines.map((line) => expect.stringMatching(line) as string));
    expect(new Set(one.map((line) => line.split(' ').at(-1))).size).toBe(names.length);
  },
);

test('a digest is of all that happens: a call, a change and its time make another one', () => {
  const digestOf = (at: number, value: string, url: string): string => {
    const digest = new WorldDigest(virtualTime(at).clock);
    const object = { kind: 'Lease', metadata: { name: 'a' }, spec: { value } };
    digest.see({ type: 'ADDED', storage: 'leases', object, before: undefined });
    digest.note('call', { url });
    return digest.hex();
  };
  const all = [digestOf(1, 'x', 'u'), digestOf(2, 'x', 'u'), digestOf(1, 'y', 'u'), digestOf(1, 'x', 'v')];
  expect(new Set(all).size).toBe(4);
  expect(digestOf(1, 'x', 'u')).toBe(all[0]);
});

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
