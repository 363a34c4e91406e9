import type { JsonObject } from '#base/json.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { below, pick } from './choice.ts';
import { behaviours, type Happening, type HappeningPlan } from './plan-happenings.ts';
import { withMoreFaults } from './plan-more-faults.ts';
import { metricFields, type SubjectPlan } from './plan-subjects.ts';
import { planUsual, type WorldPlan, type WorldSize } from './plan-world.ts';

/** The faults of a seed, and hook runs with several metrics that users stop, edit and replace. */
export function planHookRuns(seed: number, size?: WorldSize): WorldPlan {
  const plan = planUsual(seed, size);
  const random = seededRandom(seed + 2_000_003);
  const subjects = plan.subjects.map((): SubjectPlan => ({
    kind: 'HookRun',
    spec: { metrics: Array.from({ length: 1 + below(random, 3) }, () => fieldsOf(random)) },
  }));
  const rounds = plan.rounds.map(({ happenings, faults }) => ({
    faults,
    happenings: happenings.map(({ at, who }): Happening => ({ ...happeningOf(random), at, who })),
  }));
  return withMoreFaults({ ...plan, subjects, rounds });
}

const fieldsOf = (random: Random): JsonObject => {
  const fields = metricFields(random);
  return {
    ...fields,
    ...(random.next() < 0.3 ? { initialDelay: `${1 + below(random, 5)}s` } : {}),
    ...(random.next() < 0.25 ? { consecutiveSuccessfulLimit: 1 + below(random, 3) } : {}),
    ...(random.next() < 0.3 ? { count: 5 + below(random, 8) } : {}),
  };
};

function happeningOf(random: Random): HappeningPlan {
  const lot = random.next();
  if (lot < 0.06) return { type: 'stop-run', verdict: pick(random, ['Failed', 'Inconclusive', 'Error']) };
  if (lot < 0.1) return { type: 'stop-run' };
  if (lot < 0.2) return { type: 'replace-run' };
  if (lot < 0.35) return { type: 'edit-run', count: 1 + below(random, 9), failureLimit: below(random, 4) };
  return { type: 'hooks', answer: pick(random, behaviours) };
}
