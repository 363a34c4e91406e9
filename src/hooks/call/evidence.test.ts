import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { cut, witnessOf } from './evidence.ts';

test('a text is cut to its length, between characters', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  expect(cut('abcdefg', 6)).toBe('abcde…');
  expect(cut('abcd😀f', 6)).toBe('abcd…');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
      (text, longest) => {
        const short = cut(text, longest);
        expect(short.length).toBeLessThanOrEqual(longest);
        expect(short.isWellFormed()).toBe(true);
      },
    ),
  );
});

test('what a terminal would obey is taken out', () => {
  expect(cut('a\u001b[31mb\u0000\r\n\tc\u009b', 50)).toBe('a [31mb  \n\tc ');
});

test('evidence is short and without secrets', () => {
  const witness = witnessOf({ used: ['sentinel'], fields: [] });
  const body = `{"token":"sentinel","x":"${'y'.repeat(5000)}"}`;
  const answer = { type: 'answer', status: 200, headers: {}, body, latency: millis(12.4) } as const;
  const evidence = witness.evidence(`GET http://u:pw@h/?q=${'z'.repeat(5000)}`, answer);
  expect(evidence).toMatchObject({ status: 200, latencyMs: 12 });
  expect(evidence.request).toMatch(/^GET http:\/\/\*\*\*@h\/\?q=z+…$/);
  expect(evidence.request).toHaveLength(1024);
  expect(evidence.body).toMatch(/^\{"token":"\*\*\*","x":"y+…$/);
  expect(evidence.body).toHaveLength(512);
});

test('secrets are taken out of results too', () => {
  const witness = witnessOf({ used: ['sent"inel'], fields: [] });
  expect(witness.json(['a sent"inel', { b: 'sent"inel', c: 1 }])).toEqual(['a ***', { b: '***', c: 1 }]);
  expect(witness.json('sent"inel')).toBe('***');
});

test('a secret of digits does not break the numbers of a result', () => {
  const witness = witnessOf({ used: ['123456'], fields: [] });
  const json = { id: 91234567, pin: '123456', also: 123456, '123456': [1234567] };
  expect(witness.json(json)).toEqual({ id: 91234567, pin: '***', also: '***', '***': [1234567] });
  const large = [9_007_199_254_740_993n, 9_007_199_254_740_995n];
  expect(witnessOf({ used: ['9007199254740993'], fields: [] }).json(large)).toEqual([
    '***',
    9_007_199_254_740_995n,
  ]);
});
