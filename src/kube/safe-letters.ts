import type { Random } from '#base/random.ts';

/** Letters and digits that spell no words and are not mistaken for one another: names are made of them. */
export const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

export function randomLetters(random: Random, count: number): string {
  let text = '';
  for (let i = 0; i < count; i += 1)
    text += safeLetters.charAt(Math.floor(random.next() * safeLetters.length));
  return text;
}
