import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalJson, type Json } from '#base/json.ts';
import { identityOf } from './identity.ts';

const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, true, false, 0, -0, 1, '', '0', 'null', 'true', '{}', '[]', '"', '"a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
}));

test('two values have the same identity exactly when they are equal', () => {
  fc.assert(
    fc.property(values, values, (left, right) => {
      const same = new Set([identityOf(left), identityOf(right)]).size === 1;
      expect(same).toBe(equalJson(left, right));
    }),
    { numRuns: 2000 },
  );
});

test('the order of keys does not count', () => {
  expect(identityOf({ a: 1, b: { c: 2, d: 3 } })).toBe(identityOf({ b: { d: 3, c: 2 }, a: 1 }));
});
