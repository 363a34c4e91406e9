/** An integer in its one form: a number where that is exact, a bigint of up to 64 bits, and beyond them a float. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}

/** The integer of a text such as `-12` or `0x1f`. Texts longer than 64 bits need are refused. */
export const integerFrom = (text: string): number | bigint =>
  text.length > longestInteger ? Number(text) : integerOf(BigInt(text));

/** 64 binary digits and their prefix. */
const longestInteger = 66;
