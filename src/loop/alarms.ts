import { instant, later, millis, minutes, type Clock, type Instant, type Millis } from '#base/time.ts';

type Alarm = {
  readonly key: string;
  readonly at: Instant;
  /** Alarms of one time fire in the order in which they were set. */
  readonly turn: number;
  readonly priority: number;
};

/** The clock is read this often while alarms wait, because it may be set back. */
const longestLook = minutes(10);

/** One alarm per key, all on one timer of the clock: many thousands wait at a time. */
export class Alarms {
  readonly #clock: Clock;
  readonly #ring: (key: string, priority: number) => void;
  readonly #byKey = new Map<string, Alarm>();
  /** A binary heap, the next alarm first. Alarms that no longer count are passed over when they come up. */
  #heap: Alarm[] = [];
  #turns = 0;
  /** When the clock was last looked at. */
  #seen: Instant;
  #armed: { readonly at: Instant; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, ring: (key: string, priority: number) => void) {
    this.#clock = clock;
    this.#ring = ring;
    this.#seen = clock.now();
  }

  /** Of several alarms for a key the earliest time and the highest priority count. */
  set(key: string, after: Millis, priority: number): void {
    const at = later(this.#look(), millis(Math.max(0, Math.ceil(after))));
    const known = this.#byKey.get(key);
    if (known === undefined || known.at > at || known.priority < priority) {
      const alarm: Alarm = {
        key,
        at: known !== undefined && known.at < at ? known.at : at,
        turn: this.#turns++,
        priority: Math.max(priority, known?.priority ?? priority),
      };
      this.#byKey.set(key, alarm);
      this.#push(alarm);
    }
    this.#arm();
  }

  /** Cancels an alarm and returns its priority. */
  cancel(key: string): number | undefined {
    const known = this.#byKey.get(key);
    this.#byKey.delete(key);
    return known?.priority;
  }

  clear(): void {
    this.#byKey.clear();
    this.#heap = [];
    this.#armed?.cancel();
    this.#armed = undefined;
  }

  #arm(): void {
    const now = this.#look();
    const next = this.#first();
    if (next === undefined || (this.#armed !== undefined && this.#armed.at <= next.at)) return;
    this.#armed?.cancel();
    const wait = millis(Math.min(Math.max(0, next.at - now), longestLook));
    this.#armed = { at: later(now, wait), cancel: this.#clock.after(wait, () => this.#due()) };
  }

  #due(): void {
    this.#armed = undefined;
    const now = this.#look();
    for (let next = this.#first(); next !== undefined && next.at <= now; next = this.#first()) {
      this.#pop();
      this.#byKey.delete(next.key);
      this.#ring(next.key, next.priority);
    }
    this.#arm();
  }

  /** The time now. When the clock was set back, the alarms move with it: early is better than hours late. */
  #look(): Instant {
    const now = this.#clock.now();
    const back = this.#seen - now;
    this.#seen = now;
    if (back <= 0) return now;
    for (const [key, alarm] of this.#byKey) this.#byKey.set(key, { ...alarm, at: instant(alarm.at - back) });
    this.#heap = [...this.#byKey.values()].sort(order);
    this.#armed?.cancel();
    this.#armed = undefined;
    return now;
  }

  #first(): Alarm | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || this.#byKey.get(top.key) === top) return top;
      this.#pop();
    }
  }

  #push(alarm: Alarm): void {
    if (this.#heap.length > 64 + 2 * this.#byKey.size) {
      // Anything sorted is a heap.
      this.#heap = [...this.#byKey.values()].sort(order);
      return;
    }
    this.#heap.push(alarm);
    for (let at = this.#heap.length - 1; at > 0;) {
      const up = (at - 1) >> 1;
      if (!this.#swapped(up, at)) return;
      at = up;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const down = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapped(at, down)) return;
      at = down;
    }
  }

  /** Puts two entries of the heap in order; whether they were not. */
  #swapped(up: number, down: number): boolean {
    if (!this.#isBefore(down, up)) return false;
    const [above, below] = [this.#heap[up], this.#heap[down]];
    if (above === undefined || below === undefined) return false;
    this.#heap[up] = below;
    this.#heap[down] = above;
    return true;
  }

  #isBefore(left: number, right: number): boolean {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one !== undefined && other !== undefined && order(one, other) < 0;
  }
}

const order = (left: Alarm, right: Alarm): number => left.at - right.at || left.turn - right.turn;
