import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('nothing that moves a cursor is left', () => {
  expect(printable('\u001B[2J\u001B[31mred\u001B[0m\r\u001B]0;title\u0007\u009B5A')).not.toMatch(/\p{Cc}/u);
});
