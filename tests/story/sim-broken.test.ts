import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { applyPatch } from '../sim/broken/patch-text.ts';
import { brokenDecisions } from '../sim/broken/patches.ts';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';

const run = promisify(execFile);
const decisions = brokenDecisions('src/releases/', 'src/hooks/', 'src/loop/');

type Ended = { readonly code: number; readonly said: string };

/** Plays one world in a process whose decision is broken. */
const playBroken = (name: string, seed: number): Promise<Ended> =>
  run(
    process.execPath,
    [
      '--import',
      './tests/sim/broken/break-decision.ts',
      'scripts/sim.ts',
      '--seed',
      String(seed),
      '--worlds',
      '1',
      '--no-shrink',
    ],
    { env: { ...process.env, BROKEN_DECISION: name } },
  ).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: `${stdout}${stderr}`,
    }),
  );

test('there are at least ten broken decisions', () => {
  expect(decisions.length).toBeGreaterThanOrEqual(10);
});

test.for(decisions)(
  'the simulation finds that $breaks',
  { timeout: 60_000 },
  async ({ name, seed, finds }) => {
    const { code, said } = await playBroken(name, seed);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(finds) as string });
    expect(said).toContain('breaks a rule');
  },
);

test('the same worlds break no rule when nothing is broken', { timeout: 60_000 }, async () => {
  for (const seed of new Set(decisions.map((each) => each.seed))) {
    const { complaints } = await playWorld(planWorld(seed));
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
  }
});

test('a patch that no longer fits is an error', () => {
  const patch = { file: 'src/x.ts', hunks: [{ from: 'a', to: 'b' }] };
  expect(() => applyPatch('c', patch)).toThrow('fits 0 times');
  expect(() => applyPatch('a a', patch)).toThrow('fits 2 times');
  expect(applyPatch('xay', patch)).toBe('xby');
});
