import { seconds, type Clock, type Instant } from '#base/time.ts';
import { taskOfKey } from '#machines/decide/plan.ts';
import type { OperationProgress, TaskProgress } from '#machines/decide/progress.ts';
import { unseenTasks } from '#machines/decide/unread-results.ts';
import { Slots } from '#base/slots.ts';

/** How often an operation checks whether to give its slot to another one. */
const checkEvery = seconds(2);
/** Least time for which an operation follows its scripts: to connect again costs more than to stay. */
const fairShare = seconds(10);

/** Limits how many operations are connected to machines at a time. Further ones wait in order of arrival. */
export class ConnectionSlots {
  readonly #slots: Slots;
  #waiting = 0;

  constructor(most: number) {
    this.#slots = new Slots(most);
  }

  get hasWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Takes a slot, at once or after waiting. Undefined when the signal aborts first. */
  async take(signal: AbortSignal): Promise<'at once' | 'later' | undefined> {
    if (signal.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<'at once' | 'later' | undefined>();
    let how: 'at once' | 'later' = 'at once';
    this.#slots.whenFree(() => resolve(how), signal);
    how = 'later';
    const giveUp = (): void => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting += 1;
    try {
      return await promise;
    } finally {
      this.#waiting -= 1;
      signal.removeEventListener('abort', giveUp);
    }
  }

  release(): void {
    this.#slots.release();
  }

  /**
   * Calls `yieldSlot` when other operations wait for a slot and this one only waits for scripts, which run without a
   * connection. Returns a function that ends the checks.
   */
  share(clock: Clock, progress: () => OperationProgress, yieldSlot: () => void): () => void {
    const check = (): void => {
      if (this.hasWaiting && onlyFollows(progress(), clock.now())) yieldSlot();
      else stop = clock.after(checkEvery, check);
    };
    let stop = clock.after(checkEvery, check);
    return () => stop();
  }
}

function onlyFollows(progress: OperationProgress, now: Instant): boolean {
  const live = [...progress.tasks].filter(([, task]) => task.live);
  const follows = (key: string, { state, since }: TaskProgress): boolean =>
    now - since >= fairShare && (state === 'Launched' || waitsForAnother(progress, key));
  return live.length > 0 && live.every(([key, task]) => follows(key, task));
}

/** Nothing is sent to a machine where a script may still run that nobody follows yet. */
const waitsForAnother = (progress: OperationProgress, key: string): boolean =>
  unseenTasks(progress, taskOfKey(key).node).length > 0;
