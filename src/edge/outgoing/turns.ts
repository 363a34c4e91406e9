/** At most so many at once; the others in the order in which they came. */
export type Turns = {
  /** Runs `start` when it is its turn, at once if nobody is before it. The answer gives up waiting, or ends the turn. */
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
