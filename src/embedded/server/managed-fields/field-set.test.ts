import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import {
  difference,
  differenceBelow,
  equalSets,
  type FieldSet,
  intersection,
  leaf,
  union,
} from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';
import { compareElements } from './path-element.ts';
import { pathsOf } from './paths-of.ts';

const elements = [
  'f:a',
  'f:b',
  'f:',
  'k:{"name":"x"}',
  'k:{"name":"x","port":80}',
  'k:{"port":443}',
  'v:"x"',
  'v:10',
  'v:9',
  'i:0',
];

/** The same set, slow and obvious: the paths as texts. */
const pathList = fc.uniqueArray(fc.array(fc.constantFrom(...elements), { minLength: 1, maxLength: 3 }), {
  maxLength: 8,
  selector: (path) => path.join('\n'),
});

function fromPaths(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => {
    const one = path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), leaf);
    return union(set, one);
  }, leaf);
}

function toPaths(set: FieldSet, prefix: readonly string[] = []): readonly string[] {
  return Object.entries(set).flatMap(([element, below]) => {
    if (element === '.') return [prefix.join('\n')];
    const path = [...prefix, element];
    return Object.keys(below).length === 0 ? [path.join('\n')] : toPaths(below, path);
  });
}

const texts = (paths: readonly (readonly string[])[]): Set<string> =>
  new Set(paths.map((path) => path.join('\n')));

test('the algebra of sets is that of their paths', () => {
  fc.assert(
    fc.property(pathList, pathList, (left, right) => {
      const [a, b] = [fromPaths(left), fromPaths(right)];
      const [x, y] = [texts(left), texts(right)];
      expect(new Set(toPaths(a))).toEqual(x);
      expect(new Set(toPaths(union(a, b)))).toEqual(new Set([...x, ...y]));
      expect(new Set(toPaths(difference(a, b)))).toEqual(new Set([...x].filter((path) => !y.has(path))));
      expect(new Set(toPaths(intersection(a, b)))).toEqual(new Set([...x].filter((path) => y.has(path))));
      const covered = [...x].filter((path) =>
        [...y].some((other) => path === other || path.startsWith(`${other}\n`)),
      );
      expect(new Set(toPaths(differenceBelow(a, b)))).toEqual(
        new Set([...x].filter((path) => !covered.includes(path))),
      );
      expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true);
      expect(equalSets(a, b)).toBe(x.size === y.size && [...x].every((path) => y.has(path)));
    }),
    { numRuns: 300 },
  );
});

test('every set is canonical: reading it back, in any order, gives the same text', () => {
  const shuffled = (set: FieldSet): Json =>
    Object.fromEntries(
      Object.entries(set)
        .reverse()
        .map(([k, v]) => [k, shuffled(v)]),
    );
  fc.assert(
    fc.property(pathList, pathList, (left, right) => {
      for (const set of [
        union(fromPaths(left), fromPaths(right)),
        difference(fromPaths(left), fromPaths(right)),
      ]) {
        expect(JSON.stringify(parseFieldsV1(shuffled(set)))).toBe(JSON.stringify(set));
      }
    }),
  );
});

describe('reading FieldsV1 from outside', () => {
  test.for<{ name: string; json: Json; read: Json | undefined }>([
    { name: 'a lone dot adds nothing', json: { 'f:a': { '.': {} } }, read: { 'f:a': {} } },
    { name: 'keys are put in order', json: { 'k:{"b":1,"a":"x"}': {} }, read: { 'k:{"a":"x","b":1}': {} } },
    {
      name: 'fields come before values',
      json: { 'v:1': {}, 'f:b': {}, 'f:a': {} },
      read: { 'f:a': {}, 'f:b': {}, 'v:1': {} },
    },
    { name: 'unknown kinds of elements are dropped', json: { 'z:1': {}, 'f:a': {} }, read: { 'f:a': {} } },
    { name: 'nothing is empty', json: null, read: {} },
    { name: 'an element without a colon is invalid', json: { data: {} }, read: undefined },
    { name: 'broken keys are invalid', json: { 'k:{': {} }, read: undefined },
    { name: 'a node must be an object', json: { 'f:a': 1 }, read: undefined },
    { name: 'so must the whole', json: [], read: undefined },
  ])('$name', ({ json, read }) => {
    expect(JSON.stringify(parseFieldsV1(json))).toBe(read === undefined ? undefined : JSON.stringify(read));
  });
});

test('keyed items are ordered by value, not by text', () => {
  const keys = ['k:{"port":80}', 'k:{"port":443}', 'k:{"port":9}', 'v:"a"', 'f:z', 'i:3'];
  expect(keys.sort(compareElements)).toEqual([
    'f:z',
    'k:{"port":9}',
    'k:{"port":80}',
    'k:{"port":443}',
    'v:"a"',
    'i:3',
  ]);
});

test('paths are printed as in messages', () => {
  const set = fromPaths([
    ['f:spec', 'f:map', 'k:{"k":"a"}', 'f:v'],
    ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}'],
    ['f:spec', 'f:set', 'v:"x"'],
    ['f:spec', 'f:set'],
    ['f:list', 'i:3'],
  ]);
  expect(pathsOf(set)).toEqual([
    '.list[3]',
    '.spec.map[k="a"].v',
    '.spec.ports[port=80,protocol="TCP"]',
    '.spec.set',
    '.spec.set[="x"]',
  ]);
});
