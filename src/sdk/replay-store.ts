/** Remembers signed requests. Implement it when several processes serve one hook. */
export type ReplayStore = {
  /**
   * Remembers a nonce; false when it was remembered before. It may be forgotten after `until` (milliseconds since 1970),
   * when its signature is too old. Throw when it cannot be checked: the request is then refused with 503.
   */
  remember(nonce: string, until: number): boolean | Promise<boolean>;
};

/** About 15 MB. */
const mostNonces = 100_000;

/** Remembers nonces in this process: not across restarts, and not for other processes. */
export function memoryReplayStore(clock: { readonly now: () => number }, most = mostNonces): ReplayStore {
  const known = new Map<string, number>();
  const forgetOld = (): void => {
    const now = clock.now();
    // Nonces are almost in the order of their times; one out of order is removed with its predecessors.
    for (const [nonce, until] of known) {
      if (until >= now) return;
      known.delete(nonce);
    }
  };
  return {
    remember(nonce, until) {
      forgetOld();
      if (known.has(nonce)) return false;
      if (known.size >= most)
        throw new Error(
          `more than ${most} signed requests within signatureAge: lower signatureAge, or set a replayStore`,
        );
      known.set(nonce, until);
      return true;
    },
  };
}
