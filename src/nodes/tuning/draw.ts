import { hashText } from '#base/hash.ts';
import { millis, type Millis } from '#base/time.ts';
import type { Range } from './profiles.ts';

/** A number in [0, 1) that depends on nothing but the text: the same seed and pod give the same story. */
export const chance = (text: string): number =>
  Number.parseInt(hashText(text).slice(0, 8), 16) / 0x1_0000_0000;

/** A span of the range, drawn by the text. */
export function draw({ least, most }: Range, text: string): Millis {
  return least === most ? least : millis(Math.round(least + (most - least) * chance(text)));
}
