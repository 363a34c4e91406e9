import { describe, expect, test } from 'vitest';
import { parseType, splitTypes } from './parse-lines.ts';
import type { TypePackage } from './type-package.ts';

const home: TypePackage = {
  name: 'io.example.v1',
  alias: 'example',
  group: 'example.com',
  version: 'v1',
  lines: `
First kind atomic
 name 1 string
Second
 a 2 *int32? =atomic
Third @quantity
`,
};
const other: TypePackage = { ...home, name: 'io.other.v2', alias: 'other', version: 'v2', lines: '' };
const packages = new Map([
  ['example', home],
  ['other', other],
]);
const field = (line: string) => parseType(`T\n ${line}`, home, packages).fields[0];

test('types are found by their names', () => {
  expect([...splitTypes(home).keys()]).toEqual(['First', 'Second', 'Third']);
  expect(splitTypes(home).get('Second')).toBe('Second\n a 2 *int32? =atomic');
});

test('marks of a type', () => {
  const parsed = (name: string) => parseType(splitTypes(home).get(name) ?? '', home, packages);
  expect(parsed('First')).toMatchObject({
    name: 'io.example.v1.First',
    isKind: true,
    atomic: true,
    special: undefined,
  });
  expect(parsed('Second')).toMatchObject({ goType: 'v1.Second', isKind: false, atomic: false });
  expect(parsed('Third')).toMatchObject({ special: 'quantity', fields: [] });
});

describe('a field', () => {
  test.for([
    {
      line: 'a 7 string',
      is: { name: 'a', number: 7, type: 'string', container: 'none', required: true, omitEmpty: false },
    },
    { line: 'a 7 string?', is: { required: false, omitEmpty: true, pointer: false } },
    { line: 'a 7 string+', is: { required: false, omitEmpty: false } },
    { line: 'a 7 string?!', is: { required: true, omitEmpty: true } },
    { line: 'a 7 *string?', is: { pointer: true, goType: 'string' } },
    { line: 'a 7 &Second', is: { inlined: true, type: 'io.example.v1.Second' } },
    {
      line: 'a 7 []other.Thing',
      is: { container: 'list', type: 'io.other.v2.Thing', goType: '[]v2.Thing', goElement: 'v2.Thing' },
    },
    { line: 'a 7 {}bytes', is: { container: 'map', goType: 'map[string][]uint8', goElement: '[]uint8' } },
    { line: 'a 7 string?<Policy>', is: { goType: 'v1.Policy' } },
    { line: 'a 7 []string<types.UID>', is: { goType: '[]types.UID', goElement: 'types.UID' } },
    { line: 'a 7 {}Third?<=Things>', is: { goType: 'v1.Things', goElement: 'v1.Third' } },
    { line: 'a 7 []string =set', is: { listType: 'set', listMapKeys: [] } },
    { line: 'a 7 []Second =map:x,y', is: { listType: 'map', listMapKeys: ['x', 'y'] } },
    { line: 'a 7 {}string =atomic', is: { atomic: true } },
    {
      line: 'a 7 []Second ~merge,retainKeys:x',
      is: { patchStrategy: ['merge', 'retainKeys'], patchMergeKey: 'x' },
    },
    { line: 'a 7 []string ~merge', is: { patchStrategy: ['merge'], patchMergeKey: undefined } },
    { line: 'a 7 string :="TCP"', is: { default: 'TCP' } },
    { line: 'a 7 bool', is: { default: undefined, listType: undefined, patchStrategy: [] } },
  ])('$line', ({ line, is }) => {
    expect(field(line)).toMatchObject(is);
  });

  test('with a type that cannot be read stops the reading', () => {
    expect(() => field('a 7 []')).toThrow('io.example.v1: cannot read the type in line " a 7 []"');
    expect(() => field('a 7 nowhere.Thing')).toThrow('io.example.v1: no package is called "nowhere"');
  });
});
