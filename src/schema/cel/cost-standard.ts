import { kubernetesCosts } from './cost-kubernetes.ts';
import { patternEffort } from './lib-regex.ts';
import { perCharacter, perPatternCharacter, sizeOf, type CostRow, type CostShape } from './cost-table.ts';
import type { Overload } from './overload.ts';
import { add, exactly, multiply, times, type CostRange } from './range.ts';

const shorter = (left: CostRange, right: CostRange): CostRange => {
  const max = Math.min(left.max, right.max);
  return { min: max > 0 ? 1 : 0, max };
};

/** As far as the shorter one goes. */
const comparing: CostRow = {
  estimate: (_target, [left, right]) =>
    left === undefined || right === undefined
      ? undefined
      : { cost: times(shorter(left.size, right.size), perCharacter) },
  run: ([left, right]) => Math.ceil(Math.min(sizeOf(left), sizeOf(right)) * perCharacter),
};

const joiningTexts: CostRow = {
  estimate: (_target, [left, right]) => {
    const size = both(left, right);
    return { cost: times(size, perCharacter), size };
  },
  run: ([left, right]) => Math.ceil((sizeOf(left) + sizeOf(right)) * perCharacter),
};

const both = (left: CostShape | undefined, right: CostShape | undefined): CostRange =>
  add(left?.size ?? exactly(1), right?.size ?? exactly(1));

const joiningLists: CostRow = {
  estimate: (_target, [left, right]) => ({ cost: exactly(1), size: both(left, right) }),
};

const affix: CostRow = {
  estimate: (_target, [part]) => (part === undefined ? undefined : { cost: times(part.size, perCharacter) }),
  run: ([text]) => Math.ceil(sizeOf(text) * perCharacter),
};

const containing: CostRow = {
  estimate: (target, [part]) =>
    target === undefined || part === undefined
      ? undefined
      : { cost: multiply(times(target.size, perCharacter), times(part.size, perCharacter)) },
  run: ([text, part]) => Math.ceil(sizeOf(text) * perCharacter) * Math.ceil(sizeOf(part) * perCharacter),
};

const matching: CostRow = {
  estimate: (target, [source]) => {
    if (target === undefined || source === undefined) return undefined;
    const text = times(add(target.size, exactly(1)), perCharacter);
    return { cost: multiply(text, times(source.size, perPatternCharacter)) };
  },
  run: ([text, source]) =>
    Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(source) * perPatternCharacter),
  effort: patternEffort,
};

/** The free function is not charged for, but it is as much work. */
const freeMatching: CostRow = { effort: patternEffort };

const inList: CostRow = {
  estimate: (_target, [, list]) => (list === undefined ? undefined : { cost: list.size }),
  run: ([, list]) => sizeOf(list),
};

const converting = (factor: (size: CostRange) => CostRange): CostRow => ({
  estimate: (_target, [from]) =>
    from === undefined ? undefined : { cost: times(from.size, perCharacter), size: factor(from.size) },
  run: ([from]) => Math.ceil(sizeOf(from) * perCharacter),
});

const bySignature: ReadonlyMap<string, CostRow> = new Map([
  ['_==_(A, A): bool', comparing],
  ['_!=_(A, A): bool', comparing],
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
    ['string', 'bytes'].map((type) => [`${name}(${type}, ${type}): bool`, comparing] as const),
  ),
  ['_+_(string, string): string', joiningTexts],
  ['_+_(bytes, bytes): bytes', joiningTexts],
  ['_+_(list<A>, list<A>): list<A>', joiningLists],
  ['string.startsWith(string): bool', affix],
  ['string.endsWith(string): bool', affix],
  ['string.contains(string): bool', containing],
  ['string.matches(string): bool', matching],
  ['matches(string, string): bool', freeMatching],
  ['@in(A, list<A>): bool', inList],
  ['bytes(string): bytes', converting((size) => ({ min: size.min, max: size.max * 4 }))],
  ['string(bytes): string', converting((size) => ({ min: Math.floor(size.min / 4), max: size.max }))],
  ['CIDR.ip(): IP', {}],
]);

/** The costs of an overload; an empty row means one. */
export const costOf = ({ id, name }: Overload): CostRow =>
  bySignature.get(id) ?? kubernetesCosts.get(name) ?? (isZoned(id) ? zoned : usual);

/** Time zones are looked up in tables that are not ours. */
const isZoned = (id: string): boolean => id.startsWith('timestamp.get') && id.includes('(string)');
const zoned: CostRow = { effort: () => 300 };

const usual: CostRow = {};
