import { at, numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { actTargetOf } from '#releases/model/act.ts';
import {
  command,
  invalid,
  nothing,
  refused,
  stillWaiting,
  type ActOptions,
  type ActPlan,
} from './act-plan.ts';
import { currentStep, situationOf, stepsOf, stepText, type KnownSituation } from './situation.ts';

/** promote: ends the pause of the step or skips its failed hook; with `toStep` also the pauses before that step. */
export function planPromote(workload: KubeObject, options: ActOptions, situation: KnownSituation): ActPlan {
  const { title } = options;
  switch (situation.type) {
    case 'without-steps':
      return nothing(
        `${title} has no canary steps, so there is nothing to promote; if a user has paused it, use: ${command('resume', options)}`,
      );
    case 'aborted':
      return refused(
        `the release of ${title} was aborted; to start it again at step 1, use: ${command('retry', options)}`,
      );
    case 'done':
      return nothing(`all ${stepsOf(workload).length} steps of ${title} are done`);
    case 'paused-by-user':
      return stillWaiting(
        `a user has paused ${title} at ${here(workload)}, and promote does not end that; use: ${command('resume', options)}`,
      );
    case 'pause-step':
    case 'failed-hook':
    case 'unready':
    case 'hook-running':
    case 'updating':
      return options.toStep === undefined
        ? planNext(workload, options, situation)
        : planToStep(workload, options, options.toStep);
  }
}

type AtStep = Extract<
  KnownSituation,
  { readonly type: 'pause-step' | 'failed-hook' | 'unready' | 'hook-running' | 'updating' }
>;

const here = (workload: KubeObject): string => stepText(workload, currentStep(workload));

function planNext(workload: KubeObject, options: ActOptions, { type }: AtStep): ActPlan {
  const { title, skipHooks = false } = options;
  const step = here(workload);
  if (skipHooks && type !== 'failed-hook' && type !== 'hook-running')
    return invalid(
      `${title} is at ${step}, which runs no hook: --skip-hook needs --full or --to-step here, or leave it out`,
    );
  const change = { type: 'act', verb: 'promote', target: actTargetOf(workload) } as const;
  const write = (what: string): ActPlan => ({ type: 'write', change, summary: `${what} and continue` });
  switch (type) {
    case 'pause-step':
      return write(`end the pause of ${step}`);
    case 'failed-hook':
      return write(`skip the failed hook of ${step}`);
    case 'unready':
      return write(`leave ${step} although updated pods are not ready`);
    case 'hook-running':
      return skipHooks
        ? {
            type: 'write',
            change: { ...change, skipHooks },
            summary: `skip the hook of ${step} and continue`,
          }
        : nothing(
            `the hook of ${step} of ${title} has no verdict yet, so there is nothing to promote; to skip it, add --skip-hook`,
          );
    case 'updating':
      return nothing(`${step} of ${title} is under way and not paused, so there is nothing to promote`);
  }
}

function planToStep(workload: KubeObject, options: ActOptions, toStep: number | 'full'): ActPlan {
  const { title } = options;
  const count = stepsOf(workload).length;
  if (toStep === 'full') return planUpTo(workload, options, count);
  const [index, end] = [currentStep(workload), toStep - 1];
  if (end < 0 || end >= count)
    return invalid(`${title} has the steps 1 to ${count}, so --to-step ${toStep} names none of them`);
  if (end === index) return nothing(`${title} is at ${here(workload)} already`);
  if (end < index)
    return refused(`${title} is at ${here(workload)} and does not go back to ${stepText(workload, end)}`);
  return planUpTo(workload, options, end);
}

/** `end`: the index of the step at which the promotion ends. */
function planUpTo(workload: KubeObject, { title, skipHooks = false }: ActOptions, end: number): ActPlan {
  const goal = end === stepsOf(workload).length ? 'the end of the release' : stepText(workload, end);
  if (isUnderWay(workload, end, skipHooks)) return nothing(`${title} is being promoted to ${goal} already`);
  return {
    type: 'write',
    change: {
      type: 'act',
      verb: 'promote',
      target: actTargetOf(workload),
      toStep: end,
      ...(skipHooks ? { skipHooks } : {}),
    },
    summary: `continue to ${goal}${skipHooks ? ' without hooks' : ''}`,
  };
}

/** The same promotion has begun, and nothing has stopped it. */
function isUnderWay(workload: KubeObject, end: number, skipHooks: boolean): boolean {
  const promotion = at(workload, 'status', 'canary', 'promotion');
  return (
    numberAt(promotion, 'toStep') === end &&
    (at(promotion, 'skipHooks') === true) === skipHooks &&
    situationOf(workload).type !== 'failed-hook' &&
    situationOf(workload).type !== 'unready'
  );
}
