import { expect, test } from 'vitest';
import { patternOf } from './pattern.ts';

test.for([
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['(a{1000}){1000}', 'error parsing regexp: invalid repeat count: `{1000}`'],
])('%j is refused in the words of Go', ([source = '', why]) => {
  expect(patternOf(source)).toEqual({ type: 'bad', why });
});

test('a pattern of any length is compiled in bounded time or refused', () => {
  expect(patternOf('a'.repeat(100_000)).type).toBe('bad');
  expect(patternOf('('.repeat(9000) + ')'.repeat(9000)).type).toBe('bad');
});

test('matches anywhere, and remembers', () => {
  const pattern = patternOf('b.d');
  const matches = pattern.type === 'good' ? pattern.matches : () => 'no';
  expect(['abcde', 'abcde', 'xyz', 'xyz', ''].map(matches)).toEqual(['yes', 'yes', 'no', 'no', 'no']);
});

test('gives up on a match that would take too long', () => {
  const pattern = patternOf('(a?){500}a{500}');
  expect(pattern.type === 'good' && pattern.matches('a'.repeat(1_000_000))).toBe('too long');
});
