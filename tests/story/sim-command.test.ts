import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { replayCommand, type SeedResult } from '../sim/play-seed.ts';
import { readSimOptions } from '../sim/sim-options.ts';
import { sortNames } from '../sim/world-sorts.ts';
import { playSorts, type SimJob } from '../sim/play-sorts.ts';

const run = promisify(execFile);
const sim = (...words: readonly string[]): ReturnType<typeof run> =>
  run(process.execPath, ['scripts/sim.ts', ...words]);

test('npm run sim -- all plays each sort and counts it', { timeout: 60_000 }, async () => {
  const { stdout } = await sim('all', '--worlds', '1', '--workers', '2', '--seed', '3');
  const text = String(stdout);
  for (const sort of sortNames)
    expect(text).toMatch(new RegExp(`^${sort}: [1-9]\\d* histories in 1 worlds, seeds 3 to 3,`, 'm'));
  expect(text).toContain(`${sortNames.length} worlds passed, 0 failed`);
});

test('npm run sim names its sorts and options', async () => {
  expect(String((await sim('--help')).stdout)).toContain('--workers N');
  await expect(sim('relaeses')).rejects.toMatchObject({ code: 2 });
});

test('npm run sim -- --seed N plays this seed of every sort, and SORT --seed N that of one sort', () => {
  const asked = (...words: readonly string[]) => {
    const read = readSimOptions(words);
    if (read.type === 'help') return read.why;
    const { sorts, seed, worlds } = read.options.job;
    return { sorts, seed, worlds };
  };
  expect(asked('--seed', '7')).toEqual({ sorts: sortNames, seed: 7, worlds: 1 });
  expect(asked('budgets', '--seed', '7')).toEqual({ sorts: ['budgets'], seed: 7, worlds: 1 });
  expect(asked('--seed', '7', '--worlds', '3')).toEqual({ sorts: ['releases'], seed: 7, worlds: 3 });
  expect(asked('machines', '--worlds', '3')).toEqual({ sorts: ['machines'], seed: 1, worlds: 3 });
  expect(asked()).toEqual({ sorts: ['releases'], seed: 1, worlds: 20 });
  const long = { sorts: sortNames, seed: 7, worlds: Infinity };
  expect(asked('all', '--seed', '7', '--histories', '1000000')).toEqual(long);
  expect(asked('all', '--seed', '7', '--minutes', '1')).toEqual(long);
  expect(asked('--seed', 'seven')).toBe('--seed seven is no number.');
  expect(asked('--server', 'embeded')).toBe('There is no server embeded.');
});

test('the command that plays a world again has its server and its size', () => {
  const world = { sort: 'releases', seed: 5, size: undefined, server: 'model' } as const;
  const other = { ...world, server: 'embedded', size: { subjects: 2, rounds: 1 } } as const;
  expect(replayCommand(world)).toBe('npm run sim -- releases --seed 5');
  const command = replayCommand(other);
  expect(command).toBe('npm run sim -- releases --seed 5 --server embedded --subjects 2 --rounds 1');
  const asked = readSimOptions(command.split(' ').slice(4));
  expect(asked).toMatchObject({
    options: { job: { sorts: ['releases'], seed: 5, worlds: 1, server: 'embedded', size: other.size } },
  });
});

const job: SimJob = {
  sorts: ['releases', 'hookruns'],
  seed: 10,
  worlds: 1000,
  histories: Infinity,
  size: undefined,
  server: 'model',
};
const result = (more: Partial<SeedResult>): SeedResult => ({
  complaints: [],
  histories: 1,
  judged: {},
  faults: {},
  trace: [],
  digest: '',
  cpu: 1,
  ...more,
});

test('sorts get the same processor time, and seeds have no gaps', async () => {
  const seeds: Record<string, number[]> = { releases: [], hookruns: [] };
  const tallies = await playSorts(
    { ...job, histories: 110 },
    {
      players: [
        ({ sort, seed }) => {
          seeds[sort]?.push(seed);
          return Promise.resolve(result({ cpu: sort === 'releases' ? 10 : 1 }));
        },
      ],
      isOver: () => false,
      tell: () => undefined,
    },
  );
  expect(tallies.get('releases')).toMatchObject({ worlds: 10, cpu: 100 });
  expect(tallies.get('hookruns')).toMatchObject({ worlds: 100, cpu: 100 });
  expect(seeds['releases']).toEqual(Array.from({ length: 10 }, (_, at) => 10 + at));
});

test('a world that fails is counted with its seed, and the others are played', async () => {
  const tallies = await playSorts(
    { ...job, worlds: 3 },
    {
      players: [({ seed }) => Promise.resolve(result({ complaints: seed === 11 ? ['x'] : [] }))],
      isOver: () => false,
      tell: () => undefined,
    },
  );
  expect(tallies.get('hookruns')).toMatchObject({ worlds: 3, failed: [11] });
});
