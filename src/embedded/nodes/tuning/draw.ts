import { hashText } from '#base/hash.ts';
import { millis, type Millis } from '#base/time.ts';
import type { SpanRange } from './profiles.ts';

/** Mixes the bits of a number (MurmurHash3 finalizer): similar inputs get very different results. */
export function mixed(bits: number): number {
  let value = bits >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** 32 bits that depend on nothing but the text. */
export function hashNumber(text: string): number {
  const hash = hashText(text);
  return mixed(Number.parseInt(hash.slice(0, 8), 16) ^ Number.parseInt(hash.slice(8), 16));
}

/** A number in [0, 1) that depends only on the text. */
const chance = (text: string): number => hashNumber(text) / 0x1_0000_0000;

/** A span of the range, drawn by the text. */
export function draw({ least, most }: SpanRange, text: string): Millis {
  return least === most ? least : millis(Math.round(least + (most - least) * chance(text)));
}
