import { numberAt, textAt } from '#base/json.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { isSameTarget, readAct } from '#releases/model/act.ts';
import { refused, type ActChange, type ActOptions, type ActPlan, type ReleaseVerb } from './act-plan.ts';
import { unexpected } from './expected.ts';
import { planAbort } from './plan-abort.ts';
import { planPause, planResume } from './plan-pause.ts';
import { planPromote } from './plan-promote.ts';
import { planRetry } from './plan-retry.ts';
import { isObserved, situationOf } from './situation.ts';

/** Decides whether an act makes sense in the state of a workload, and what must be written for it. */
export function planAct(verb: ReleaseVerb, workload: KubeObject, options: ActOptions): ActPlan {
  const other = options.expect === undefined ? undefined : unexpected(verb, workload, options);
  const plan = other ?? withoutRepetition(workload, planVerb(verb, workload, options));
  return isOutdated(verb, workload, plan) ? refused(unseen(workload, options)) : plan;
}

/** Without a request the status must be that of the present spec; a request names the state that it is meant for. */
const isOutdated = (verb: ReleaseVerb, workload: KubeObject, { type }: ActPlan): boolean =>
  (type === 'nothing' || type === 'refused') &&
  verb !== 'pause' &&
  verb !== 'resume' &&
  !isDeleting(workload) &&
  !isObserved(workload);

const unseen = (workload: KubeObject, { title }: ActOptions): string => {
  const generation = numberAt(workload, 'metadata', 'generation') ?? 0;
  const observed = numberAt(workload, 'status', 'observedGeneration') ?? 0;
  return `no controller has seen the last change of ${title} yet (generation ${generation}, its status is of ${observed}): see whether boathook controller runs, and try again`;
};

function planVerb(verb: ReleaseVerb, workload: KubeObject, options: ActOptions): ActPlan {
  const { title } = options;
  const situation = situationOf(workload);
  if (situation.type === 'deleting') return refused(`${title} is being deleted`);
  if (verb === 'pause') return planPause(workload, options);
  if (verb === 'resume') return planResume(workload, options);
  if (situation.type === 'new')
    return refused(`no controller has taken up ${title} yet, so it has no release to act on`);
  switch (verb) {
    case 'promote':
      return planPromote(workload, options, situation);
    case 'abort':
      return planAbort(workload, options, situation);
    case 'retry':
      return planRetry(workload, options, situation);
  }
}

/** A request that is written already is not written again. */
function withoutRepetition(workload: KubeObject, plan: ActPlan): ActPlan {
  if (plan.type !== 'write') return plan;
  const found = readAct(workload);
  if (found.type !== 'act' || found.act.id === textAt(workload, 'status', 'canary', 'lastAct', 'id'))
    return plan;
  const { act } = found;
  if (!isRequestOf(plan.change, act)) return plan;
  return { type: 'pending', id: act.id, by: act.by, summary: plan.summary };
}

type Requested = Omit<Extract<ActChange, { readonly type: 'act' }>, 'type' | 'skipHooks'> & {
  readonly skipHooks?: boolean;
};

const isRequestOf = (change: ActChange, act: Requested): boolean =>
  change.type === 'act' &&
  change.verb === act.verb &&
  change.toStep === act.toStep &&
  (change.skipHooks ?? false) === (act.skipHooks ?? false) &&
  isSameTarget(change.target, act.target);
