import type { WorldSort } from '../world-sort.ts';
import { planRegistrationWorld, type RegistrationWorldPlan } from './plan-registration-world.ts';
import { playRegistrationWorld } from './play-registration-world.ts';
import { smallerRegistrationWorlds } from './smaller-registration-worlds.ts';

export const registrationWorlds: WorldSort<RegistrationWorldPlan> = {
  plan: planRegistrationWorld,
  play: playRegistrationWorld,
  smaller: smallerRegistrationWorlds,
};
