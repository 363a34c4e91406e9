import type { WorldSort } from '../world-sort.ts';
import { planMachineWorld, type MachineWorldPlan } from './plan-machine-world.ts';
import { playMachineWorld } from './play-machine-world.ts';
import { smallerMachineWorlds } from './smaller-machine-worlds.ts';

export const machineWorlds: WorldSort<MachineWorldPlan> = {
  plan: planMachineWorld,
  play: playMachineWorld,
  smaller: smallerMachineWorlds,
};
