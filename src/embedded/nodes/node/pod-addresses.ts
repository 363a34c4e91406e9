/** Which pod of a node has which address of the node's range. */
export class PodAddresses {
  readonly #base: string;
  readonly #taken = new Map<number, string>();
  readonly #byPod = new Map<string, number>();
  #next = 2;

  /** A range of 256 addresses such as `10.128.3.0/24`. */
  constructor(cidr: string) {
    this.#base = cidr.replace(/\.\d+\/\d+$/, '');
  }

  /** The pod's address, given to it now if it has none; empty when all are taken. */
  give(uid: string): string {
    const known = this.#byPod.get(uid);
    if (known !== undefined) return `${this.#base}.${known}`;
    for (let tries = 0; tries < 253; tries += 1) {
      const candidate = this.#next;
      this.#next = candidate >= 254 ? 2 : candidate + 1;
      if (this.#taken.has(candidate)) continue;
      this.#take(uid, candidate);
      return `${this.#base}.${candidate}`;
    }
    return '';
  }

  /** The address that a pod was given here or was seen with. */
  of(uid: string): string | undefined {
    const known = this.#byPod.get(uid);
    return known === undefined ? undefined : `${this.#base}.${known}`;
  }

  /** Stores an address that a pod already has; addresses of other ranges are ignored. */
  learn(uid: string, ip: string): void {
    const [, base, last] = /^(.*)\.(\d+)$/.exec(ip) ?? [];
    if (base !== this.#base || last === undefined || this.#byPod.has(uid)) return;
    if (!this.#taken.has(Number(last))) this.#take(uid, Number(last));
  }

  free(uid: string): void {
    const known = this.#byPod.get(uid);
    if (known === undefined) return;
    this.#byPod.delete(uid);
    this.#taken.delete(known);
  }

  #take(uid: string, last: number): void {
    this.#taken.set(last, uid);
    this.#byPod.set(uid, last);
  }
}
