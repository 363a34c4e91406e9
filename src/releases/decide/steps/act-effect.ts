import type { Promotion } from '#releases/kinds/release-history.ts';
import type { ReleaseAct } from '#releases/model/act.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { hasPause } from './pause.ts';
import { stepNumber } from './step-outcome.ts';
import type { StepsGiven } from './steps-model.ts';
import { hookOf, stepOutcome } from './step-types.ts';

/** What a request does to a release. `message`: the same in a sentence. */
export type ActEffect = { readonly message: string } & (
  | { readonly type: 'ignored' }
  /** The current step ends. */
  | { readonly type: 'advance'; readonly promotion: Promotion | undefined }
  /** The current step continues, as part of a promotion. */
  | { readonly type: 'promotion'; readonly promotion: Promotion }
  /** `cause`: who aborted it, and why, for as long as it stays aborted. */
  | { readonly type: 'abort'; readonly cause: string }
  | { readonly type: 'retry-hook' }
  /** The aborted release starts again at its first step. */
  | { readonly type: 'restart' }
);

/** The effect of a request, or why it has none. `isChanged`: the template or walked steps were edited. */
export function actEffect(given: StepsGiven, act: ReleaseAct, isChanged: boolean): ActEffect {
  const { before, steps, updateRevision, isActMeant } = given;
  if (steps === undefined) return ignored(act, 'the workload has no canary steps');
  if (isChanged) return ignored(act, 'the template or the steps have changed since');
  if (!isActMeant)
    return ignored(act, 'the release is no longer in the state that the request was meant for');
  if (before.abortedRevision === updateRevision) {
    return act.verb === 'retry'
      ? { type: 'restart', message: `The aborted release starts again at ${stepNumber(0, steps)}.` }
      : ignored(act, 'the release is aborted; boathook release retry starts it again at step 1');
  }
  const index = before.stepIndex ?? steps.length;
  const step = steps[index];
  if (step === undefined) return ignored(act, 'all steps are done');
  switch (act.verb) {
    case 'abort':
      return abortEffect(given, act, index);
    case 'retry':
      return retryEffect(given, act, step);
    case 'promote':
      return promoteEffect(given, act, { index, step });
  }
}

const ignored = ({ verb }: ReleaseAct, why: string): ActEffect => ({
  type: 'ignored',
  message: `The request ${verb} was ignored: ${why}.`,
});

function abortEffect({ before, steps = [] }: StepsGiven, act: ReleaseAct, index: number): ActEffect {
  const { stableRevision } = before;
  if (stableRevision === undefined) return ignored(act, 'there is no stable revision to return to');
  const where = `Aborted at ${stepNumber(index, steps)}`;
  const who = act.by === '' ? 'a user' : `user ${act.by} (claimed)`;
  const why = act.reason === undefined || act.reason === '' ? '' : `: ${act.reason}`;
  return {
    type: 'abort',
    message: `${where}: pods go back to revision ${stableRevision}.`,
    cause: `${where} by ${who}${why}.`,
  };
}

function retryEffect(given: StepsGiven, act: ReleaseAct, step: CanaryStep): ActEffect {
  const { before, steps = [], run } = given;
  const name = stepNumber(before.stepIndex, steps);
  const isFailed = hasPause(before.pauses, 'PausedByStepBasedHook') && run.type === 'bad';
  if (step.type !== 'hook' || !isFailed) return ignored(act, `no hook has failed at ${name}`);
  return {
    type: 'retry-hook',
    message: `The hook of ${name} runs again, after HookRun ${run.name} was ${run.phase}.`,
  };
}

type At = { readonly index: number; readonly step: CanaryStep };

function promoteEffect(given: StepsGiven, act: ReleaseAct, { index, step }: At): ActEffect {
  const { before, steps = [] } = given;
  const name = stepNumber(index, steps);
  if (hasPause(before.pauses, 'PausedByUser'))
    return ignored(act, 'the release is paused by a user; boathook release resume ends that pause');
  if (act.toStep !== undefined && act.toStep <= index) return ignored(act, `${name} is already reached`);
  const isEnding =
    before.pauses.length > 0 ||
    isHeldBack(given, step) ||
    (act.skipHooks === true && hookOf(step) !== undefined);
  const promotion = act.toStep === undefined ? before.promotion : promotionOf(act, act.toStep, steps.length);
  if (isEnding) return { type: 'advance', promotion, message: promoted(given, act, index) };
  if (act.toStep === undefined || promotion === undefined) return ignored(act, notPaused(given, step));
  return { type: 'promotion', promotion, message: promoted(given, act, index) };
}

const promotionOf = ({ skipHooks }: ReleaseAct, toStep: number, count: number): Promotion => ({
  toStep: Math.min(toStep, count),
  ...(skipHooks === true ? { skipHooks } : {}),
});

/** The step is done and waits only for updated pods that are not ready. */
function isHeldBack(given: StepsGiven, step: CanaryStep): boolean {
  if (!given.isHeldByUnready || given.updatedUnready === 0) return false;
  return stepOutcome(given, step).type === 'done';
}

function notPaused({ before, steps = [], run }: StepsGiven, step: CanaryStep): string {
  const name = stepNumber(before.stepIndex, steps);
  if (step.type !== 'hook') return `${name} is not paused`;
  const what = run.type === 'impossible' ? 'cannot run' : 'has not failed';
  return `the hook of ${name} ${what}; --skip-hook skips it`;
}

function promoted({ steps = [] }: StepsGiven, { toStep, skipHooks }: ReleaseAct, index: number): string {
  const from = stepNumber(index, steps);
  const target = Math.min(toStep ?? index + 1, steps.length);
  const to = target >= steps.length ? 'the end' : stepNumber(target, steps);
  const how = skipHooks === true ? ', without hooks' : '';
  return `Promoted from ${from} to ${to}${how}.`;
}
