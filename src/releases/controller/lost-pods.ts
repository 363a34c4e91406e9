/** Ids of pods whose creation was not confirmed: they may exist though the informer does not show them yet. */
export class LostPods {
  readonly #ids = new Map<string, Set<string>>();

  note(key: string, id: string): void {
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
  }

  has(key: string, id: string): boolean {
    return this.#ids.get(key)?.has(id) === true;
  }

  /** Those that no pod is seen to have. Used again, each makes at most one pod. */
  unseen(key: string, seen: ReadonlySet<string>): readonly string[] {
    const ids = this.#ids.get(key);
    if (ids === undefined) return [];
    for (const id of ids) if (seen.has(id)) ids.delete(id);
    if (ids.size === 0) this.#ids.delete(key);
    return [...ids];
  }

  forget(key: string): void {
    this.#ids.delete(key);
  }
}
