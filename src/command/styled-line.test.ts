import { expect, test } from 'vitest';
import { columnLines } from './columns.ts';
import { fittedLine, plain, printedLine, styled, wrappedText, type StyledText } from './styled-line.ts';

const textOf = (line: readonly StyledText[]): string => line.map(({ text }) => text).join('');

test.for([
  [['abc', 'def'], 6, 'abcdef'],
  [['abc', 'def'], 5, 'abcd…'],
  [['abc', 'def'], 4, 'abc…'],
  [['abc', 'def'], 3, 'ab…'],
  [['abc', 'def'], 1, '…'],
  [['abc', 'def'], 0, ''],
  [['日本', '語'], 5, '日本…'],
  [['日本', '語'], 4, '日…'],
] as const)('%j in %i columns', ([parts, columns, shown]) => {
  expect(textOf(fittedLine(parts.map(plain), columns))).toBe(shown);
});

test('colours are around the text, and blanks at the end of a line are left out', () => {
  const line = [styled('Failed', 'bad'), { text: '  ' }, plain('why'), { text: '   ' }, styled('', 'good')];
  expect(printedLine(line, true)).toBe('\u001B[31mFailed\u001B[0m  why');
  expect(printedLine(line, false)).toBe('Failed  why');
});

test('untrusted text is on one line and commands nothing', () => {
  expect(plain('a\u001B[2J\n\tb\u0007').text).toBe(String.raw`a b\x07`);
});

test('words are wrapped; one that is too long is cut', () => {
  expect(wrappedText('a release that waits', 9)).toEqual(['a release', 'that', 'waits']);
  expect(wrappedText('abcdefghij k', 5)).toEqual(['abcd…', 'k']);
  expect(wrappedText('', 9)).toEqual([]);
});

test('columns give way in their order, down to their least width', () => {
  const rows = [
    ['NAME', 'IMAGE', 'REASON'],
    ['gd/shop', 'registry/shop', 'a long reason'],
  ].map((row) => row.map(plain));
  const shown = (columns: number): string | undefined =>
    columnLines(rows, {
      columns,
      narrowing: [
        [2, 6],
        [1, 8],
      ],
    }).map(textOf)[1];
  expect(shown(Infinity)).toBe('gd/shop  registry/shop  a long reason');
  expect(shown(32)).toBe('gd/shop  registry/shop  a long …');
  expect(shown(28)).toBe('gd/shop  registry/s…  a lon…');
  expect(shown(20)).toBe('gd/shop  registr…  …');
});
