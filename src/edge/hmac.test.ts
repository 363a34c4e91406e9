import { expect, test } from 'vitest';
import { hmacSha256Hex } from './hmac.ts';

test('signs as RFC 4231 says', () => {
  expect(hmacSha256Hex('Jefe', 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});
