import type { MachinePlan, PlanStage, PlanStep } from '#machines/decide/plan.ts';
import { betweenBatches } from './hook-entries.ts';

export type Batching = {
  /** Names of the workers, in their order. */
  readonly workers: readonly string[];
  readonly size: number;
};

const isBetween = ({ id }: PlanStep): boolean => id.endsWith(`/${betweenBatches}`);

/**
 * An upgrade in which workers go together, so many at a time, and the hook for it stands between two batches. A plan
 * has one node after the other, each with stages of its own, and that hook at its end.
 */
export function inBatches(plan: MachinePlan, { workers, size }: Batching): MachinePlan {
  const owner = (stage: PlanStage): string | undefined =>
    workers.find((name) => stage.id.startsWith(`${name}/`));
  const between = plan.stages.flatMap(({ steps }) => steps.filter(isBetween));
  const rest = plan.stages
    .map((stage) => ({ ...stage, steps: stage.steps.filter((step) => !isBetween(step)) }))
    .filter(({ steps }) => steps.length > 0);
  const first = rest.findIndex((stage) => owner(stage) !== undefined);
  if (first < 0) return { ...plan, stages: rest };
  const mine = rest.filter((stage) => owner(stage) !== undefined);
  const others = rest.filter((stage) => owner(stage) === undefined);
  const taking = workers.filter((name) => mine.some((stage) => owner(stage) === name));
  const batches = Array.from({ length: Math.ceil(taking.length / size) }, (_, at) =>
    taking.slice(at * size, (at + 1) * size),
  );
  const stages = batches.flatMap((names, at) => [
    ...(at === 0 ? [] : betweenStages(between, at)),
    ...together(names, mine, `batch-${at + 1}`),
  ]);
  return { ...plan, stages: [...others.slice(0, first), ...stages, ...others.slice(first)] };
}

const betweenStages = (steps: readonly PlanStep[], number: number): readonly PlanStage[] =>
  steps.length === 0
    ? []
    : [
        {
          id: `between-${number}`,
          title: `between batch ${number} and ${number + 1}`,
          steps: steps.map((step) => ({ ...step, id: `between-${number}/${step.id}` })),
        },
      ];

/** The stages of several nodes side by side: those of the same name are one. */
function together(
  names: readonly string[],
  stages: readonly PlanStage[],
  batch: string,
): readonly PlanStage[] {
  const parts = new Map<string, PlanStage>();
  for (const name of names)
    for (const { id, title, steps } of stages) {
      if (!id.startsWith(`${name}/`)) continue;
      const part = id.slice(name.length + 1);
      const known = parts.get(part)?.steps ?? [];
      parts.set(part, { id: `${batch}/${part}`, title, steps: [...known, ...steps] });
    }
  return [...parts.values()];
}
