import { expect, test } from 'vitest';
import { testBrokenDecisions } from './broken/test-broken-decisions.ts';
import { sumOf } from './tally.ts';
import type { PlayedWorld, WorldSort } from './world-sort.ts';

export type WorldTests<Plan> = {
  readonly name: 'machines' | 'registrations';
  readonly sort: WorldSort<Plan>;
  readonly title: string;
  /** The number of worlds that are played. */
  readonly worlds: number;
  /** The least number of histories, and of what was seen and judged, in a world on average. */
  readonly least: { readonly histories: number; readonly counted: number };
};

/** The tests of a sort of world: no rule is broken, a seed gives one history, broken decisions are found. */
export function testWorlds<Plan>(given: WorldTests<Plan>): void {
  const { name, sort, title, worlds, least } = given;
  const play = (seed: number): Promise<PlayedWorld> => sort.play(sort.plan(seed));

  test(title, { timeout: 60_000 }, async () => {
    let [histories, count, faults] = [0, 0, 0];
    for (let seed = 1; seed <= worlds; seed += 1) {
      const result = await play(seed);
      expect({ seed, complaints: result.complaints }).toEqual({ seed, complaints: [] });
      histories += result.histories;
      count += sumOf(result.judged);
      faults += sumOf(result.faults);
    }
    expect(histories).toBeGreaterThan(least.histories * worlds);
    expect(count).toBeGreaterThan(least.counted * worlds);
    expect(faults).toBeGreaterThan(worlds);
  });

  test('the same seed gives the same history', async () => {
    const digest = async (seed: number): Promise<string> =>
      (await sort.play(sort.plan(seed), { isDigested: true })).digest;
    const [one, two, other] = [await digest(7), await digest(7), await digest(8)];
    expect(two).toBe(one);
    expect(other).not.toBe(one);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  testBrokenDecisions({ sort: name, sources: [`src/${name}/`], least: 2, play });
}
