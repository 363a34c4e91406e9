import type { RegistrationWorldPlan } from './plan-registration-world.ts';
import { playRegistrationWorld } from './play-registration-world.ts';

/** A smaller plan that still breaks a rule. */
export async function shrinkRegistrationWorld(plan: RegistrationWorldPlan): Promise<RegistrationWorldPlan> {
  let best = plan;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const place of best.happenings.keys()) {
      const candidate = { ...best, happenings: best.happenings.toSpliced(place, 1) };
      if ((await playRegistrationWorld(candidate)).complaints.length === 0) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}
