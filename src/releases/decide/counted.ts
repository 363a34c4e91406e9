import type { ReleaseAction } from '#releases/model/action.ts';
import type { DecisionPart } from './decision-draft.ts';
import type { Decision } from './snapshot.ts';

/** A part that chooses pods by their number: its annotations, HookRuns and events wait with it. */
export const counted = (part: DecisionPart): DecisionPart => ({
  ...part,
  ...(part.actions && { actions: part.actions.map(countedAction) }),
  ...(part.notes && { notes: part.notes.map((note) => ({ ...note, isCounted: true as const })) }),
});

const countedAction = (action: ReleaseAction): ReleaseAction =>
  action.type === 'patch-pod' || action.type === 'create-run' ? { ...action, isCounted: true } : action;

/** What may be applied while informers do not show all pods that this process created and deleted. */
export const withoutCounted = ({ actions, notes, ...rest }: Decision): Decision => ({
  ...rest,
  actions: actions.filter((action) => !dependsOnNumber(action)),
  notes: notes.filter(({ isCounted }) => isCounted !== true),
});

function dependsOnNumber(action: ReleaseAction): boolean {
  switch (action.type) {
    case 'create-pods':
    case 'create-pod':
    case 'delete-pod':
    case 'begin-in-place':
      return true;
    case 'patch-pod':
    case 'create-run':
      return action.isCounted === true;
    default:
      return false;
  }
}
