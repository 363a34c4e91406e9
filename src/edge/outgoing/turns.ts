/** A limit of concurrent calls; the others wait in their order. */
export type Turns = {
  /** Runs `start` when a slot is free. The returned function cancels the wait, or frees the slot. */
  take(start: () => void): () => void;
  readonly busy: number;
  readonly waiting: number;
};

export function createTurns(atOnce: number): Turns {
  // Insertion order is the queue, and leaving it from the middle costs nothing.
  const waiting = new Set<() => void>();
  let busy = 0;
  const pass = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      busy -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    get busy() {
      return busy;
    },
    get waiting() {
      return waiting.size;
    },
    take(start) {
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        if (!waiting.delete(start)) pass();
      };
      if (busy < atOnce) {
        busy += 1;
        start();
      } else waiting.add(start);
      return end;
    },
  };
}
