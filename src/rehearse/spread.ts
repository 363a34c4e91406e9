/** How values of many rehearsals are spread. */
export type Spread = {
  readonly least: number;
  readonly median: number;
  readonly p90: number;
  readonly most: number;
};

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const part = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { least: part(0), median: part(0.5), p90: part(0.9), most: sorted.at(-1) ?? 0 };
}
