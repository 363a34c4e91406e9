import { expect, test } from 'vitest';
import { parseLocatedYaml } from './yaml.ts';

const text = `# a comment
a: 1
list:
- b: 2
  c:
    d: [x,
      y]
- e: 3
anchored: &same
  f: 4
alias: *same
---

second:
  g: 5
`;

test.for<[number, string, number]>([
  [0, '', 2],
  [0, 'a', 2],
  [0, 'list', 3],
  [0, 'list[0]', 4],
  [0, 'list[0].b', 4],
  [0, 'list[0].c.d', 6],
  [0, 'list[0].c.d[1]', 7],
  [0, 'list[1].e', 8],
  // Not written: the nearest field above.
  [0, 'list[1].missing.deeper', 8],
  [0, 'list[7]', 3],
  [0, 'nothing', 2],
  [0, 'a.below', 2],
  // An alias: the line of the field itself.
  [0, 'alias.f', 10],
  [1, '', 14],
  [1, 'second.g', 15],
])('document %i, %s: line %i', ([at, path, line]) => {
  expect(parseLocatedYaml(text).documents[at]?.lineOf(path)).toBe(line);
});

test('JSON has lines too', () => {
  const [document] = parseLocatedYaml('{"a": 1,\n "b": {\n  "c": [1, 2]}}').documents;
  expect(document?.value).toEqual({ a: 1, b: { c: [1, 2] } });
  expect(['b', 'b.c', 'b.c[1]', 'b.x'].map((path) => document?.lineOf(path))).toEqual([2, 3, 3, 2]);
});
