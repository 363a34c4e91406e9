import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { explainWorld } from '../sim/explain-world.ts';
import { planHookRuns } from '../sim/plan-hook-runs.ts';
import type { WorldPlan } from '../sim/plan-world.ts';
import { playSeed, type WorldOfSeed } from '../sim/play-seed.ts';
import { playSorts } from '../sim/play-sorts.ts';
import { startWorkers } from '../sim/sim-workers.ts';

const run = promisify(execFile);
const world: WorldOfSeed = { sort: 'hookruns', seed: 1, size: { subjects: 3, rounds: 2 }, server: 'model' };

/** A user of its second subject writes what no server takes. */
const breaking = (): WorldPlan => {
  const plan = planHookRuns(1, world.size);
  const [first] = plan.subjects;
  if (first === undefined) throw new Error('there is no subject');
  return { ...plan, subjects: plan.subjects.with(1, { ...first, kind: 'Nothing' as 'HookRun' }) };
};

test('a world that throws has failed, with the message of the error', async () => {
  const { complaints, trace } = await playSeed({ ...world, plan: breaking(), isTraced: true });
  expect(complaints).toEqual([expect.stringMatching(/^the world broke: Cannot destructure property/)]);
  expect(trace.join('\n')).toMatch(/^TypeError: .*\n {4}at .*model-api/m);
  expect((await playSeed({ ...world, plan: {} })).complaints[0]).toMatch(/^the world broke: /);
});

test('a world that throws is made smaller', { timeout: 60_000 }, async () => {
  const lines = await explainWorld({ ...world, plan: breaking() }, playSeed);
  const least = JSON.parse(
    lines.find((line) => line.startsWith('smallest'))?.split(':\n')[1] ?? '',
  ) as WorldPlan;
  expect(least.subjects.map(({ kind }) => kind)).toEqual(['Nothing']);
  expect(least.rounds).toEqual([{ happenings: [], faults: [] }]);
  expect(lines.at(-1)).toMatch(/^the world broke: /);
});

test('an error that nobody waits for is a complaint about the world', async () => {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    `import { playCaught } from './tests/sim/broken-world.ts';
     const played = await playCaught(async () => {
       void Promise.reject(new Error('one'));
       process.nextTick(() => { throw new Error('two'); });
       return { complaints: [], trace: [] };
     });
     console.log(JSON.stringify(played.complaints));`,
  ]);
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining(['the world broke: one', 'the world broke: two']),
  );
});

test('a world whose process ends has failed, and another process plays the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sim-worker-'));
  const file = join(folder, 'worker.mjs');
  const answer = `{ complaints: [], histories: 1, judged: { [process.pid]: 1 }, faults: {}, trace: [], cpu: 1 }`;
  await writeFile(
    file,
    `process.on('message', ({ seed }) => (seed === 2 ? process.exit(7) : process.send(${answer})));`,
  );
  using workers = startWorkers(1, file);
  const told: string[] = [];
  const tallies = await playSorts(
    { sorts: ['machines'], seed: 1, worlds: 4, histories: Infinity, size: undefined, server: 'model' },
    {
      players: workers.players,
      isOver: () => false,
      tell: (_, { complaints }) => void told.push(...complaints),
    },
  );
  await rm(folder, { recursive: true });
  expect(told).toEqual(['the world broke: its process ended with code 7']);
  expect(tallies.get('machines')).toMatchObject({ worlds: 4, failed: [2], histories: 3 });
  expect(Object.values(tallies.get('machines')?.judged ?? {}).toSorted((one, other) => one - other)).toEqual([
    1, 2,
  ]);
});
