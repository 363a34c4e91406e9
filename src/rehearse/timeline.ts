import { defined } from '#base/defined.ts';
import type { Millis } from '#base/time.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { PodSample, RehearsedStep } from './rehearsal-report.ts';

/** A release at a moment after the change. */
export type Observation = { readonly at: Millis; readonly view: Pick<ReleaseView, 'steps' | 'revisions'> };

export type Timeline = { readonly steps: readonly RehearsedStep[]; readonly pods: readonly PodSample[] };

export const emptyTimeline: Timeline = { steps: [], pods: [] };

/** The timeline with one more observation. */
export function observe({ steps, pods }: Timeline, { at, view }: Observation): Timeline {
  const sample = { at: at / 1000, ...countsOf(view) };
  const last = pods.at(-1);
  const known = new Map(steps.map((step) => [step.number, step]));
  return {
    steps: view.steps.map((step) => nextStep(known.get(step.number), step, sample)),
    pods: last !== undefined && isSame(last, sample) ? pods : [...pods, sample],
  };
}

type StepNow = ReleaseView['steps'][number];

/** A step that was passed between two observations took no time. */
function nextStep(
  before: RehearsedStep | undefined,
  { number, title, state }: StepNow,
  sample: PodSample,
): RehearsedStep {
  const common = { number, title, state } as const;
  if (state === 'to come') return { ...common, updated: sample.updatedInService };
  const startedAt = before?.startedAt ?? sample.at;
  if (state === 'current' || state === 'failed')
    return { ...common, startedAt, ...countedIn(before, sample) };
  if (before?.endedAt !== undefined) return { ...before, state };
  return defined<RehearsedStep>({
    ...common,
    startedAt,
    endedAt: sample.at,
    updated: sample.updatedInService,
    lowest: before?.lowest,
  });
}

/** The pods during a step. */
function countedIn(
  before: RehearsedStep | undefined,
  { updatedInService, othersInService }: PodSample,
): Pick<RehearsedStep, 'updated' | 'lowest'> {
  const inService = updatedInService + othersInService;
  return { updated: updatedInService, lowest: Math.min(before?.lowest ?? inService, inService) };
}

function countsOf({ revisions }: Observation['view']): Omit<PodSample, 'at'> {
  const sum = (isUpdate: boolean, field: 'total' | 'inService'): number =>
    revisions
      .filter(({ roles }) => roles.includes('update') === isUpdate)
      .reduce((all, { replicas }) => all + replicas[field], 0);
  return {
    updated: sum(true, 'total'),
    updatedInService: sum(true, 'inService'),
    others: sum(false, 'total'),
    othersInService: sum(false, 'inService'),
  };
}

const isSame = (left: PodSample, right: PodSample): boolean =>
  left.updated === right.updated &&
  left.updatedInService === right.updatedInService &&
  left.others === right.others &&
  left.othersInService === right.othersInService;
