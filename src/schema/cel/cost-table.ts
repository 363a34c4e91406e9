import type { CostRange } from './range.ts';
import type { CelValue } from './value.ts';

/** What an argument looks like before there is data. */
export type CostShape = {
  readonly size: CostRange;
  /** The size of a list's items, when they are texts or bytes. */
  readonly itemSize: CostRange | undefined;
  readonly isList: boolean;
  readonly literal: CelValue | undefined;
};

/** The cost of a call without its arguments, and the size of its result where that is known. */
export type CallEstimate = { readonly cost: CostRange; readonly size?: CostRange };

export type CostRow = {
  /** Undefined means the usual cost of one. */
  readonly estimate?: (target: CostShape | undefined, args: readonly CostShape[]) => CallEstimate | undefined;
  /** The receiver comes first. Costs are charged before the call, so that none is too large to be stopped. */
  readonly run?: (args: readonly CelValue[]) => number;
  /** Real steps of work, where they are many more than the cost. */
  readonly effort?: (args: readonly CelValue[]) => number;
};

/** Walking over a text costs a tenth per character. */
export const perCharacter = 0.1;
/** A pattern has about one expression in four characters. */
export const perPatternCharacter = 0.25;

/** Characters, bytes, items, members; everything else is one. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (value.kind === 'list') return value.length;
  if (value.kind === 'map') return value.size;
  if (value.kind === 'ip') return value.family === 4 ? 4 : 16;
  return value.kind === 'cidr' ? Math.ceil(value.prefix / 8) : 1;
}
