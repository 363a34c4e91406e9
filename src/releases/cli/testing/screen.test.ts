import { expect, test } from 'vitest';
import { TestScreen } from './screen.ts';

const escape = '\u001B[';
const framed = (text: string): string => `${escape}?2026h${escape}H${text}${escape}?2026l`;

/** A screen that shows `one` and `two` in the alternate screen. */
function shown(): TestScreen {
  const screen = new TestScreen(10, 3);
  screen.write(`${escape}?1049h${framed('one\r\ntwo')}`);
  expect(screen.faults).toEqual([]);
  expect(screen.picture()).toEqual(['one', 'two']);
  return screen;
}

test.for([
  [
    'a screen that is cleared before it is drawn',
    framed(`${escape}Jone`),
    'row 0 was erased before it was drawn',
  ],
  [
    'a row that is cleared before it is drawn',
    framed(`${escape}Kone`),
    'row 0 was erased before it was drawn',
  ],
  ['a line that is too wide', framed('12345678901'), 'row 0 is wider than 10'],
  ['a wide letter in the last column', framed('123456789日'), 'row 0 is wider than 10'],
  ['more lines than rows', framed('1\r\n2\r\n3\r\n4'), 'scrolled at row 3'],
  ['text outside of a frame', 'x', '"x" is outside of a frame'],
  ['a control that it does not know', `${escape}3A`, 'unknown control 3A'],
] as const)('the test screen sees %s', ([, text, fault]) => {
  const screen = shown();
  screen.write(text);
  expect(screen.faults).toContain(fault);
});

test('what is left of a longer line is part of the picture', () => {
  const screen = shown();
  screen.write(framed('1'));
  expect(screen.picture()).toEqual(['1ne', 'two']);
});
