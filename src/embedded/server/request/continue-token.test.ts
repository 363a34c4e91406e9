import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { ApiError } from '#kube/status.ts';
import { decodeContinue, encodeContinue, expiredPage } from './continue-token.ts';

const start = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => !text.startsWith('/') && !text.split('/').includes('..') && text.isWellFormed());

test('a token decodes to its input, and is safe in a URL', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 1 }), fc.constant(-1)), start, (revision, from) => {
      const token = encodeContinue({ revision, start: from });
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeContinue(token)).toEqual({ revision, start: from });
    }),
  );
});

const refusal = (token: string): string => {
  try {
    return `accepted: ${JSON.stringify(decodeContinue(token))}`;
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
};
const bad = (why: string): string => `400 invalid continue token: continue key is not valid: ${why}`;
const forged = (token: unknown): string => btoa(JSON.stringify(token));
const v = 'meta.k8s.io/v1';

test.for<readonly [token: string, said: string]>([
  ['garbage', bad(String.raw`invalid character '\u0081' looking for beginning of value`)],
  ['AAAA', bad(String.raw`invalid character '\x00' looking for beginning of value`)],
  ['!!', bad('illegal base64 data at input byte 0')],
  ['€', bad('illegal base64 data at input byte 0')],
  [forged({}), bad('server does not recognize this encoded version ""')],
  [forged([]), bad('server does not recognize this encoded version ""')],
  [forged({ v: 'v9' }), bad('server does not recognize this encoded version "v9"')],
  [forged({ v, start: 'a' }), bad(`incorrect encoded start resourceVersion (version ${v})`)],
  [forged({ v, rv: 0, start: 'a' }), bad(`incorrect encoded start resourceVersion (version ${v})`)],
  [forged({ v, rv: '7', start: 'a' }), bad(`incorrect encoded start resourceVersion (version ${v})`)],
  [forged({ v, rv: 7 }), bad(`encoded start key empty (version ${v})`)],
  [forged({ v, rv: 7, start: '' }), bad(`encoded start key empty (version ${v})`)],
  [forged({ v, rv: 7, start: '/a' }), bad('invalid start key: "/a"')],
  [forged({ v, rv: 7, start: 'a/../b' }), bad('invalid start key: "a/../b"')],
  [forged({ v, rv: 7, start: 'a' }), 'accepted: {"revision":7,"start":"a"}'],
])('token %s: %s', ([token, said]) => {
  expect(refusal(token)).toBe(said);
});

test('no text is more than a bad request', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.json().map((text) => btoa(unescape(encodeURIComponent(text)))),
    fc.record({ v: fc.constant(v), rv: fc.anything(), start: fc.anything() }).map((each) => {
      try {
        return btoa(JSON.stringify(each));
      } catch {
        return '';
      }
    }),
  );
  fc.assert(
    fc.property(anything, (token) => {
      expect(refusal(token)).toMatch(/^(accepted|400 invalid continue)/);
    }),
  );
});

test.for(['1.5', '1e999', '9223372036854775808'])('a revision is a whole number of 64 bits, not %s', (rv) => {
  const token = btoa(`{"v":"${v}","rv":${rv},"start":"a"}`);
  expect(refusal(token)).toMatch(/^400 invalid continue token/);
});

test('the refusal of an old page has a token that continues without the snapshot', () => {
  const { statusMeta, code, reason } = expiredPage('b\u0000');
  expect([code, reason]).toEqual([410, 'Expired']);
  expect(decodeContinue(textAt(statusMeta, 'continue') ?? '')).toEqual({ revision: -1, start: 'b\u0000' });
});
