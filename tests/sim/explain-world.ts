import { replayCommand, type WorldOfSeed } from './play-seed.ts';
import type { Player } from './play-sorts.ts';
import { shrink } from './shrink.ts';
import { loadSort } from './world-sorts.ts';

/** The smallest plan of a world that was found to fail, and what happens in it. */
export async function explainWorld(world: WorldOfSeed, play: Player): Promise<readonly string[]> {
  const { sort, seed, size } = world;
  const { plan, smaller } = await loadSort(sort);
  const fails = async (each: unknown): Promise<boolean> =>
    (await play({ ...world, plan: each })).complaints.length > 0;
  const least = await shrink(world.plan ?? plan(seed, size), { smaller, fails });
  const { trace, complaints } = await play({ ...world, plan: least, isTraced: true });
  return [
    `${sort} seed ${seed} is replayed by: ${replayCommand(world)}`,
    `smallest plan that was found:\n${JSON.stringify(least, null, 1)}`,
    `its last changes:\n${trace.slice(-40).join('\n')}`,
    ...complaints.slice(0, 5),
  ];
}
