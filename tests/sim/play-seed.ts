import type { WorldSize } from './plan-world.ts';
import { shrink } from './shrink.ts';
import type { PlayedWorld, PlayOptions } from './world-sort.ts';
import { loadSort, type SortName } from './world-sorts.ts';

/** A world to play. */
export type WorldOfSeed = {
  readonly sort: SortName;
  readonly seed: number;
  readonly size: WorldSize | undefined;
  readonly server: 'model' | 'embedded';
};

/** The result of a world without its trace; `cpu`: the processor time in milliseconds. */
export type SeedResult = Omit<PlayedWorld, 'trace'> & { readonly cpu: number };

export async function playSeed({ sort, seed, size, server }: WorldOfSeed): Promise<SeedResult> {
  const before = process.cpuUsage();
  const { plan, play } = await loadSort(sort);
  const { trace: _, ...result } = await play(plan(seed, size), { server });
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpu: (user + system) / 1000 };
}

/** The smallest plan of a world that was found to fail, and what happens in it. */
export async function explainSeed({ sort, seed, size, server }: WorldOfSeed): Promise<readonly string[]> {
  const { plan, play, smaller } = await loadSort(sort);
  const options: PlayOptions = { server };
  const fails = async (each: unknown): Promise<boolean> => (await play(each, options)).complaints.length > 0;
  const least = await shrink(plan(seed, size), { smaller, fails });
  const { trace, complaints } = await play(least, { ...options, isTraced: true });
  return [
    `${sort} seed ${seed} is replayed by: ${replayCommand({ sort, seed, size, server })}`,
    `smallest plan that was found:\n${JSON.stringify(least, null, 1)}`,
    `its last changes:\n${trace.slice(-40).join('\n')}`,
    ...complaints.slice(0, 5),
  ];
}

/** The command that plays the world again, and no other. */
export function replayCommand({ sort, seed, size, server }: WorldOfSeed): string {
  const extent = size === undefined ? '' : ` --subjects ${size.subjects} --rounds ${size.rounds}`;
  return `npm run sim -- ${sort} --seed ${seed}${server === 'embedded' ? ' --server embedded' : ''}${extent}`;
}
