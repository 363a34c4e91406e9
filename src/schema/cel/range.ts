/** Between these: a size or a cost that is not known before data comes in. */
export type Range = { readonly min: number; readonly max: number };

/** The server counts in 64 bits and stops there. */
const ceiling = 2 ** 64;
const capped = (value: number): number => (value > ceiling ? ceiling : value);

export const unknownSize: Range = { min: 0, max: ceiling };
export const zero: Range = { min: 0, max: 0 };
export const exactly = (value: number): Range => ({ min: value, max: value });

export const add = (left: Range, right: Range): Range => ({
  min: capped(left.min + right.min),
  max: capped(left.max + right.max),
});
export const sum = (...ranges: readonly Range[]): Range => ranges.reduce(add, zero);
export const multiply = (left: Range, right: Range): Range => ({
  min: capped(left.min * right.min),
  max: capped(left.max * right.max),
});
/** Rounded up. */
export const times = (range: Range, factor: number): Range => ({
  min: capped(Math.ceil(range.min * factor)),
  max: capped(Math.ceil(range.max * factor)),
});
export const union = (left: Range, right: Range): Range => ({
  min: Math.min(left.min, right.min),
  max: Math.max(left.max, right.max),
});
