import type { WorldPlan } from './happenings.ts';

/** A smaller plan that still fails. `fails` plays a plan; it is called at most `most` times. */
export async function shrink(
  plan: WorldPlan,
  fails: (plan: WorldPlan) => Promise<boolean>,
  most = 60,
): Promise<WorldPlan> {
  let best = plan;
  let left = most;
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false;
    for (const candidate of smallerPlans(best)) {
      if (left === 0) break;
      left -= 1;
      if (!(await fails(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** The plan with less: half of the releases, or one fault or happening less. */
function* smallerPlans(plan: WorldPlan): Generator<WorldPlan> {
  const { histories, faults } = plan;
  if (histories.length > 1) {
    const half = Math.ceil(histories.length / 2);
    yield { ...plan, histories: histories.slice(0, half) };
    yield { ...plan, histories: histories.slice(half) };
  }
  for (const place of faults.keys()) yield { ...plan, faults: faults.filter((_, each) => each !== place) };
  for (const [place, { spec, happenings }] of histories.entries())
    for (const gone of happenings.keys())
      yield {
        ...plan,
        histories: histories.with(place, { spec, happenings: happenings.filter((_, each) => each !== gone) }),
      };
}
