/** Remembers which signed requests came. Give one of your own where several processes serve one hook. */
export type ReplayStore = {
  /**
   * True when this nonce was not remembered so far, and is from now on; false when it came before. It may be forgotten
   * after `until` (milliseconds since 1970): by then its signature is too old. Throw when it cannot be told: the request
   * is then refused with 503.
   */
  remember(nonce: string, until: number): boolean | Promise<boolean>;
};

/** Some 15 MB. */
const mostNonces = 100_000;

/** The nonces of this process. A restart forgets them, and other processes do not know them. */
export function memoryReplayStore(clock: { readonly now: () => number }, most = mostNonces): ReplayStore {
  const known = new Map<string, number>();
  const forgetOld = (): void => {
    const now = clock.now();
    // They come nearly in the order of their times; one that is out of order waits for those before it.
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
