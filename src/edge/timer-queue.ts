import type { Instant } from '#base/time.ts';

type Timer = {
  readonly at: Instant;
  readonly order: number;
  readonly task: () => void;
  isCancelled: boolean;
};

const isBefore = (left: Timer, right: Timer): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order);

/** Tasks by their time. A binary heap. */
export class TimerQueue {
  readonly #heap: Timer[] = [];
  readonly #order: () => number;
  #added = 0;

  /** `order`: a number for each task; those of the same time run by it. Default: in the order in which they were added. */
  constructor(order?: () => number) {
    this.#order = order ?? (() => (this.#added += 1));
  }

  /** The result cancels it. */
  add(at: Instant, task: () => void): () => void {
    const timer = { at, order: this.#order(), task, isCancelled: false };
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
    return () => {
      timer.isCancelled = true;
    };
  }

  nextAt(): Instant | undefined {
    while (this.#heap[0]?.isCancelled === true) this.#takeFirst();
    return this.#heap[0]?.at;
  }

  /** Takes the tasks that are due, one after the other: a task can cancel a later one. */
  *takeDue(now: Instant): Generator<() => void> {
    for (let next = this.nextAt(); next !== undefined && next <= now; next = this.nextAt()) {
      const task = this.#takeFirst()?.task;
      if (task !== undefined) yield task;
    }
  }

  #takeFirst(): Timer | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(from: number): void {
    for (
      let [at, above] = [from, (from - 1) >> 1];
      at > 0 && this.#isBefore(at, above);
      above = (at - 1) >> 1
    ) {
      this.#swap(at, above);
      at = above;
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = right < this.#heap.length && this.#isBefore(right, left) ? right : left;
      if (least >= this.#heap.length || !this.#isBefore(least, at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one !== undefined && other !== undefined && isBefore(one, other);
  }

  #swap(left: number, right: number): void {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    if (one === undefined || other === undefined) return;
    this.#heap[left] = other;
    this.#heap[right] = one;
  }
}
