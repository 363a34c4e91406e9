/**
 * Counts the turns of virtual time. A controller that has begun to reconcile waits for nothing but its requests, so in
 * the turn in which it begins, or has an answer, it also sends its next request; watches have a turn of their own.
 */
export class Turns {
  count = 0;
  readonly next: () => Promise<void>;

  /** `later`: `setImmediate`, or the faster `process.nextTick` where nothing at all needs real input or output. */
  constructor(later: (task: () => void) => void) {
    this.next = () =>
      new Promise((resolve) => {
        later(() => {
          this.count += 1;
          resolve();
        });
      });
  }
}
