import { expect, test } from 'vitest';
import { applyPatch } from '../sim/broken/patch-text.ts';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { planWorld } from '../sim/plan-world.ts';
import { playWorld } from '../sim/play-world.ts';

testBrokenDecisions({
  sort: 'releases',
  sources: ['src/releases/', 'src/hooks/', 'src/loop/', 'src/cli/'],
  least: 10,
  play: (seed) => playWorld(planWorld(seed)),
});

test('a patch that no longer fits is an error', () => {
  const patch = { file: 'src/x.ts', hunks: [{ from: 'a', to: 'b' }] };
  expect(() => applyPatch('c', patch)).toThrow('fits 0 times');
  expect(() => applyPatch('a a', patch)).toThrow('fits 2 times');
  expect(applyPatch('xay', patch)).toBe('xby');
});
