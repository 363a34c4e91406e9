import { expect, test } from 'vitest';
import { brokenDecisions } from './patches.ts';
import type { SortName } from '../world-sorts.ts';
import { playBroken } from './play-broken.ts';

export type BrokenGiven = {
  readonly sort: SortName;
  /** Folders of the sources whose patches belong to this sort of world. */
  readonly sources: readonly string[];
  /** The number of patches that there must be. */
  readonly least: number;
  /** The sort of patches that name none: this one unless given. */
  readonly usual?: SortName;
  readonly play: (seed: number) => Promise<{ readonly complaints: readonly string[] }>;
};

/** Tests that a simulation finds each decision that is broken on purpose, and complains about nothing else. */
export function testBrokenDecisions({ sort, sources, least, play, usual = sort }: BrokenGiven): void {
  const decisions = brokenDecisions(...sources).filter(({ worlds }) => (worlds ?? usual) === sort);

  test(`there are at least ${least} broken decisions`, () => {
    expect(decisions.length).toBeGreaterThanOrEqual(least);
  });

  test.for(decisions)(
    'the simulation finds that $breaks',
    { timeout: 60_000 },
    async ({ name, seed, finds }) => {
      const { code, said } = await playBroken(sort, name, seed);
      expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(finds) as string });
      expect(said).toContain('breaks a rule');
    },
  );

  test('the same worlds break no rule when nothing is broken', { timeout: 60_000 }, async () => {
    for (const seed of new Set(decisions.map((each) => each.seed))) {
      const { complaints } = await play(seed);
      expect({ seed, complaints }).toEqual({ seed, complaints: [] });
    }
  });
}
