import type { Instant } from '#base/time.ts';
import type { Act, Said } from './act.ts';
import { earlier, type PodHookAnswer, type PodHookEntry, type PodHookPoint } from './pod-hooks.ts';
import type { Hold } from './reasons.ts';

/** What one look at a workload brings together: what to do, what to wait for, what to say. */
export class Findings {
  readonly acts: Act[] = [];
  readonly holds: Hold[] = [];
  readonly said: Said[] = [];
  readonly entries: Readonly<Record<PodHookPoint, PodHookEntry[]>> = {
    'pre-delete': [],
    'pre-inplace': [],
    'post-inplace': [],
  };
  wakeAt: Instant | undefined;

  act(...acts: readonly Act[]): void {
    this.acts.push(...acts);
  }

  hold(hold: Hold | undefined): void {
    if (hold !== undefined) this.holds.push(hold);
  }

  say(said: Said): void {
    this.said.push(said);
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
    this.hold(answer.hold);
    this.wake(answer.wakeAt);
  }
}
