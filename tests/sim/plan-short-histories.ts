import type { JsonObject } from '#base/json.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { below } from './choice.ts';
import type { SubjectPlan } from './plan-subjects.ts';
import type { WorldPlan } from './plan-world.ts';

/** Seeds before this one keep the plans with which they once found something. */
const firstSeed = 7_000_000;

/** The plan with workloads that keep few ControllerRevisions and HookRuns of earlier releases, or none. */
export function withShortHistories(plan: WorldPlan): WorldPlan {
  if (plan.seed < firstSeed) return plan;
  const random = seededRandom(plan.seed + 7_000_003);
  return { ...plan, subjects: plan.subjects.map((subject) => shortened(random, subject)) };
}

function shortened(random: Random, subject: SubjectPlan): SubjectPlan {
  const limits: JsonObject = {
    ...(random.next() < 0.3 ? { revisionHistoryLimit: below(random, 3) } : {}),
    ...(random.next() < 0.3 ? { successfulHookRunHistoryLimit: below(random, 2) } : {}),
    ...(random.next() < 0.3 ? { failedHookRunHistoryLimit: below(random, 2) } : {}),
  };
  return subject.kind === 'HookRun' ? subject : { ...subject, spec: { ...subject.spec, ...limits } };
}
