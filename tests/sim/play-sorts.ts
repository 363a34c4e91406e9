import type { WorldSize } from './plan-world.ts';
import type { SeedResult, WorldOfSeed } from './play-seed.ts';
import { addTo, newTally, type SimTally } from './tally.ts';
import type { SortName } from './world-sorts.ts';

/** Which worlds are played. */
export type SimJob = {
  readonly sorts: readonly SortName[];
  /** The first seed of each sort. */
  readonly seed: number;
  /** The number of worlds of each sort. */
  readonly worlds: number;
  /** No further world begins after so many histories of all sorts. */
  readonly histories: number;
  readonly size: WorldSize | undefined;
  readonly server: 'model' | 'embedded';
  /** The plan of the only world, in place of those of seeds. */
  readonly plan?: unknown;
};

export type Tallies = ReadonlyMap<SortName, SimTally>;
export type Player = (world: WorldOfSeed) => Promise<SeedResult>;

export type Playing = {
  /** Each plays one world at a time. */
  readonly players: readonly Player[];
  readonly isOver: () => boolean;
  readonly tell: (world: WorldOfSeed, result: SeedResult, tallies: Tallies) => void;
};

/** Plays worlds until there are enough. All sorts get the same processor time; seeds of a sort have no gaps. */
export async function playSorts(job: SimJob, { players, isOver, tell }: Playing): Promise<Tallies> {
  const tallies = new Map(job.sorts.map((sort) => [sort, newTally()]));
  const begun = new Map(job.sorts.map((sort) => [sort, 0]));
  const next = (): WorldOfSeed | undefined => {
    if (isOver() || historiesOf(tallies) >= job.histories) return undefined;
    const left = job.sorts.filter((sort) => (begun.get(sort) ?? 0) < job.worlds);
    const sort = left.toSorted((one, other) => cpuOf(tallies, one) - cpuOf(tallies, other))[0];
    if (sort === undefined) return undefined;
    const number = begun.get(sort) ?? 0;
    begun.set(sort, number + 1);
    return { sort, seed: job.seed + number, size: job.size, server: job.server, plan: job.plan };
  };
  await Promise.all(
    players.map(async (play) => {
      for (let world = next(); world !== undefined; world = next()) {
        const result = await play(world);
        const tally = tallies.get(world.sort);
        if (tally !== undefined) addTo(tally, world.seed, result);
        tell(world, result, tallies);
      }
    }),
  );
  return tallies;
}

const cpuOf = (tallies: Tallies, sort: SortName): number => tallies.get(sort)?.cpu ?? 0;

export const historiesOf = (tallies: Tallies): number =>
  [...tallies.values()].reduce((sum, { histories }) => sum + histories, 0);
