import type { AgentRequest } from '#embedded/machines/requests/read-request.ts';

/** A lease that an agent holds. */
export type HeldLease = {
  readonly request: AgentRequest;
  readonly counter: number;
  /** Seconds since 1970. */
  touchedAt: number;
};

export type TakenLease =
  | { readonly type: 'taken'; readonly lease: HeldLease; readonly old: string }
  /** The words that the agent answers with. */
  | { readonly type: 'refused'; readonly words: string };

/**
 * The leases of the nodes that a machine is, and of the machine as a host: one operation at a time. A lease ends with its
 * agent; one that is not touched is taken over.
 */
export class MachineLeases {
  readonly #held = new Map<string, HeldLease>();
  readonly #counters = new Map<string, number>();

  take(request: AgentRequest, now: number): TakenLease {
    const { folder, run, scope, staleSeconds } = request;
    const isFresh = ({ touchedAt }: HeldLease): boolean => now - touchedAt < staleSeconds;
    for (const other of this.#held.values()) {
      if (other.request.scope === scope) continue;
      if (isFresh(other))
        return {
          type: 'refused',
          words: `busy ${age(other, now)} ${other.request.scope} ${other.request.holder}`,
        };
      this.release(other);
    }
    const before = this.#held.get(folder);
    const isOther = before !== undefined && before.request.run !== run;
    const holder = isOther ? `${before.request.run} ${before.request.holder}` : '';
    if (isOther && isFresh(before)) return { type: 'refused', words: `held ${age(before, now)} ${holder}` };
    const lease = { request, counter: this.counter(folder) + 1, touchedAt: now };
    this.#counters.set(folder, lease.counter);
    this.#held.set(folder, lease);
    return { type: 'taken', lease, old: holder };
  }

  /** How often the lease of a node was taken. */
  counter(folder: string): number {
    return this.#counters.get(folder) ?? 0;
  }

  isHeld(folder: string): boolean {
    return this.#held.has(folder);
  }

  holds(lease: HeldLease): boolean {
    return this.#held.get(lease.request.folder) === lease;
  }

  clear(): void {
    this.#held.clear();
  }

  release(lease: HeldLease): void {
    if (this.holds(lease)) this.#held.delete(lease.request.folder);
  }
}

const age = ({ touchedAt }: HeldLease, now: number): number => Math.floor(now - touchedAt);
