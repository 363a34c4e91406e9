/** The first ordinals that are not reserved: 3 of them without 1 are 0, 2 and 3. */
export function ordinalsFor(count: number, reserved: ReadonlySet<number>): readonly number[] {
  const ordinals: number[] = [];
  for (let ordinal = 0; ordinals.length < count; ordinal += 1) {
    if (!reserved.has(ordinal)) ordinals.push(ordinal);
  }
  return ordinals;
}
