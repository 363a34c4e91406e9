import { expect, test } from 'vitest';
import { printDenseYaml, printYaml } from './print-yaml.ts';
import { parseYamlStrict } from './yaml.ts';

test('a dense text has the same content', () => {
  const value = { a: { b: [{ c: { d: 'x\ny\n' } }, ['e', { f: 1 }]], g: {} } };
  expect(parseYamlStrict(printDenseYaml(value))).toEqual(parseYamlStrict(printYaml(value)));
  expect(printDenseYaml({ a: { b: { c: 1 } } })).toBe('a:\n b:\n  c: 1\n');
});
