import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableLines } from './text-table.ts';
import { textWidth } from './text-width.ts';

const rows = [
  ['NODE', 'STEP', 'NOTE'],
  ['m1', 'node-pre/PreInstall', 'has run before'],
  ['执行', 'x', ''],
];

test('columns line up, wide letters included', () => {
  expect(tableLines(rows)).toEqual([
    'NODE  STEP                 NOTE',
    'm1    node-pre/PreInstall  has run before',
    '执行  x',
  ]);
});

test('in a narrow terminal the widest columns give way, with an ellipsis', () => {
  expect(tableLines(rows, 30)).toEqual([
    'NODE  STEP         NOTE',
    'm1    node-pre/P…  has run be…',
    '执行  x',
  ]);
});

test('no line is wider than the terminal, however narrow that is', () => {
  const cells = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(cells, fc.integer({ min: 1, max: 60 }), (cells, columns) => {
      for (const line of tableLines(cells, columns)) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});
