import { total, type WorldSort } from '../play-worlds.ts';
import { planRegistrationWorld } from './plan-registration-world.ts';
import { playRegistrationWorld } from './play-registration-world.ts';
import { shrinkRegistrationWorld } from './shrink-registration-world.ts';

type Plan = ReturnType<typeof planRegistrationWorld>;
type Played = Awaited<ReturnType<typeof playRegistrationWorld>>;

export const registrationWorlds: WorldSort<Plan, Played> = {
  plan: planRegistrationWorld,
  play: playRegistrationWorld,
  shrink: shrinkRegistrationWorld,
  sum: (results) =>
    `${total(results.map(({ histories }) => histories))} instances with ${total(results.map(({ calls }) => calls))} calls of hooks`,
};
