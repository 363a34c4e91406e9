/** Random numbers and ids as they are handed in: seeded in simulations, from the system otherwise. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** A random (version 4) UUID in lower case. */
  uuid(): string;
};

/** A small, fast, seeded generator (mulberry32): the same seed gives the same numbers and ids. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const hex = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(next() * 16).toString(16)).join('');
  const uuid = (): string =>
    `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + Math.floor(next() * 4)).toString(16)}${hex(3)}-${hex(12)}`;
  return { next, uuid };
}
