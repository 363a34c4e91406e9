import type { Random } from '#base/random.ts';
import { randomLetters } from '#kube/safe-letters.ts';

const longestPrefix = 58;

/** A name from generateName: the prefix, cut to 58, and five letters. */
export const generatedName = (prefix: string, random: Random): string =>
  prefix.slice(0, longestPrefix) + randomLetters(random, 5);
