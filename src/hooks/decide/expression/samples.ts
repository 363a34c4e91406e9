import type { SkeletonVariable } from './skeleton.ts';
import { canBe, kind } from './type.ts';
import { isNumeric, type ExprValue } from './value.ts';

/** Values of the type of a variable: at least one between each two constants that it is compared with. */
export function samplesFor({ type, natural, constants }: SkeletonVariable): readonly ExprValue[] {
  const all = [...constants];
  const numbers = all.filter(isNumeric);
  const texts = all.filter((value) => typeof value === 'string');
  const others = all.filter((value) => typeof value === 'object' && value !== null);
  return [
    ...(canBe(type, kind.int) ? wholes(numbers, natural ? 0n : smallest) : []),
    ...(canBe(type, kind.float) ? reals(numbers.map(Number)) : []),
    // The next text after t is t with a NUL.
    ...(canBe(type, kind.text) ? ['', ...texts, ...texts.map((text) => `${text}\0`)] : []),
    ...(canBe(type, kind.bool) ? [true, false] : []),
    ...(canBe(type, kind.nil) ? [null] : []),
    ...(canBe(type, kind.list) ? [[], [unheardOf]] : []),
    ...(canBe(type, kind.map) ? [{ [unheardOf]: unheardOf }] : []),
    ...(canBe(type, kind.list | kind.map) ? others : []),
  ];
}

/** For a list or map that equals no literal of a condition. */
const unheardOf = '\u{10FFFF}\u{10FFFE}';
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

function wholes(numbers: readonly (bigint | number)[], least: bigint): readonly bigint[] {
  const near = numbers
    .filter((value) => Number.isFinite(Number(value)))
    .flatMap((value) => {
      const floor = typeof value === 'bigint' ? value : BigInt(Math.floor(value));
      return [floor - 1n, floor, floor + 1n];
    });
  return [...new Set([least, 0n, ...near, largest])].filter((value) => value >= least && value <= largest);
}

function reals(numbers: readonly number[]): readonly number[] {
  const sorted = [...new Set([...numbers, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])]
    .filter((value) => !Number.isNaN(value))
    .sort((left, right) => left - right);
  const between = sorted.flatMap((value, i) => midway(value, sorted[i + 1] ?? value));
  return [...sorted, ...between, Number.NaN];
}

function midway(low: number, high: number): number {
  if (low === Number.NEGATIVE_INFINITY)
    return high === Number.POSITIVE_INFINITY ? 0 : high - Math.max(1, Math.abs(high));
  if (high === Number.POSITIVE_INFINITY) return low + Math.max(1, Math.abs(low));
  return low / 2 + high / 2;
}
