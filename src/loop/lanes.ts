type Place = { readonly key: string; readonly priority: number; readonly turn: number };
type Lane = { readonly priority: number; line: Place[]; head: number };

/** Every eighth key is the one that has waited longest, so that no priority starves another. */
const turnOfOldest = 8;

/** Keys in a line per priority, the highest first, each key once. */
export class Lanes {
  readonly #places = new Map<string, Place>();
  /** The highest priority first. */
  readonly #lanes: Lane[] = [];
  #turns = 0;
  #taken = 0;

  get size(): number {
    return this.#places.size;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Puts a key at the end of its line; one that already waits only moves to a higher priority. */
  push(key: string, priority: number): void {
    const known = this.#places.get(key);
    if (known !== undefined && known.priority >= priority) return;
    const place = { key, priority, turn: this.#turns++ };
    this.#places.set(key, place);
    this.#lane(priority).line.push(place);
  }

  take(): { readonly key: string; readonly priority: number } | undefined {
    this.#taken += 1;
    const heads = this.#lanes.map((lane) => this.#head(lane)).filter((place) => place !== undefined);
    const first = heads[0];
    if (first === undefined) return undefined;
    const isOldestsTurn = this.#taken % turnOfOldest === 0;
    const chosen = isOldestsTurn
      ? heads.reduce((oldest, each) => (each.turn < oldest.turn ? each : oldest), first)
      : first;
    this.#places.delete(chosen.key);
    return chosen;
  }

  clear(): void {
    this.#places.clear();
    this.#lanes.length = 0;
  }

  #lane(priority: number): Lane {
    const found = this.#lanes.find((lane) => lane.priority === priority);
    if (found !== undefined) return found;
    const lane: Lane = { priority, line: [], head: 0 };
    this.#lanes.push(lane);
    this.#lanes.sort((left, right) => right.priority - left.priority);
    return lane;
  }

  /** The first of a lane that still waits there. */
  #head(lane: Lane): Place | undefined {
    for (; lane.head < lane.line.length; lane.head += 1) {
      const place = lane.line[lane.head];
      if (place !== undefined && this.#places.get(place.key) === place) {
        dropPassed(lane);
        return place;
      }
    }
    lane.line = [];
    lane.head = 0;
    return undefined;
  }
}

function dropPassed(lane: Lane): void {
  if (lane.head < 1024 || lane.head * 2 < lane.line.length) return;
  lane.line = lane.line.slice(lane.head);
  lane.head = 0;
}
