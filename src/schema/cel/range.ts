/** Between these: a size or a cost that is not known before data comes in. */
export type CostRange = { readonly min: number; readonly max: number };

/** The server counts in 64 bits and stops there. */
const ceiling = 2 ** 64;
const capped = (value: number): number => (value > ceiling ? ceiling : value);

export const unknownSize: CostRange = { min: 0, max: ceiling };
export const zero: CostRange = { min: 0, max: 0 };
export const exactly = (value: number): CostRange => ({ min: value, max: value });

export const add = (left: CostRange, right: CostRange): CostRange => ({
  min: capped(left.min + right.min),
  max: capped(left.max + right.max),
});
export const sum = (...ranges: readonly CostRange[]): CostRange => ranges.reduce(add, zero);
export const multiply = (left: CostRange, right: CostRange): CostRange => ({
  min: capped(left.min * right.min),
  max: capped(left.max * right.max),
});
/** Rounded up. */
export const times = (range: CostRange, factor: number): CostRange => ({
  min: capped(Math.ceil(range.min * factor)),
  max: capped(Math.ceil(range.max * factor)),
});
export const union = (left: CostRange, right: CostRange): CostRange => ({
  min: Math.min(left.min, right.min),
  max: Math.max(left.max, right.max),
});
