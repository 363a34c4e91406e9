import { isJobStep, type MachinePlan, type PlanStage, type PlanStep } from '#machines/decide/plan.ts';
import { betweenBatches, gateOf, type HookEntries, type TemplateRef } from './hook-entries.ts';

/** A HookRun that must succeed before the plan continues. */
export type Gate = {
  /** Unique in the operation and stable: its place in the plan, and the node it is about. */
  readonly name: string;
  /** The hook type. */
  readonly hook: string;
  /** The step that stands for it in the plan. */
  readonly step: string;
  readonly node: string;
  readonly template: TemplateRef;
  /** A bad verdict pauses the Cluster, and no further HookRun is created. */
  readonly pauses: boolean;
};

/** A part of a plan: stages for the engine, or gates that must all pass. */
export type Segment =
  | { readonly type: 'stages'; readonly plan: MachinePlan }
  | { readonly type: 'gates'; readonly gates: readonly Gate[] };

/** Cuts a plan at its gates. Every segment of stages begins with the files: a corrected script is sent again. */
export function segmentsOf(plan: MachinePlan, templates: HookEntries['templates']): readonly Segment[] {
  const files = plan.stages
    .map((stage) => ({ ...stage, id: 'files', steps: stage.steps.filter(({ kind }) => kind === 'files') }))
    .filter(({ steps }) => steps.length > 0);
  const parts = plan.stages.flatMap((stage) =>
    partsOf(stage, templates).map(({ steps, gates }, at) => {
      const id = at === 0 ? stage.id : `${stage.id}.${at + 1}`;
      return { stage: { ...stage, id, steps }, gates };
    }),
  );
  // A part with gates ends a segment of stages.
  const ends = parts.flatMap(({ gates }, at) => (gates.length > 0 ? [at + 1] : []));
  const groups = [0, ...ends].map((from, at) => parts.slice(from, ends[at]));
  return groups.flatMap((group) => [
    ...stagesSegment(
      plan,
      group.map(({ stage }) => stage),
      files,
    ),
    ...group.filter(({ gates }) => gates.length > 0).map(({ gates }) => ({ type: 'gates', gates }) as const),
  ]);
}

function stagesSegment(
  plan: MachinePlan,
  stages: readonly PlanStage[],
  files: readonly PlanStage[],
): readonly Segment[] {
  const some = stages.filter(({ steps }) => steps.length > 0);
  if (some.length === 0) return [];
  const hasFiles = some.some(({ steps }) => steps.some(({ kind }) => kind === 'files'));
  return [{ type: 'stages', plan: { ...plan, stages: [...(hasFiles ? [] : files), ...some] } }];
}

type Part = { readonly steps: readonly PlanStep[]; readonly gates: readonly Gate[] };

/** The steps before gates, and these gates; the steps after the last gates have none. */
function partsOf(stage: PlanStage, templates: HookEntries['templates']): readonly Part[] {
  const parts: Part[] = [];
  let steps: PlanStep[] = [];
  for (const step of stage.steps) {
    const gates = gatesOf(step, templates);
    if (gates === undefined) {
      steps.push(step);
      continue;
    }
    parts.push({ steps, gates });
    steps = [];
  }
  return steps.length > 0 ? [...parts, { steps, gates: [] }] : parts;
}

function gatesOf(step: PlanStep, templates: HookEntries['templates']): readonly Gate[] | undefined {
  const hook = isJobStep(step) ? gateOf(step.program) : undefined;
  if (hook === undefined) return undefined;
  const template = templates.get(hook);
  if (template === undefined) return [];
  return step.targets.map(({ node }) => ({
    name: `${step.id}@${node}`,
    hook,
    step: step.id,
    node,
    template,
    pauses: hook === betweenBatches,
  }));
}
