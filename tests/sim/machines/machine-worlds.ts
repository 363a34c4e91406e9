import { total, type WorldSort } from '../play-worlds.ts';
import { planMachineWorld } from './plan-machine-world.ts';
import { playMachineWorld } from './play-machine-world.ts';
import { shrinkMachineWorld } from './shrink-machine-world.ts';

type Plan = ReturnType<typeof planMachineWorld>;
type Played = Awaited<ReturnType<typeof playMachineWorld>>;

export const machineWorlds: WorldSort<Plan, Played> = {
  plan: planMachineWorld,
  play: playMachineWorld,
  shrink: shrinkMachineWorld,
  sum: (results) =>
    `${total(results.map(({ histories }) => histories))} operations with ${total(results.map(({ scripts }) => scripts))} scripts`,
};
