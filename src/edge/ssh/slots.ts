import { Slots } from '#base/slots.ts';

/** Slots that are awaited: who finds none waits, first come, first served. */
export type AsyncSlots = {
  readonly enter: (signal: AbortSignal) => Promise<void>;
  readonly leave: () => void;
};

export function slots(count: number): AsyncSlots {
  const held = new Slots(count);
  return {
    enter(signal) {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        held.whenFree(() => {
          signal.removeEventListener('abort', abort);
          resolve();
        }, signal);
      });
    },
    leave: () => held.release(),
  };
}
