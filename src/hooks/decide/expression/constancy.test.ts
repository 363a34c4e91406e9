import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCondition, type CompiledCondition } from './condition.ts';
import { alwaysTrue, neverTrue } from './constancy.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';

function conditionOf(text: string, type: ResultType): CompiledCondition {
  const compiled = compileCondition(text, type);
  if (!compiled.ok) throw new Error(`${text}: ${compiled.problem.reason}`);
  return compiled.condition;
}

test.for<readonly [string, ResultType, 'never' | 'always' | 'depends']>([
  ['false', 'string', 'never'],
  ['true', 'string', 'always'],
  ['1 > 2', 'string', 'never'],
  ['"a" + "b" == "ab"', 'string', 'always'],
  ['asInt(result) < 30', 'string', 'depends'],
  ['asInt(result) < 30 && asInt(result) > 40', 'string', 'never'],
  ['asInt(result) < 30 && asInt( (result) ) > 40', 'string', 'never'],
  ['asInt(result) < 30 || asInt(result) > 20', 'string', 'always'],
  ['asInt(result) > 3 && asInt(result) < 4', 'string', 'never'],
  ['asFloat(result) > 3 && asFloat(result) < 4', 'string', 'depends'],
  ['asFloat(result) < 30 || asFloat(result) >= 30', 'string', 'depends'],
  ['asInt(result) < 30 || asInt(result) >= 30', 'string', 'always'],
  ['asInt(result) > 9223372036854775807', 'string', 'never'],
  ['asInt(result) != asInt(result)', 'string', 'never'],
  ['asInt(result) == asInt(result)', 'string', 'always'],
  ['asFloat(result) != asFloat(result)', 'string', 'depends'],
  ['result != result', 'string', 'never'],
  ['asInt(result) < len(result)', 'string', 'depends'],
  ['len(result) < 0', 'string', 'never'],
  ['len(result) >= 0', 'string', 'always'],
  ['result == "a" && result == "b"', 'string', 'never'],
  ['result != "a" || result != "b"', 'string', 'always'],
  ['result == "a" && result in ["b", "c"]', 'string', 'never'],
  ['result in ["a", "b"] && result != "a"', 'string', 'depends'],
  ['asInt(result) in 1..5 && asInt(result) > 5', 'string', 'never'],
  ['asInt(result) in 5..1', 'string', 'never'],
  ['asInt(result) not in 5..1', 'string', 'always'],
  ['not (asInt(result) < 10) && asInt(result) < 5', 'string', 'never'],
  ['result contains "a" && not (result contains "a")', 'string', 'never'],
  ['result contains "a" || not (result contains "a")', 'string', 'always'],
  ['asInt(result) > 5 ? asInt(result) < 5 : false', 'string', 'never'],
  ['result < "a" && result > "b"', 'string', 'never'],
  ['result > "a" && result < "b"', 'string', 'depends'],
  ['result > 0.9 && result < 0.1', 'float', 'never'],
  ['result[0] > 1 && result[0] < 1', 'floats', 'never'],
  ['result[0] > 1 && result[1] < 1', 'floats', 'depends'],
  ['result.a == 1 && result.a == "x"', 'json', 'never'],
  ['result.a == nil || result.a != nil', 'json', 'always'],
  ['result.a == [1] && result.a == {}', 'json', 'never'],
  ['all(result, {# > 1}) && not all(result, {# > 1})', 'floats', 'never'],
  ['all(result, {# > 1}) && all(result, {# < 1})', 'floats', 'depends'],
])('%s on %s: %s', ([text, type, expected]) => {
  const condition = conditionOf(text, type);
  expect(neverTrue(condition)).toBe(expected === 'never');
  expect(alwaysTrue(condition)).toBe(expected === 'always');
});

const atom = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), fc.integer({ min: -3, max: 3 }))
  .map(([operator, number]) => `asInt(result) ${operator} ${number}`);
const logic = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(${left} && ${right})`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(${left} || ${right})`),
    tie('expression').map((inner) => `not (${inner})`),
  ),
})).expression;

test('the analysis of a condition over one number equals a try of every number', () => {
  const numbers = Array.from({ length: 21 }, (_, i) => String(i - 10));
  fc.assert(
    fc.property(logic, (text) => {
      const condition = conditionOf(text, 'string');
      const answers = numbers.map((number) => condition.evaluate(number));
      const truths = answers.filter((answer) => answer.type === 'bool' && answer.value).length;
      expect(neverTrue(condition)).toBe(truths === 0);
      expect(alwaysTrue(condition)).toBe(truths === numbers.length);
    }),
  );
});
