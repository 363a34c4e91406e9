import type { JsonObject } from '#base/json.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { below, pick } from './choice.ts';
import { planHappening, type Happening, type HappeningPlan } from './plan-happenings.ts';
import { withMoreFaults } from './plan-more-faults.ts';
import { inPlaceSpec, type SubjectKind, type SubjectPlan } from './plan-subjects.ts';
import { planUsual, type WorldPlan, type WorldSize } from './plan-world.ts';

/** The faults of a seed, and two workloads in each namespace whose pods one PodDisruptionBudget protects. */
export function planSharedBudgets(seed: number, size?: WorldSize): WorldPlan {
  const plan = planUsual(seed, size);
  const random = seededRandom(seed + 3_000_017);
  const subjects = plan.subjects.map((_, number) => subjectOf(random, number));
  const rounds = plan.rounds.map(({ happenings, faults }) => ({
    faults,
    happenings: happenings.map(({ at, who }): Happening => ({ ...happeningOf(random), at, who })),
  }));
  // Shards do not know of each other's restarts until the status of the budget shows them (ADR 0050).
  const leading = plan.leading === 'sharded' ? 'elected' : plan.leading;
  return withMoreFaults({ ...plan, leading, subjects, rounds });
}

/** One of a namespace at most is a GameStatefulSet: instances of two of them would have the same names. */
function subjectOf(random: Random, number: number): SubjectPlan {
  const isSecond = number % 2 === 1;
  const kind: SubjectKind = isSecond && random.next() < 0.6 ? 'GameStatefulSet' : 'GameDeployment';
  const spec = inPlaceSpec(random, kind);
  return isSecond ? { kind, spec, sharesBudget: true } : { kind, spec, budget: budgetOf(random) };
}

const budgetOf = (random: Random): JsonObject =>
  pick<JsonObject>(random, [
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
    { maxUnavailable: 2 },
    { minAvailable: 5 },
    { maxUnavailable: '25%' },
  ]);

/** Mostly what restarts pods. */
function happeningOf(random: Random): HappeningPlan {
  const lot = random.next();
  if (lot < 0.3) return { type: 'image', tag: 1 + below(random, 4) };
  if (lot < 0.4) return { type: 'evict-pod', which: below(random, 10) };
  return planHappening(random, 'GameDeployment');
}
