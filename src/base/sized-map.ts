/** A map with limited room: the values that were set first are dropped when all together are too large. */
export class SizedMap<Value> {
  readonly #room: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value, size: number): void {
    this.#drop(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#room) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
