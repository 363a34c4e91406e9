/** A number of bytes that many share: so many in all, and so many for one. */
export class ByteBudget {
  readonly #inAll: number;
  readonly #perUser: number;
  readonly #users = new Map<string, number>();
  #taken = 0;

  constructor(inAll: number, perUser: number) {
    this.#inAll = inAll;
    this.#perUser = perUser;
  }

  /** False: there are not so many left. */
  take(user: string, bytes: number): boolean {
    const own = (this.#users.get(user) ?? 0) + bytes;
    if (own > this.#perUser || this.#taken + bytes > this.#inAll) return false;
    this.#taken += bytes;
    this.#users.set(user, own);
    return true;
  }

  give(user: string, bytes: number): void {
    const own = (this.#users.get(user) ?? 0) - bytes;
    this.#taken -= bytes;
    if (own > 0) this.#users.set(user, own);
    else this.#users.delete(user);
  }
}
