import { playCaught } from './broken-world.ts';
import type { WorldSize } from './plan-world.ts';
import type { PlayedWorld } from './world-sort.ts';
import { loadSort, type SortName } from './world-sorts.ts';

/** A world to play. */
export type WorldOfSeed = {
  readonly sort: SortName;
  readonly seed: number;
  readonly size: WorldSize | undefined;
  readonly server: 'model' | 'embedded';
  /** In place of the plan of the seed. */
  readonly plan?: unknown;
  readonly isTraced?: boolean;
};

/** The result of a world; the trace is empty unless asked for. `cpu`: the processor time in milliseconds. */
export type SeedResult = PlayedWorld & { readonly cpu: number };

/** Plays a world. One that cannot be played to its end has failed. */
export async function playSeed(world: WorldOfSeed): Promise<SeedResult> {
  const { sort, seed, size, server, isTraced = false } = world;
  const before = process.cpuUsage();
  if (isTraced) Error.stackTraceLimit = 20;
  const played = await playCaught(async () => {
    const { plan, play } = await loadSort(sort);
    return play(world.plan ?? plan(seed, size), { server, isTraced });
  });
  const { user, system } = process.cpuUsage(before);
  return { ...played, trace: isTraced ? played.trace : [], cpu: (user + system) / 1000 };
}

/** The command that plays the world again, and no other. */
export function replayCommand({ sort, seed, size, server, plan }: WorldOfSeed): string {
  const words = [
    plan === undefined ? `--seed ${seed}` : '--plan FILE',
    ...(server === 'embedded' ? ['--server embedded'] : []),
    ...(size === undefined || plan !== undefined
      ? []
      : [`--subjects ${size.subjects}`, `--rounds ${size.rounds}`]),
  ];
  return `npm run sim -- ${sort} ${words.join(' ')}`;
}
