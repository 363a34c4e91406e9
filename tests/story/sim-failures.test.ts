import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { aboutError } from '#loop/report.ts';
import { brokenDecisions } from '../sim/broken/patches.ts';
import { simBroken } from '../sim/broken/play-broken.ts';
import { complaintWords } from '../sim/complaint-words.ts';
import { explainWorld } from '../sim/explain-world.ts';
import { planHookRuns } from '../sim/plan-hook-runs.ts';
import type { WorldPlan } from '../sim/plan-world.ts';
import { playSeed, type WorldOfSeed } from '../sim/play-seed.ts';
import { playSorts, type Player } from '../sim/play-sorts.ts';
import { ProgramErrors } from '../sim/program-errors.ts';
import { startWorkers } from '../sim/sim-workers.ts';
import { loadSort, sortNames } from '../sim/world-sorts.ts';

const run = promisify(execFile);
const world: WorldOfSeed = { sort: 'hookruns', seed: 1, size: { subjects: 3, rounds: 2 }, server: 'model' };

/** The plan that `npm run sim` prints. */
const planIn = (said: string): string => /^\{$.*?^\}$/ms.exec(said)?.[0] ?? '';

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

test('a mistake in the program that is reported is a complaint; an error of a request is none', () => {
  const { report, complaints, thrown } = new ProgramErrors();
  const types = [TypeError, RangeError, ReferenceError, SyntaxError, Error];
  for (const type of types) report('x', aboutError(new type('y')), 'warn');
  thrown(new TypeError('z'));
  thrown(new Error('the lease is lost'));
  expect(complaints).toEqual([
    'x: TypeError: y',
    'x: RangeError: y',
    'x: ReferenceError: y',
    'x: SyntaxError: y',
    'a process ended: TypeError: z',
  ]);
});

test('a world that throws is made smaller', { timeout: 60_000 }, async () => {
  const lines = await explainWorld({ ...world, plan: breaking() }, playSeed);
  const least = JSON.parse(planIn(lines.join('\n'))) as WorldPlan;
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
  const answer = `{ complaints: [], histories: 1, judged: { [process.pid]: 1 }, faults: {}, trace: [], digest: '', cpu: 1 }`;
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

test.for([
  [
    'GameDeployment h3 is Paused for 120 s and does not say why: {"phase":"Paused","mess',
    'GameDeployment h0 is Paused for 120 s and does not say why: ',
  ],
  [
    'Pod h0/g-x7vab was taken out of service: 2 are left, 3 must be',
    'Pod h12/g-0 was taken out of service: 0 are left, 1 must be',
  ],
  [
    'HookRun h0/run-3 age-2: 5 results were counted, 4 calls were made',
    'HookRun h1/run-0 age: 2 results were counted, 1 calls were made',
  ],
] as const)('complaints are of one kind whatever they are about: %s', ([one, other]) => {
  expect(complaintWords(one)).toBe(complaintWords(other));
});

test('complaints with other words are of another kind', () => {
  const kinds = ['Pod h0/g-0 was deleted without consent', 'Pod h0/g-0 was updated without consent'];
  expect(new Set(kinds.map(complaintWords)).size).toBe(2);
});

test('a smaller plan that fails in another way is not taken', async () => {
  const plan = planHookRuns(1, world.size);
  const play: Player = (each) => {
    const { subjects } = each.plan as WorldPlan;
    const what = subjects.length > 1 ? `Pod h${subjects.length}/g is lost` : 'Pod h0/g is late';
    return Promise.resolve({
      complaints: [what],
      histories: 0,
      judged: {},
      faults: {},
      trace: [],
      digest: '',
      cpu: 1,
    });
  };
  const lines = await explainWorld({ ...world, plan }, play);
  expect(lines.at(-1)).toBe('Pod h2/g is lost');
});

test(
  'the printed plan of a world that fails is played and fails in the same way',
  { timeout: 120_000 },
  async () => {
    const name = 'changed-child-not-seen';
    const { seed, finds } = brokenDecisions('src/').find((each) => each.name === name) ?? {
      seed: 0,
      finds: / /,
    };
    const found = await simBroken(name, ['registrations', '--seed', String(seed)]);
    expect(found.said).toContain('npm run sim -- registrations --plan FILE');
    const plan = planIn(found.said);
    const again = await simBroken(name, ['registrations', '--plan', '-', '--no-shrink'], plan);
    expect(again).toEqual({ code: 1, said: expect.stringMatching(finds) as string });
    const first = (said: string): string => complaintWords(/ breaks a rule: (.*)/.exec(said)?.[1] ?? '');
    expect(first(again.said)).toBe(first(found.said));
    expect(again.said).toContain(`registrations seed ${seed} breaks a rule`);
    const folder = await mkdtemp(join(tmpdir(), 'sim-plan-'));
    await writeFile(join(folder, 'plan.json'), plan);
    const sound = await run(process.execPath, [
      'scripts/sim.ts',
      'registrations',
      '--plan',
      join(folder, 'plan.json'),
    ]);
    await rm(folder, { recursive: true });
    expect(sound.stdout).toContain('1 worlds passed, 0 failed');
  },
);

test.for(sortNames)('a plan of %s is the same when it is printed and read', async (name) => {
  const { plan } = await loadSort(name);
  for (let seed = 1; seed <= 20; seed += 1) {
    const whole = plan(seed);
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
  }
});

test('a plan that cannot be read is refused', async () => {
  const sim = (...words: readonly string[]): ReturnType<typeof run> =>
    run(process.execPath, ['scripts/sim.ts', ...words]);
  await expect(sim('--plan', 'package.json')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('package.json is no plan') as string,
  });
  await expect(sim('all', '--plan', 'x')).rejects.toMatchObject({ code: 2 });
  await expect(sim('--plan', 'x', '--seed', '1')).rejects.toMatchObject({ code: 2 });
});
