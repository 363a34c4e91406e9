import type { RegistrationWorldPlan } from './plan-registration-world.ts';

/** The plan with one thing less that happens. */
export function* smallerRegistrationWorlds(plan: RegistrationWorldPlan): Generator<RegistrationWorldPlan> {
  for (const place of plan.happenings.keys())
    yield { ...plan, happenings: plan.happenings.toSpliced(place, 1) };
}
