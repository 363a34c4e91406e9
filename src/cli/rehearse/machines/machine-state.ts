import { defined } from '#base/defined.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { stepsOf, type PlanStep } from '#machines/decide/plan.ts';
import { hasSucceeded } from '#machines/decide/progress.ts';
import type { RehearsedMachine, RehearsedTask } from '#rehearse/machines/operation-report.ts';
import type { Rehearsed, RolledBack } from './rehearsed.ts';
import { nodeNames, stepTitle } from './step-titles.ts';

/** What would be done on one machine, and in which state it would be left. */
export function machineOf(
  { name, address, roles }: ClusterNode,
  { plan, before, after, isDown, walk, undone }: Rehearsed,
  tasks: readonly RehearsedTask[],
): RehearsedMachine {
  const steps = stepsOf(plan.prepared.plan).filter(({ targets }) =>
    targets.some(({ node }) => node === name),
  );
  const own = tasks.filter(({ node }) => node === name);
  const isPassed = (id: string): boolean =>
    own.some(({ step, result }) => step === id && (result === 'succeeded' || result === 'unchanged'));
  const done = steps.filter(({ id }) => isPassed(id)).length;
  const open = steps.find(({ id }) => !isPassed(id));
  const state =
    steps.length === 0
      ? 'not concerned'
      : open === undefined
        ? 'done'
        : openState(
            { id: open.id, title: stepTitle(open, name, nodeNames(plan)) },
            own,
            walk.end?.type === 'ended' ? walk.end.verdict.isolated.get(name) : undefined,
          );
  const isUndone = isRolledBack(undone, name);
  return defined<RehearsedMachine>({
    node: name,
    address,
    roles,
    versionBefore: before.get(name),
    versionAfter: after.get(name),
    done,
    planned: steps.length,
    state: [
      state,
      ...(isUndone ? ['rolled back'] : []),
      ...(isDown(name) ? ['the machine is down'] : []),
    ].join('; '),
    isDone: open === undefined && !isDown(name) && !isUndone,
  });
}

/** The state of a machine on which a step is not done. */
function openState(
  open: Pick<PlanStep, 'id' | 'title'>,
  own: readonly RehearsedTask[],
  isolated: string | undefined,
): string {
  if (own.length === 0) return isolated === undefined ? 'not begun' : `skipped: ${isolated}`;
  const isTried = own.some(({ step }) => step === open.id);
  return isTried ? `stopped at ${open.title}` : `left before ${open.title}`;
}

function isRolledBack(undone: RolledBack | undefined, node: string): boolean {
  if (undone?.walk.end?.type !== 'ended') return false;
  const { state, isolated } = undone.walk.end.verdict;
  return hasSucceeded(state) && !isolated.has(node) && undone.request.undo?.touched.includes(node) === true;
}
