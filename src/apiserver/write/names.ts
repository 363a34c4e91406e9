import type { Random } from '#base/random.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const longestPrefix = 58;

/** W2: a name from generateName: the prefix, cut to 58, and five letters. */
export function generatedName(prefix: string, random: Random): string {
  let name = prefix.slice(0, longestPrefix);
  for (let count = 0; count < 5; count += 1)
    name += letters.charAt(Math.floor(random.next() * letters.length));
  return name;
}
