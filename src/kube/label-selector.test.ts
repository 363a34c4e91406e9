import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  labelSelectorOf,
  matchesLabels,
  parseLabelSelector,
  printLabelSelector,
  SelectorError,
  type Requirement,
} from './label-selector.ts';

const key = fc.constantFrom('a', 'b', 'app', 'example.com/tier', 'constructor', 'A_b.c-1', 'in', 'notin');
const value = fc.constantFrom('', 'x', 'y', '10', 'a.b_c-D', 'in', 'constructor');
const labels = fc.dictionary(key, value);
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    type: fc.constantFrom('in' as const, 'notin' as const),
    key,
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((values) => new Set(values)),
  }),
  fc.record({ type: fc.constantFrom('exists' as const, 'absent' as const), key }),
  fc.record({
    type: fc.constantFrom('above' as const, 'below' as const),
    key,
    bound: fc.integer({ min: 0, max: 20 }),
  }),
);

const whole = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/** The rule of each requirement, said a second time: with no label, and with one. */
function holds(each: Requirement, given: Readonly<Record<string, string>>): boolean {
  const entry = Object.entries(given).find(([name]) => name === each.key);
  if (entry === undefined) return each.type === 'notin' || each.type === 'absent';
  const [, label] = entry;
  if ('values' in each) return [...each.values].includes(label) === (each.type === 'in');
  if ('bound' in each) return each.type === 'above' ? whole(label) > each.bound : whole(label) < each.bound;
  return each.type === 'exists';
}

test('a selector matches when all its requirements hold', () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 4 }), labels, (selector, given) => {
      expect(matchesLabels(selector, given)).toBe(selector.every((each) => holds(each, given)));
    }),
  );
});

test('printed and parsed again, a selector matches the same', () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 4 }), labels, (selector, given) => {
      const text = printLabelSelector(selector);
      const again = parseLabelSelector(text);
      expect(matchesLabels(again, given)).toBe(matchesLabels(selector, given));
      expect(parseLabelSelector(printLabelSelector(again))).toEqual(again);
    }),
  );
});

test('spaces mean nothing', () => {
  fc.assert(
    fc.property(fc.array(requirement, { minLength: 1, maxLength: 3 }), (selector) => {
      const text = printLabelSelector(selector);
      const spaced = text.replaceAll(/([=!<>(),]+)/g, ' $1 ').replaceAll(' ! =', ' !=');
      expect(parseLabelSelector(`  ${spaced} `)).toEqual(parseLabelSelector(text));
    }),
  );
});

const one = (type: 'in' | 'notin', name: string, ...values: string[]): Requirement => ({
  type,
  key: name,
  values: new Set(values),
});

test.for<readonly [text: string, selector: readonly Requirement[]]>([
  ['', []],
  ['app=x', [one('in', 'app', 'x')]],
  ['app==x', [one('in', 'app', 'x')]],
  ['app!=x', [one('notin', 'app', 'x')]],
  ['app=', [one('in', 'app', '')]],
  ['app in (x,y)', [one('in', 'app', 'x', 'y')]],
  ['app in (x, )', [one('in', 'app', 'x', '')]],
  ['app in ()', [one('in', 'app', '')]],
  ['app notin (x)', [one('notin', 'app', 'x')]],
  ['app', [{ type: 'exists', key: 'app' }]],
  ['!app', [{ type: 'absent', key: 'app' }]],
  ['in in (in)', [one('in', 'in', 'in')]],
  [
    'n>1,n<9',
    [
      { type: 'above', key: 'n', bound: 1 },
      { type: 'below', key: 'n', bound: 9 },
    ],
  ],
  ['b=1,a=2', [one('in', 'a', '2'), one('in', 'b', '1')]],
  ['example.com/a=b', [one('in', 'example.com/a', 'b')]],
])('%s', ([text, selector]) => {
  expect(parseLabelSelector(text)).toEqual(selector);
});

const nameRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test.for<readonly [text: string, message: string]>([
  ['a b c', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['app===x', "unable to parse requirement: found '=', expected: identifier"],
  ['-bad=x', `unable to parse requirement: <nil>: Invalid value: "-bad": ${nameRule}`],
  ['app=bad value!', "found 'value', expected: ',' or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['app in x', "unable to parse requirement: found 'x' expected: '('"],
  ['app in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['app in (x y)', "unable to parse requirement: found 'y', expected: ',' or ')'"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['=x', "unable to parse requirement: found '=', expected: identifier"],
])('%s is refused: %s', ([text, message]) => {
  expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message));
});

test('no text is more than a selector error', () => {
  const piece = fc.constantFrom(
    'a',
    'in',
    'notin',
    '(',
    ')',
    ',',
    '=',
    '!',
    '==',
    '>',
    '<',
    ' ',
    '1',
    '__proto__',
    '/',
    '-',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      try {
        const parsed = parseLabelSelector(given);
        expect(parseLabelSelector(printLabelSelector(parsed))).toEqual(parsed);
      } catch (error) {
        expect(error).toBeInstanceOf(SelectorError);
      }
    }),
    { numRuns: 500 },
  );
});

test('the form of specs says the same as the text', () => {
  const selector = labelSelectorOf({
    matchLabels: { app: 'x' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['b', 'a'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'env', operator: 'Exists' },
      { key: 'zone', operator: 'NotIn', values: ['z'] },
    ],
  });
  expect(printLabelSelector(selector)).toBe('app=x,env,!old,tier in (a,b),zone!=z');
  expect(labelSelectorOf(undefined)).toEqual([]);
  expect(() => labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'Near' }] })).toThrow(
    '"Near" is not a valid label selector operator',
  );
});
