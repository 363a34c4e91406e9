import { expect, test } from 'vitest';
import { compileRegex, regexWeight } from './regex.ts';

test.for<readonly [string, string, boolean]>([
  ['^a+b$', 'aaab', true],
  ['^a+b$', 'aaac', false],
  ['b', 'abc', true],
  ['(?i)ABC', 'xabcx', true],
  ['(x+x+)+y', 'x'.repeat(100_000), false],
])('%s on a text is %s', ([source, text, found]) => {
  const compiled = compileRegex(source);
  expect(compiled.type === 'compiled' && compiled.regex.test(text)).toBe(found);
});

test('what is no pattern says why', () => {
  expect(compileRegex('a)')).toEqual({ type: 'bad', why: 'error parsing regexp: unexpected ): `a)`' });
});

test('repetitions weigh as much as they repeat', () => {
  expect(regexWeight('a{1000}')).toBeGreaterThan(1000);
  expect(regexWeight('a{2,900}')).toBeGreaterThan(900);
  const compiled = compileRegex('(?:ab){500}');
  expect(compiled.type === 'compiled' ? compiled.regex.states : 0).toBeGreaterThan(1000);
});
