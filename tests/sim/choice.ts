import type { Random } from '#base/random.ts';

export const below = (random: Random, end: number): number => Math.floor(random.next() * end);

export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value;

export const byTime = (left: { readonly at: number }, right: { readonly at: number }): number =>
  left.at - right.at;
