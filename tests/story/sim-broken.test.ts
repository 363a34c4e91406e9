import { expect, test } from 'vitest';
import { applyPatch } from '../sim/broken/patch-text.ts';
import { brokenDecisions } from '../sim/broken/patches.ts';
import { playBroken } from '../sim/broken/play-broken.ts';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';

const decisions = brokenDecisions('src/releases/', 'src/hooks/', 'src/loop/');

test('there are at least ten broken decisions', () => {
  expect(decisions.length).toBeGreaterThanOrEqual(10);
});

test.for(decisions)(
  'the simulation finds that $breaks',
  { timeout: 60_000 },
  async ({ name, seed, finds }) => {
    const { code, said } = await playBroken('releases', name, seed);
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
