import { patternEffort } from './lib-regex.ts';
import { perCharacter, perPatternCharacter, sizeOf, type CostRow, type CostShape } from './cost-table.ts';
import { add, exactly, multiply, times, type CostRange } from './range.ts';
import { isBoxed, itemsOf, type CelValue } from './value.ts';

const nominal: CostRow = {};

/** What it costs to walk over a value and everything in it. */
function traversal(value: CelValue | undefined, depth = 0): number {
  if (typeof value === 'string' || value instanceof Uint8Array)
    return Math.floor(value.length * perCharacter);
  if (value === undefined || !isBoxed(value) || depth > 64) return 1;
  if (value.kind === 'list')
    return itemsOf(value).reduce<number>((all, each) => all + traversal(each, depth + 1), 0);
  if (value.kind !== 'map') return 1;
  return value
    .keys()
    .reduce<number>((all, key) => all + traversal(key, depth + 1) + traversal(value.find(key), depth + 1), 0);
}

/** One comparison per item, and texts are walked over. */
const overList: CostRow = {
  estimate: (target) => {
    if (target === undefined) return undefined;
    if (!target.isList) return { cost: times(target.size, perCharacter) };
    const item =
      target.itemSize === undefined ? exactly(1) : add(exactly(1), times(target.itemSize, perCharacter));
    return { cost: multiply(target.size, item) };
  },
  run: ([list]) => traversal(list),
};

const walk =
  (factor: number) =>
  ([text]: readonly CelValue[]): number =>
    Math.ceil(sizeOf(text) * factor);

/** One walk, and as long a text again. */
const overText: CostRow = {
  estimate: (target) =>
    target === undefined ? undefined : { cost: times(target.size, perCharacter), size: target.size },
  run: walk(perCharacter),
};

const firstArgument: CostRow = {
  estimate: (_target, [text]) => (text === undefined ? undefined : { cost: times(text.size, perCharacter) }),
  run: walk(perCharacter),
};

/** Conversions whose estimate the server leaves at one. */
const parsing: CostRow = { run: walk(perCharacter) };

const pattern: CostRow = {
  estimate: (target, [source]) => {
    if (target === undefined || source === undefined) return undefined;
    const text = times(add(target.size, exactly(1)), perCharacter);
    return {
      cost: multiply(text, times(source.size, perPatternCharacter)),
      size: { min: 0, max: target.size.max },
    };
  },
  run: ([text, source]) =>
    Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(source) * perPatternCharacter),
  effort: patternEffort,
};

const replacing: CostRow = {
  estimate: (target, [part, by]) => {
    if (target === undefined || part === undefined || by === undefined) return undefined;
    const size = {
      min: shortest(target.size, part.size, by.size),
      max: longest(target.size, part.size, by.size),
    };
    return { cost: times(target.size, 2 * perCharacter), size };
  },
  run: walk(2 * perCharacter),
};

function longest(text: CostRange, part: CostRange, by: CostRange): number {
  if (part.min === 0) return (text.max + 1) * by.max + text.max;
  return by.max <= part.min ? text.max : Math.ceil(text.max / part.min) * by.max;
}

function shortest(text: CostRange, part: CostRange, by: CostRange): number {
  if (part.max === 0) return (text.min + 1) * by.min + text.min;
  return part.max <= by.min ? text.min : Math.ceil(text.min / part.max) * by.min;
}

const splitting: CostRow = {
  estimate: (target, [, most]) => {
    if (target === undefined) return undefined;
    const limit = typeof most?.literal === 'bigint' && most.literal >= 0n ? Number(most.literal) : undefined;
    return { cost: times(target.size, 2 * perCharacter), size: { min: 0, max: limit ?? target.size.max } };
  },
  run: walk(2 * perCharacter),
};

const joining: CostRow = {
  estimate: (target, [separator]) => {
    if (target === undefined) return undefined;
    const texts = target.itemSize === undefined ? exactly(0) : multiply(target.size, target.itemSize);
    const size = separator === undefined ? texts : add(texts, multiply(separator.size, between(target)));
    return { cost: times(size, perCharacter), size };
  },
  run: ([list, separator]) => Math.ceil(joinedSize(list, separator) * 2 * perCharacter),
};

function joinedSize(list: CelValue | undefined, separator: CelValue | undefined): number {
  if (list === undefined || !isBoxed(list) || list.kind !== 'list') return 1;
  const gaps = Math.max(0, list.length - 1) * (separator === undefined ? 0 : sizeOf(separator));
  return itemsOf(list).reduce<number>((all, each) => all + sizeOf(each), gaps);
}

const between = ({ size }: CostShape): CostRange => ({
  min: Math.max(0, size.min - 1),
  max: Math.max(0, size.max - 1),
});

/** Every item of one list is held against every item of the other. */
const pairs = (factor: number): CostRow => ({
  estimate: (_target, [left, right]) =>
    left === undefined || right === undefined
      ? undefined
      : { cost: add(exactly(1), times(multiply(left.size, right.size), factor)) },
  run: ([left, right]) => 1 + sizeOf(left) * sizeOf(right) * factor,
});

const network = (extra: boolean): CostRow => ({
  estimate: (target, [other]) => {
    if (target === undefined || other === undefined) return undefined;
    const both = times({ min: 8, max: 32 }, perCharacter);
    return { cost: extra ? add(both, add(times({ min: 4, max: 16 }, perCharacter), exactly(1))) : both };
  },
  run: ([cidr]) =>
    Math.ceil(2 * sizeOf(cidr) * perCharacter) + (extra ? Math.ceil(sizeOf(cidr) * perCharacter) + 1 : 0),
});

/** Named formats are patterns of about sixty characters. */
const formatted: CostRow = {
  estimate: (target, [text]) =>
    target === undefined || text === undefined
      ? undefined
      : { cost: multiply(times(text.size, perCharacter), exactly(15)) },
  run: ([, text]) => Math.ceil(sizeOf(text) * perCharacter) * 15,
};

/** Costs of the functions that Kubernetes adds, by name. */
export const kubernetesCosts: ReadonlyMap<string, CostRow> = new Map(
  Object.entries({
    isSorted: overList,
    sum: overList,
    max: overList,
    min: overList,
    indexOf: overList,
    lastIndexOf: overList,
    url: firstArgument,
    lowerAscii: overText,
    upperAscii: overText,
    substring: overText,
    trim: overText,
    replace: replacing,
    split: splitting,
    join: joining,
    format: overText,
    'strings.quote': firstArgument,
    find: pattern,
    findAll: pattern,
    cidr: parsing,
    isIP: parsing,
    isCIDR: parsing,
    'ip.isCanonical': { run: walk(2 * perCharacter) },
    ip: parsing,
    containsIP: network(false),
    containsCIDR: network(true),
    quantity: parsing,
    isQuantity: parsing,
    sign: nominal,
    'sets.contains': pairs(1),
    'sets.intersects': pairs(1),
    'sets.equivalent': pairs(2),
    validate: formatted,
  }),
);
