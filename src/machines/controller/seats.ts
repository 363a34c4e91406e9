import { seconds, type Clock, type Instant } from '#base/time.ts';
import type { Progress } from '#machines/decide/progress.ts';
import { Slots } from '#base/slots.ts';

/** So often those with a seat look whether they should make room. */
const lookEvery = seconds(2);
/** Scripts are followed at least so long at a time: to connect again costs more than to stay. */
const fairShare = seconds(10);

/** Operations that are connected to machines, so many at a time. Whoever comes later waits in line. */
export class Seats {
  readonly #slots: Slots;
  #waiting = 0;

  constructor(most: number) {
    this.#slots = new Slots(most);
  }

  get isWanted(): boolean {
    return this.#waiting > 0;
  }

  /** How it was got: at once, or after others. Undefined when nobody wants it any more. */
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

  giveBack(): void {
    this.#slots.release();
  }

  /**
   * Calls `yieldSeat` when others wait for a seat and this operation does nothing but wait for scripts, which run
   * without it: it comes back after the others. The answer ends the looking.
   */
  share(clock: Clock, progress: () => Progress, yieldSeat: () => void): () => void {
    const look = (): void => {
      if (this.isWanted && onlyFollows(progress(), clock.now())) yieldSeat();
      else stop = clock.after(lookEvery, look);
    };
    let stop = clock.after(lookEvery, look);
    return () => stop();
  }
}

function onlyFollows({ tasks }: Progress, now: Instant): boolean {
  const live = [...tasks.values()].filter((task) => task.live);
  return (
    live.length > 0 && live.every(({ state, since }) => state === 'Launched' && now - since >= fairShare)
  );
}
