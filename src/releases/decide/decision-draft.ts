import type { Instant } from '#base/time.ts';
import type { EventNote, ReleaseAction } from '#releases/model/action.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { earlier, type PodHookAnswer, type PodHookEntry, type PodHookPoint } from './pod-hooks.ts';

/** A pod that waits for one of its hooks: an entry of the status. */
export type WaitingPod = { readonly point: PodHookPoint; readonly entry: PodHookEntry };

/** What one part of the decision contributes. */
export type DecisionPart = {
  readonly actions?: readonly ReleaseAction[];
  readonly blockers?: readonly Blocker[];
  readonly notes?: readonly EventNote[];
  readonly waiting?: readonly WaitingPod[];
  readonly wakeAt?: Instant | undefined;
};

/** Parts joined in their order, before the status is computed. */
export type DecisionDraft = Required<DecisionPart>;

export const noPart: DecisionPart = {};

export function joinParts(parts: Iterable<DecisionPart>): DecisionDraft {
  const actions: ReleaseAction[] = [];
  const blockers: Blocker[] = [];
  const notes: EventNote[] = [];
  const waiting: WaitingPod[] = [];
  let wakeAt: Instant | undefined;
  for (const part of parts) {
    if (part === noPart) continue;
    for (const each of part.actions ?? []) actions.push(each);
    for (const each of part.blockers ?? []) blockers.push(each);
    for (const each of part.notes ?? []) notes.push(each);
    for (const each of part.waiting ?? []) waiting.push(each);
    wakeAt = earlier(wakeAt, part.wakeAt);
  }
  return { actions, blockers, notes, waiting, wakeAt };
}

export const actionPart = (...actions: readonly ReleaseAction[]): DecisionPart => ({ actions });

export const blockerPart = (blocker: Blocker | undefined): DecisionPart =>
  blocker === undefined ? noPart : { blockers: [blocker] };

/** The pod waits for its hook, and the release for the pod. */
export const waitForHook = (
  point: PodHookPoint,
  { actions, entry, blocker, wakeAt }: Extract<PodHookAnswer, { readonly isAllowed: false }>,
): Required<Omit<DecisionPart, 'notes'>> => ({
  actions,
  blockers: [blocker],
  waiting: [{ point, entry }],
  wakeAt,
});

export const isWaiting = ({ waiting }: DecisionDraft, point: PodHookPoint, podName: string): boolean =>
  waiting.some((each) => each.point === point && each.entry.podName === podName);
