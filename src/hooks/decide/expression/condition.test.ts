import { describe, expect, test } from 'vitest';
import { compileCondition, type ConditionOutcome } from './condition.ts';
import { problemText } from './problem.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import type { ResultValue } from './result.ts';

function outcomeOf(text: string, type: ResultType, result: ResultValue): ConditionOutcome {
  const compiled = compileCondition(text, type);
  if (!compiled.ok) throw new Error(`${text}: ${problemText(compiled.problem)}`);
  return compiled.condition.evaluate(result);
}

describe('on text, as the web provider yields it', () => {
  test.for<readonly [string, string, boolean]>([
    ['asInt(result) < 30', '29', true],
    ['asInt(result) < 30', '30', false],
    ['asInt(result) < 30', '+7', true],
    ['asInt(result) == -5', '-5', true],
    ['asInt(result) == 9223372036854775807', '9223372036854775807', true],
    ['asInt(result) == 9007199254740993', '9007199254740993', true],
    ['asInt(result) == 9007199254740992', '9007199254740993', false],
    ['asInt(result) - 1 == 9007199254740992', '9007199254740993', true],
    ['asInt(result) < -9223372036854775807', '-9223372036854775808', true],
    ['asInt(result) == 7', '0000000000000000000000007', true],
    ['asFloat(result) >= 0.95', '0.95', true],
    ['asFloat(result) == 1000000', '1e+06', true],
    ['asFloat(result) == asFloat(result)', 'NaN', false],
    ['asFloat(result) != asFloat(result)', 'nan', true],
    ['asFloat(result) > 1e308', 'Inf', true],
    ['asFloat(result) < 0', '-infinity', true],
    ['asFloat(result) == 0.5', '.5', true],
    ['asFloat(result) == 5', '5.', true],
    ['result == "ok"', 'ok', true],
    ["result == 'ok'", 'ok', true],
    ['result != "ok"', 'ok', false],
    ['"a" < result', 'b', true],
    ['result < "\u{1F600}"', '\uFFFD', true],
    ['result in ["ok", "green"]', 'green', true],
    ['result not in ["ok", "green"]', 'green', false],
    ['result not    in ["ok"]', 'red', true],
    ['not (result in ["ok"])', 'red', true],
    ['!(result in ["ok"])', 'ok', false],
    ['result in {ok: 1, "green": 2}', 'green', true],
    ['result in {ok: 1}', 'constructor', false],
    ['asInt(result) in 1..3', '3', true],
    ['asInt(result) in 1..3', '4', false],
    ['asInt(result) not in 1..3', '4', true],
    ['asInt(result) in 0..9000000000000000000', '8999999999999999999', true],
    ['asFloat(result) in 1..3', '2', true],
    ['asFloat(result) in 1..3', '2.5', false],
    ['4 in 5..1', '', false],
    ['1 in [1.5] || 1 not in [1]', '', false],
    ['1 in [1.0]', '', true],
    ['"1" in [1]', '', false],
    ['result matches "^s.+g$"', 'string', true],
    ['result matches "^" + "str"', 'string', true],
    ['result matches ("^" + result + "$")', 'string', true],
    ['result contains "bar"', 'foobar', true],
    ['result startsWith "foo"', 'foobar', true],
    ['result endsWith "foo"', 'foobar', false],
    ['result contains ""', '', true],
    ['result + "!" == "hey!"', 'hey', true],
    ['len(result) == 12', 'hello, world', true],
    ['len(result) == 2', 'é', true],
    ['result[0:1] == "s"', 'string', true],
    ['result[:3] == "str" and result[3:] == "ing"', 'string', true],
    ['result[:] == result', 'string', true],
    ['result[:9] == "string"', 'string', true],
    ['result[3:9] == "ing"', 'string', true],
    ['result[7:9] == ""', 'string', true],
    ['result[3:1] == ""', 'string', true],
    ['result[0:2] == "é"', 'éa', true],
    ['result[0:1] == "\\ufffd"', 'é', true],
    ['"abc"[1:2] == "b"', '', true],
  ])('%s on %s is %s', ([text, result, value]) => {
    expect(outcomeOf(text, 'string', result)).toEqual({ type: 'bool', value });
  });
});

describe('operators and literals', () => {
  test.for<readonly [string, boolean]>([
    ['true && false || false', false],
    ['true or false and false', true],
    ['(true or false) and false', false],
    ['not false and true', true],
    ['!!true', true],
    ['not not true', true],
    ['2 + 2 == 4', true],
    ['2 + 3 * 4 == 14', true],
    ['(2 + 3) * 4 == 20', true],
    ['10 - 3 - 2 == 5', true],
    ['7 / 2 == 3', true],
    ['-7 / 2 == -3', true],
    ['7 / 2.0 == 3.5', true],
    ['7.0 / 2 == 3.5', true],
    ['8 % 3 == 2', true],
    ['-8 % 3 == -2', true],
    ['2 ** 8 == 256', true],
    ['2 ** 3 ** 2 == 512.0', true],
    ['-2 ** 2 == 4', true],
    ['2 ** -1 == 0.5', true],
    ['-(2-5)**3-2/(+4-3)+-2 == 23', true],
    ['1 / 0.0 > 1e300', true],
    ['(0.0 / 0.0) != (0.0 / 0.0)', true],
    ['1 ** (0.0 / 0.0) == 1', true],
    ['(-1) ** (1 / 0.0) == 1', true],
    ['1 == 1.0', true],
    ['1.5 > 1', true],
    ['0xFF == 255 and 0xfe == 254', true],
    ['10_000_000 == 10000000', true],
    ['1e3 == 1000', true],
    ['.5 == 0.5', true],
    ['-.5 < 0', true],
    ['+0 == -0', true],
    ['"a" != "b"', true],
    ['"a\\nb" == "a\\x0ab"', true],
    ['"\\u00e9\\U0001F600\\101" == "é😀A"', true],
    ["'it\\'s' == \"it's\"", true],
    ['nil == nil', true],
    ['0 == nil || "str" == nil || true == nil', false],
    ['true ? true : false', true],
    ['false ? true : false ? true : false', false],
    ['(true ? 0+1 : 2+3) + (false ? -1 : -2) == -1', true],
    ['true ?: false', true],
    ['false ?: true', true],
    ['[1, 2, 3] == [1, 2, 3]', true],
    ['[1, [2]] == [1, [3]]', false],
    ['[1, 2, 3,][1] == 2', true],
    ['{a: 1, "b": 2, 3: 4, ("c" + "d"): 5,}.cd == 5', true],
    ['{a: 1}["a"] == 1', true],
    ['{a: 1}.b == nil', true],
    ['{a: 1} == {a: 1.0}', true],
    ['{a: 1} == {b: 1}', false],
    ['{"__proto__": 1}.__proto__ == 1', true],
    ['{}.constructor == nil', true],
    ['{}["toString"] == nil', true],
    ['len({a: 1, b: 2}) == 2', true],
    ['len([]) == 0', true],
    ['(0..10)[5] == 5', true],
    ['len(4..0) == 0', true],
    ['1..3 == [1, 2, 3]', true],
    ['[1, 2, 3, 4, 5][1:2] == [2]', true],
    ['[1, 2][:9] == [1, 2]', true],
    ['all(1..3, {# > 0})', true],
    ['all([], {false})', true],
    ['none(1..3, {# == 0})', true],
    ['any([1,1,0,1], {# == 0})', true],
    ['one([1,1,0,1], {# == 0}) and not one([1,0,0,1], {# == 0})', true],
    ['count(1..30, {# % 3 == 0}) == 10', true],
    ['filter(1..9, {# > 7}) == [8, 9]', true],
    ['map(1..3, {# * #}) == [1, 4, 9]', true],
    ['all(1..3, { all(1..3, { # > 0 }) and # > 0 })', true],
    ['any(1..3, {any(4..6, {# == 5}) and # == 3})', true],
    ['map(filter([{n: 1}, {n: 20}], {.n > 10}), {#.n}) == [20]', true],
    ['any(1..3, # == 2)', true],
    ['{"not": 1, "in": 2}.not == 1', true],
  ])('%s is %s', ([text, value]) => {
    expect(outcomeOf(text, 'string', '')).toEqual({ type: 'bool', value });
  });
});

describe('on parsed JSON', () => {
  const body = {
    age: 32,
    huge: 9_007_199_254_740_993n,
    name: 'kuard',
    ready: true,
    none: null,
    tags: ['a', 'b'],
    rows: [
      { n: 1, ok: true },
      { n: 2, ok: false },
    ],
    and: 1,
    text: '12',
    ratio: 6.4,
  };
  test.for<readonly [string, boolean]>([
    ['result.age < 30', false],
    ['result.age == 32', true],
    ['result.age / 5 == 6.4', true],
    ['result.age % 5 == 2', true],
    ['result["age"] > 31.5', true],
    ['result.ready', true],
    ['not result.ready', false],
    ['result.none == nil and result.absent == nil', true],
    ['result.constructor == nil and result.__proto__ == nil', true],
    ['"name" in result and "toString" not in result', true],
    ['result.tags == ["a", "b"]', true],
    ['"b" in result.tags', true],
    ['result.tags[1] == "b"', true],
    ['len(result.tags) == 2 and len(result) == 10', true],
    ['all(result.rows, {.n > 0})', true],
    ['count(result.rows, {.ok}) == 1', true],
    ['map(result.rows, {#.n})[1] == 2', true],
    ['result.and == 1', true],
    ['asInt(result.text) == 12 and asInt(result.age) == 32', true],
    ['result.name == 5', false],
    ['"x" in result.none', false],
    ['result.rows[result.rows[0].n].n == 2', true],
    ['result == result', true],
    ['result.huge == 9007199254740993', true],
    ['result.huge == 9007199254740992', false],
    ['result.huge == 9007199254740992.0', false],
    ['result.huge > 9007199254740992', true],
    ['result.huge - 1 == 9007199254740992', true],
    ['result.huge in [9007199254740992]', false],
    ['asInt(result.huge) == 9007199254740993', true],
    ['asFloat(result.huge) > 9e15', true],
  ])('%s is %s', ([text, value]) => {
    expect(outcomeOf(text, 'json', body)).toEqual({ type: 'bool', value });
  });

  test.for<readonly [string, string]>([
    ['result.name < 5', '< cannot compare text with a whole number (1:13)'],
    ['result.absent.deep == 1', 'nil has no member "deep" (1:15)'],
    ['result.age', 'a condition must yield true or false, and this one yielded a number (1:1)'],
    ['result.age && true', '&& takes true or false, not a number (1:12)'],
    ['true &&\n result.age', '&& takes true or false, not a number (1:6)'],
    ['result.tags[2] == "c"', 'index 2 lies outside the list of 2 (1:12)'],
    ['result.tags[-1] == "c"', 'index -1 lies outside the list of 2 (1:12)'],
    ['result.tags["a"] == "c"', 'a list is indexed by a whole number, not "a" (1:12)'],
    ['result[1] == 1', 'the keys of a map are texts, not a whole number (1:7)'],
    ['result.age[0] == 1', 'a number cannot be indexed (1:11)'],
    ['result.tags[-1:] == []', 'a slice is bounded by whole numbers from 0 on, not -1 (1:12)'],
    ['all(result.age, {# > 1})', 'all takes a list, not a number (1:1)'],
    ['all(result.rows, {#.n})', 'the closure of all must yield true or false, not a number (1:1)'],
    ['1 in result.name', 'in takes a list or a map, not text (1:3)'],
    ['1 in result', 'the keys of a map are texts, not a whole number (1:3)'],
    ['result.name matches result.tags', 'matches takes a pattern in text, not a list (1:13)'],
    ['result.name matches "(" + result.name', 'error parsing regexp: missing closing ): `(kuard` (1:13)'],
    ['result.age + result.name == 1', '+ takes numbers, not a number and text (1:12)'],
    ['-result.name == 1', '- takes a number, not text (1:1)'],
    ['+result.name == 1', '+ takes a number, not text (1:1)'],
    ['!result.name', 'not takes true or false, not text (1:1)'],
    ['result.age ? true : false', '? takes true or false before it, not a number (1:12)'],
    ['{(result.age): 1} == {}', 'the keys of a map are texts, not a number (1:10)'],
    ['result.age / 3 % 2 == 0', '% takes whole numbers, not 10.666666666666666 and 2 (1:16)'],
    ['asInt(result.ready) == 1', 'asInt takes text, not true or false (1:1)'],
    ['asFloat(result.none) == 1', 'asFloat takes text, not nil (1:1)'],
    ['asInt(result.ratio) == 1', 'asInt takes text, not 6.4, which is not whole (1:1)'],
    ['len(result.age) == 1', 'len takes a list, a map or text, not a number (1:1)'],
    ['result.name..3 == []', '.. takes two whole numbers, not text and a whole number (1:12)'],
    ['result.age contains "a"', 'contains takes texts, not a number and text (1:12)'],
  ])('%s fails: %s', ([text, message]) => {
    expect(outcomeOf(text, 'json', body)).toEqual({ type: 'error', message });
  });
});

describe('on numbers, as Prometheus yields them', () => {
  test.for<readonly [string, ResultType, ResultValue, boolean]>([
    ['result > 0.9', 'float', 0.95, true],
    ['result == 1', 'float', 1, true],
    ['result[0] > 0.9', 'floats', [0.95], true],
    ['0 in result', 'floats', [1, 0], true],
    ['all(result, {# < 1})', 'floats', [0.1, 0.2], true],
    ['len(result) == 0', 'floats', [], true],
    ['result > 0.9', 'floatOrFloats', 0.95, true],
    ['result[0] > 0.9', 'floatOrFloats', [0.95], true],
    ['any(result, {# > 2})', 'floatOrFloats', [1, 3], true],
  ])('%s on %s', ([text, type, result, value]) => {
    expect(outcomeOf(text, type, result)).toEqual({ type: 'bool', value });
  });

  test.for<readonly [string, ResultType, ResultValue, string]>([
    ['result[0] > 0.9', 'floats', [], 'index 0 lies outside the list of 0 (1:7)'],
    ['result > 0.9', 'floatOrFloats', [1], '> cannot compare a list with a number (1:8)'],
    ['result[0] > 0.9', 'floatOrFloats', 1, 'a number cannot be indexed (1:7)'],
  ])('%s on %s fails', ([text, type, result, message]) => {
    expect(outcomeOf(text, type, result)).toEqual({ type: 'error', message });
  });
});

test.for<readonly [string, string, string]>([
  ['asInt(result) < 30', 'abc', 'asInt: "abc" is not a whole number (1:1)'],
  ['asInt(result) < 30', '', 'asInt: "" is not a whole number (1:1)'],
  ['asInt(result) < 30', ' 7', 'asInt: " 7" is not a whole number (1:1)'],
  ['asInt(result) < 30', '1e+06', 'asInt: "1e+06" is not a whole number (1:1)'],
  ['asInt(result) < 30', '1_000', 'asInt: "1_000" is not a whole number (1:1)'],
  [
    'asInt(result) < 30',
    '9223372036854775808',
    'asInt: "9223372036854775808" does not fit into 64 bits (1:1)',
  ],
  ['asFloat(result) < 30', '0x1p-2', 'asFloat: "0x1p-2" is not a number (1:1)'],
  ['asFloat(result) < 30', '+nan', 'asFloat: "+nan" is not a number (1:1)'],
  ['asFloat(result) < 30', '1e999', 'asFloat: "1e999" is too large for a number (1:1)'],
  ['true and 10 / asInt(result) > 1', '0', 'division of a whole number by zero (1:13)'],
  ['true\n and\n 10 % asInt(result) > 1', '0', 'division of a whole number by zero (3:5)'],
  ['asInt(result) + 1 > 0', '9223372036854775807', 'the whole number does not fit into 64 bits (1:15)'],
  ['asInt(result) * 2 > 0', '9223372036854775807', 'the whole number does not fit into 64 bits (1:15)'],
  ['-asInt(result) > 0', '-9223372036854775808', 'the whole number does not fit into 64 bits (1:1)'],
  ['asInt(result) / -1 > 0', '-9223372036854775808', 'the whole number does not fit into 64 bits (1:15)'],
  ['map(1..3, {1 / (# - asInt(result))}) == []', '3', 'division of a whole number by zero (1:14)'],
])('%s on %j fails: %s', ([text, result, message]) => {
  expect(outcomeOf(text, 'string', result)).toEqual({ type: 'error', message });
});

test('what short-circuits away does not fail', () => {
  expect(outcomeOf('result == "" || asInt(result) > 1', 'string', '')).toEqual({ type: 'bool', value: true });
  expect(outcomeOf('result != "" && asInt(result) > 1', 'string', '')).toEqual({
    type: 'bool',
    value: false,
  });
});
