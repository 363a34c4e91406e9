import { expect, test } from 'vitest';
import { compileCondition } from './condition.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import type { ResultValue } from './result.ts';

function explained(text: string, type: ResultType, result: ResultValue): readonly string[] {
  const compiled = compileCondition(text, type);
  if (!compiled.ok) throw new Error(compiled.problem.reason);
  return compiled.condition.explain(result);
}

test.for<readonly [string, ResultType, ResultValue, readonly string[]]>([
  ['asInt(result) < 30', 'string', '32', ['asInt(result) = 32', 'asInt(result) < 30 is false']],
  ['result == "ok"', 'string', 'bad', ['result = "bad"', 'result == "ok" is false']],
  [
    'asInt(result) < 30 && result != ""',
    'string',
    '32',
    ['asInt(result) = 32', 'asInt(result) < 30 is false', 'asInt(result) < 30 && result != "" is false'],
  ],
  [
    'asInt(result) > 40 or asInt(result) < 30',
    'string',
    '32',
    [
      'asInt(result) = 32',
      'asInt(result) > 40 is false',
      'asInt(result) < 30 is false',
      'asInt(result) > 40 or asInt(result) < 30 is false',
    ],
  ],
  [
    'not (result contains "err")',
    'string',
    'err!',
    ['result = "err!"', '(result contains "err") is true', 'not (result contains "err") is false'],
  ],
  [
    'all(result, {# < 1})',
    'floats',
    [0.5, 1.5, 7],
    ['result = [0.5, 1.5, 7]', 'item 1 = 1.5', 'all(result, {# < 1}) is false'],
  ],
  ['any(result, {# > 2})', 'floats', [1], ['result = [1]', 'any(result, {# > 2}) is false']],
  ['result.ready', 'json', { ready: false }, ['result.ready = false']],
  [
    'result.a == nil ? false : result.a > 1',
    'json',
    { a: 2 },
    [
      'result.a = 2',
      'result.a == nil is false',
      'result.a > 1 is true',
      'result.a == nil ? false : result.a > 1 is true',
    ],
  ],
  [
    'asInt(result) < 30',
    'string',
    'x',
    [
      'asInt(result) failed: asInt: "x" is not a whole number',
      'asInt(result) < 30 failed: asInt: "x" is not a whole number',
    ],
  ],
  ['len(result)\n  > 3', 'string', 'abcd', ['len(result) = 4', 'len(result) > 3 is true']],
  ['result in {a: 1}', 'string', 'b', ['result = "b"', 'result in {a: 1} is false']],
  [
    'result == {}',
    'json',
    { a: [null, { b: true }] },
    ['result = {"a": [nil, {"b": true}]}', 'result == {} is false'],
  ],
])('%s on %s %j', ([text, type, result, lines]) => {
  expect(explained(text, type, result)).toEqual(lines);
});

test('an explanation is short, whatever the condition and the result', () => {
  const long = Array.from({ length: 200 }, (_, i) => `len(result) != ${i}`).join(' && ');
  const lines = explained(long, 'string', 'x'.repeat(10_000));
  expect(lines.length).toBeLessThanOrEqual(8);
  expect(lines.at(-1)).toMatch(/ is true$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
  const [shown = ''] = explained('result == "a"', 'string', '😀'.repeat(1000));
  expect(shown.length).toBeLessThanOrEqual(70);
  expect(shown.isWellFormed()).toBe(true);
});
