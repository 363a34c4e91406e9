import { randomUUID } from 'node:crypto';
import type { Random } from '#base/random.ts';

/** Randomness of the system; the ids come from its cryptographic generator. */
export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => randomUUID(),
};
