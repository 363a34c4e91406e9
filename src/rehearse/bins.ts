/** A whole number of one rehearsal, and how that rehearsal ended. */
export type CountedValue<Type> = { readonly value: number; readonly type: Type };

/** Values from `from` to `to`, both included, by outcome. */
export type Bin<Type> = {
  readonly from: number;
  readonly to: number;
  readonly runs: ReadonlyMap<Type, number>;
};

/** At most so many bins of equal width. */
export function binsOf<Type>(values: readonly CountedValue<Type>[], mostBins: number): readonly Bin<Type>[] {
  let [least, most] = [Infinity, -Infinity];
  for (const { value } of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (values.length === 0) return [];
  const width = Math.ceil((most - least + 1) / mostBins);
  const counts = Array.from({ length: Math.ceil((most - least + 1) / width) }, () => new Map<Type, number>());
  for (const { value, type } of values) {
    const bin = counts[Math.floor((value - least) / width)];
    bin?.set(type, (bin.get(type) ?? 0) + 1);
  }
  return counts.map((runs, i) => ({
    from: least + i * width,
    to: Math.min(most, least + (i + 1) * width - 1),
    runs,
  }));
}

/** More bins for more rehearsals, as far as the picture can show them. */
export const binsFor = (runs: number): number => Math.min(20, Math.max(5, Math.ceil(2 * Math.cbrt(runs))));
