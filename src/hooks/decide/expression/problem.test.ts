import { expect, test } from 'vitest';
import { compileCondition } from './condition.ts';
import { problemText } from './problem.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';

const asNumber = 'result is text: use asInt(result) or asFloat(result)';
const asList = 'result is a list: use result[0], or any(result, {# …}) and the like';
const asJson = 'result is text: with resultType: json it is the parsed value';

test.for<readonly [text: string, type: ResultType, problem: string]>([
  ['', 'string', 'the expression ends too early (1:1)'],
  ['   ', 'string', 'the expression ends too early (1:4)'],
  ['result ==', 'string', 'the expression ends too early (1:10)'],
  ['result.', 'json', 'the expression ends too early: the name of a member is missing here (1:8)'],
  ['true ? (1+2) c', 'string', 'unexpected c: : is missing here (1:14)'],
  ['[1 2] == nil', 'string', 'unexpected 2: , is missing here (1:4)'],
  ['[,]', 'string', 'unexpected , (1:2)'],
  ['[1,,]', 'string', 'unexpected , (1:4)'],
  ['{-}', 'string', 'unexpected -: a key is missing here (1:2)'],
  ['(true', 'string', 'the expression ends too early: ) is missing here (1:6)'],
  ['true)', 'string', 'unexpected ) (1:5)'],
  ['true true', 'string', 'unexpected true (1:6)'],
  ['.foo', 'json', '. has a meaning only inside { } of all, any and the like (1:1)'],
  ['# > 1', 'floats', '# has a meaning only inside { } of all, any and the like (1:1)'],
  ['result.foo()', 'json', 'foo is called, but values have no methods (1:8)'],
  ['result = 1', 'json', 'the character "=" has no meaning here (1:8); write == to compare'],
  ['true & false', 'string', 'the character "&" has no meaning here (1:6); write && or and'],
  ['result == `a`', 'string', 'the character "`" has no meaning here (1:11); write texts in " or \''],
  ['result ~ 1', 'json', 'the character "~" has no meaning here (1:8)'],
  ['result == "a', 'string', 'a text that begins with " does not end (1:11)'],
  ['result == "a\nb"', 'string', 'a text that begins with " does not end (1:11)'],
  ['result == "\\q"', 'string', '\\q is not an escape (1:11)'],
  ['result == "\\ud800"', 'string', '\\ud800 is not an escape (1:11)'],
  ['12abc == 1', 'string', '12abc is not a number (1:1)'],
  ['1e == 1', 'string', '1e is not a number (1:1)'],
  ['0x == 1', 'string', '0x is not a number (1:1)'],
  ['1e999 > 1', 'string', '1e999 is too large for a number (1:1)'],
  ['9223372036854775808 > 1', 'string', '9223372036854775808 does not fit into 64 bits (1:1)'],
  ['result matches "a:)b"', 'string', 'error parsing regexp: unexpected ): `a:)b` (1:16)'],
  [
    'result matches "(?=a)"',
    'string',
    'error parsing regexp: invalid or unsupported Perl syntax: `(?=` (1:16)',
  ],
  [
    'result > 10',
    'string',
    `> cannot be applied to result (text) and 10 (a whole number) (1:8); ${asNumber}`,
  ],
  [
    '30 <= result',
    'string',
    `<= cannot be applied to 30 (a whole number) and result (text) (1:4); ${asNumber}`,
  ],
  [
    'result == 10',
    'string',
    `== cannot be applied to result (text) and 10 (a whole number) (1:8); ${asNumber}`,
  ],
  [
    'result + 1 == 2',
    'string',
    `+ cannot be applied to result (text) and 1 (a whole number) (1:8); ${asNumber}`,
  ],
  [
    'asInt(result) == "5"',
    'string',
    '== cannot be applied to asInt(result) (a whole number) and "5" (text) (1:15); "5" is text: write a number without quotes',
  ],
  ['result > 0.9', 'floats', `> cannot be applied to result (a list) and 0.9 (a number) (1:8); ${asList}`],
  [
    'result == "a"',
    'floatOrFloats',
    '== cannot be applied to result (a number or a list) and "a" (text) (1:8); "a" is text: write a number without quotes',
  ],
  [
    'result % 2 == 0',
    'float',
    '% cannot be applied to result (a number) and 2 (a whole number) (1:8); % takes whole numbers only',
  ],
  ['1 == true', 'string', '== cannot be applied to 1 (a whole number) and true (true or false) (1:3)'],
  ['result and true', 'string', '&& cannot be applied to result (text) and true (true or false) (1:8)'],
  ['not result == "a"', 'string', 'not cannot be applied to result, which is text (1:1)'],
  ['-result == "a"', 'string', '- cannot be applied to result, which is text (1:1)'],
  ['result ? true : false', 'string', 'the value before ? must be true or false, not text (1:1)'],
  ['result', 'string', 'a condition must yield true or false, and this one yields text (1:1)'],
  ['1 + 1', 'string', 'a condition must yield true or false, and this one yields a whole number (1:3)'],
  ['nil', 'string', 'a condition must yield true or false, and this one yields nil (1:1)'],
  ['foo == 1', 'string', 'there is no name foo (1:1); the only name is result'],
  ['constructor == 1', 'string', 'there is no name constructor (1:1); the only name is result'],
  ['asInt == nil', 'string', 'asInt is a function (1:1); write asInt(…)'],
  [
    'isNaN(result)',
    'float',
    'there is no function isNaN(result) (1:1); the functions are asInt, asFloat, len, all, none, any, one, filter, map, count',
  ],
  ['asInt() == 1', 'string', 'asInt takes one argument, not 0 (1:1)'],
  ['asInt(result, 10) == 1', 'string', 'asInt takes one argument, not 2 (1:1)'],
  [
    'asInt(result) > 1',
    'float',
    'asInt cannot be applied to result, which is a number (1:1); result needs no conversion',
  ],
  [
    'asInt(5) > 1',
    'string',
    'asInt cannot be applied to 5, which is a whole number (1:1); 5 needs no conversion',
  ],
  ['result.age > 1', 'string', `result is text and has no member age (1:8); ${asJson}`],
  ['result[0] == "a"', 'string', `result is text and cannot be indexed (1:7); ${asJson}`],
  ['all(result, {# == "a"})', 'string', `all takes a list, not text (1:5); ${asJson}`],
  ['all(result, {#})', 'floats', 'the closure of all must yield true or false, not a number (1:14)'],
  ['result["a"] == 1', 'floats', 'result is a list and cannot be indexed by text (1:8)'],
  ['result[1.5] == 1', 'floats', 'result is a list and cannot be indexed by a number (1:8)'],
  ['result[1:"a"] == []', 'floats', 'a slice is bounded by whole numbers (1:10)'],
  ['5[1:] == 1', 'string', '5 is a whole number and cannot be sliced (1:2)'],
  [
    '"o" in result',
    'string',
    'in cannot be applied to "o" (text) and result (text) (1:5); to look for a part of a text write result contains …',
  ],
  ['{(1): 2} == {}', 'string', 'the keys of a map are texts (1:3)'],
  ['1.5..2 == []', 'string', '.. cannot be applied to 1.5 (a number) and 2 (a whole number) (1:4)'],
  ['1 / (1 - 1) == 1', 'string', 'division of a whole number by zero (1:3)'],
  ['result == "" or 1 % 0 == 1', 'string', 'division of a whole number by zero (1:19)'],
  ['9223372036854775807 + 1 > 0', 'string', 'the whole number does not fit into 64 bits (1:21)'],
  ['asInt("x") == 1', 'string', 'asInt: "x" is not a whole number (1:1)'],
  [
    'true and\n  result > 1',
    'string',
    `> cannot be applied to result (text) and 1 (a whole number) (2:10); ${asNumber}`,
  ],
  [
    '"😀" == result and result > 1',
    'string',
    `> cannot be applied to result (text) and 1 (a whole number) (1:26); ${asNumber}`,
  ],
])('%s on %s: %s', ([text, type, problem]) => {
  const compiled = compileCondition(text, type);
  const found = compiled.ok ? 'none' : problemText(compiled.problem);
  expect(found).toBe(problem);
});
