import type { Instant } from '#base/time.ts';
import type { ReleaseAction, EventNote } from './action.ts';
import { earlier, type PodHookAnswer, type PodHookEntry, type PodHookPoint } from './pod-hooks.ts';
import type { Blocker } from './blocker.ts';

/** What one look at a workload brings together: what to do, what to wait for, what to say. */
export class DecisionDraft {
  readonly actions: ReleaseAction[] = [];
  readonly blockers: Blocker[] = [];
  readonly notes: EventNote[] = [];
  readonly entries: Readonly<Record<PodHookPoint, PodHookEntry[]>> = {
    'pre-delete': [],
    'pre-inplace': [],
    'post-inplace': [],
  };
  wakeAt: Instant | undefined;

  action(...actions: readonly ReleaseAction[]): void {
    this.actions.push(...actions);
  }

  blocker(blocker: Blocker | undefined): void {
    if (blocker !== undefined) this.blockers.push(blocker);
  }

  say(notes: EventNote): void {
    this.notes.push(notes);
  }

  wake(at: Instant | undefined): void {
    this.wakeAt = earlier(this.wakeAt, at);
  }

  isWaiting(point: PodHookPoint, podName: string): boolean {
    return this.entries[point].some((entry) => entry.podName === podName);
  }

  /** Notes that a pod waits for a hook. */
  waits(point: PodHookPoint, answer: PodHookAnswer): void {
    if (answer.entry !== undefined) this.entries[point].push(answer.entry);
    this.blocker(answer.blocker);
    this.wake(answer.wakeAt);
  }
}
