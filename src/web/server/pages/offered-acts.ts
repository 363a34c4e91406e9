import { isDeleting, type KubeObject } from '#kube/object.ts';
import { releaseVerbs, type ActPlan } from '#releases/decide/act-plan/act-plan.ts';
import { planAct } from '#releases/decide/act-plan/plan-act.ts';
import { planUndo } from '#releases/decide/template-change/plan-undo.ts';
import type { OfferedAct, Permission } from '#web/wire/release-page.ts';

type OfferGiven = {
  readonly workload: KubeObject;
  readonly revisions: readonly KubeObject[];
  readonly title: string;
  readonly permission: Permission;
};

/** What a user can do with a release, and what would happen: the plans of the commands. */
export function offeredActs({ workload, revisions, title, permission }: OfferGiven): readonly OfferedAct[] {
  const undo = planUndo(workload, revisions, undefined, title);
  const isGoing = isDeleting(workload);
  return [
    ...releaseVerbs.map((verb) => ({ verb, permission, ...offerOf(planAct(verb, workload, { title })) })),
    {
      verb: 'undo',
      permission,
      isUseful: undo.type === 'change' && !isGoing,
      summary: undo.type === 'change' ? undo.summary : undo.message,
    },
    {
      verb: 'set-image',
      permission,
      isUseful: !isGoing,
      summary: isGoing
        ? `${title} is being deleted`
        : 'change the image of a container, which starts a release',
    },
  ];
}

function offerOf(plan: ActPlan): Pick<OfferedAct, 'isUseful' | 'summary'> {
  switch (plan.type) {
    case 'write':
      return { isUseful: true, summary: plan.summary };
    case 'pending':
      return {
        isUseful: false,
        summary: `${plan.by || 'a user'} has requested to ${plan.summary}; the controller has not acted on it yet`,
      };
    case 'nothing':
    case 'refused':
    case 'invalid':
      return { isUseful: false, summary: plan.message };
  }
}
