/** A number of places: who finds none waits, first come, first served. */
export type AsyncSlots = {
  readonly enter: (signal: AbortSignal) => Promise<void>;
  readonly leave: () => void;
};

export function slots(count: number): AsyncSlots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const admit = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        const abort = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          reject(signal.reason as Error);
        };
        waiting.push(admit);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
