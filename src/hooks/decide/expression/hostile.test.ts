import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCondition, type CompiledCondition } from './condition.ts';
import { alwaysTrue, neverTrue } from './constancy.ts';
import { limits } from './limits.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import type { ResultValue } from './result.ts';
import { startRun } from './run.ts';

function conditionOf(text: string, type: ResultType): CompiledCondition {
  const compiled = compileCondition(text, type);
  if (!compiled.ok) throw new Error(`${text}: ${compiled.problem.reason}`);
  return compiled.condition;
}

test.for<readonly [string, string, RegExp]>([
  ['ten megabytes', 'a'.repeat(10_000_000), /has 10000000 characters, and 8192 are allowed/],
  ['ten megabytes of brackets', '('.repeat(10_000_000), /characters/],
  ['brackets in brackets', `${'('.repeat(500)}true${')'.repeat(500)}`, /nested too deeply/],
  ['lists in lists', `${'['.repeat(500)}${']'.repeat(500)} == nil`, /nested too deeply/],
  ['signs before signs', `${'!'.repeat(500)}true`, /nested too deeply/],
  ['choices in choices', `${'true?'.repeat(500)}true${':true'.repeat(500)}`, /nested too deeply/],
  ['a chain of a thousand', Array.from({ length: 1000 }, () => '1').join('+'), /nested too deeply/],
  ['members of members', `result${'.a'.repeat(1000)}`, /nested too deeply/],
  ['a huge range', 'len(1..100000000) > 1', /a range of more than 100000 numbers/],
  ['loops in loops', 'all(1..100000, {all(1..100000, {# > 0})})', /more than 1000000 steps/],
  ['a long pattern', `"" matches "${'a'.repeat(2000)}"`, /longer than 1000 characters/],
  ['a heavy pattern', `"" matches "${'(?:a?){1000}'.repeat(25)}"`, /repeat too much|repeats too much/],
  [
    'many heavy patterns',
    Array.from({ length: 200 }, () => '"" matches "(?:a?){1000}"').join(' or '),
    /the patterns repeat too much/,
  ],
])('%s are refused', ([, text, reason]) => {
  const compiled = compileCondition(text, 'json');
  if (compiled.ok) {
    const outcome = compiled.condition.evaluate(null);
    expect(outcome.type === 'error' ? outcome.message : 'no error').toMatch(reason);
  } else expect(compiled.problem.reason).toMatch(reason);
});

const deepList = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as ResultValue;

test.for<readonly [string, string, ResultValue, RegExp]>([
  ['text that doubles', 'len(map(1..2, {result + result})[0]) > 0', 'x'.repeat(600_000), /grows beyond/],
  ['many texts', 'len(map(1..100000, {result + "y"})) > 0', 'x'.repeat(1000), /steps/],
  [
    'a long text against a wide pattern',
    'result matches "(?:[ab]*a[ab]{200})+[cd]"',
    'ab'.repeat(500_000),
    /steps/,
  ],
  ['patterns made in a loop', 'any(1..1000, {"x" matches ("^" + result + "{1000}$")})', '(?:a?)', /steps/],
  ['a pattern from outside that is too long', '"x" matches result', 'a'.repeat(5000), /longer than 1000/],
  ['values nested deeply', 'result == result[0:9999]', deepList, /nested too deeply to be compared/],
  [
    'comparing large lists again and again',
    'all(result, {result == result[0:99999]})',
    Array.from({ length: 5000 }, () => 1),
    /steps/,
  ],
  [
    'copies of copies',
    'len(map(result, {result[0:99999]})) > 0',
    Array.from({ length: 5000 }, () => 1),
    /steps/,
  ],
  [
    'looking for items in a loop',
    'all(result, {# in result[0:99999] or -1 in result})',
    Array.from({ length: 5000 }, (_, i) => i),
    /steps/,
  ],
])('%s: an error, not a wait', ([, text, result, message]) => {
  const condition = conditionOf(text, 'json');
  const outcome = condition.evaluate(result);
  expect(outcome.type === 'error' ? outcome.message : 'no error').toMatch(message);
  expect(condition.explain(result).length).toBeLessThanOrEqual(8);
});

test('a long text is searched for a long part in linear time', () => {
  const text = 'a'.repeat(1_000_000);
  const part = `${'a'.repeat(125_000)}b${'a'.repeat(125_000)}`;
  const condition = conditionOf('result[0] contains result[1]', 'json');
  expect(condition.evaluate([text, part])).toEqual({ type: 'bool', value: false });
  expect(condition.evaluate([text + part, part])).toEqual({ type: 'bool', value: true });
  expect(condition.evaluate([part.slice(1), part])).toEqual({ type: 'bool', value: false });
});

test('a long part is found wherever a short one would be', () => {
  const condition = conditionOf('result[0] contains result[1]', 'json');
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 0, maxLength: 40 });
  fc.assert(
    fc.property(letters, letters, letters, (before, part, behind) => {
      expect(condition.evaluate([before + part + behind, part])).toEqual({ type: 'bool', value: true });
      expect(condition.evaluate([before, part])).toEqual({ type: 'bool', value: before.includes(part) });
    }),
  );
});

test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length', 'then'])(
  'a value has no inherited member %s',
  (key) => {
    for (const text of [`result.${key} == nil`, `result["${key}"] == nil`, `"${key}" not in result`])
      expect(conditionOf(text, 'json').evaluate({})).toEqual({ type: 'bool', value: true });
    const list = conditionOf(`result.${key} == nil`, 'json').evaluate([]);
    expect(list).toEqual({ type: 'error', message: `a list has no member "${key}" (1:8)` });
  },
);

test('the everyday condition takes no counted steps, and a loop takes its items times its body', () => {
  const plain = conditionOf('asInt(result) < 30', 'string');
  const run = startRun('29');
  expect(plain.tree.program.root(run)).toBe(true);
  expect(limits.steps - run.stepsLeft).toBe(0);
  const loop = startRun([1, 2, 3, 4]);
  conditionOf('all(result, {# > 0})', 'json').tree.program.root(loop);
  expect(limits.steps - loop.stepsLeft).toBe(4 * 3);
});

test('large constants are not compared over and over', () => {
  const text = Array.from({ length: 5 }, (_, i) => `result.a${i} == 1..30000`).join(' && ');
  const condition = conditionOf(text, 'json');
  expect([neverTrue(condition), alwaysTrue(condition)]).toEqual([false, false]);
});

test('many variables are not tried in every combination', () => {
  const text = Array.from({ length: 60 }, (_, i) => `result.a${i} > ${i}`).join(' && ');
  const condition = conditionOf(text, 'json');
  expect([neverTrue(condition), alwaysTrue(condition)]).toEqual([false, false]);
});
