import { complaintWords } from './complaint-words.ts';
import { replayCommand, type WorldOfSeed } from './play-seed.ts';
import type { Player } from './play-sorts.ts';
import { shrink } from './shrink.ts';
import { loadSort } from './world-sorts.ts';

/** The smallest plan of a world that was found to fail in the same way, and what happens in it. */
export async function explainWorld(world: WorldOfSeed, play: Player): Promise<readonly string[]> {
  const { sort, seed, size } = world;
  const { plan, smaller } = await loadSort(sort);
  const whole = world.plan ?? plan(seed, size);
  const replay = `${sort} seed ${seed} is replayed by: ${replayCommand(world)}`;
  const [first] = (await play({ ...world, plan: whole })).complaints;
  if (first === undefined) return [replay, 'it does not fail when it is played again'];
  const kind = complaintWords(first);
  const fails = async (each: unknown): Promise<boolean> =>
    (await play({ ...world, plan: each })).complaints.some((text) => complaintWords(text) === kind);
  const least = await shrink(whole, { smaller, fails });
  const { trace, complaints } = await play({ ...world, plan: least, isTraced: true });
  return [
    replay,
    `smallest plan that was found; ${replayCommand({ ...world, plan: least })} plays it:\n${JSON.stringify(least, null, 1)}`,
    `its last changes:\n${trace.slice(-40).join('\n')}`,
    ...complaints.slice(0, 5),
  ];
}
