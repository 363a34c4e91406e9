import { expect, test } from 'vitest';
import { outputLines } from './output-lines.ts';

function linesOf(pieces: readonly string[]): { readonly told: readonly string[]; readonly last: string } {
  const told: string[] = [];
  const lines = outputLines((_, line) => told.push(line));
  for (const piece of pieces) lines.push('stdout', Buffer.from(piece, 'latin1'));
  lines.end();
  return { told, last: lines.lastLines() };
}

test.for<{ what: string; pieces: readonly string[]; told: readonly string[] }>([
  { what: 'lines over pieces', pieces: ['a\nb', 'c\n', 'd'], told: ['a', 'bc', 'd'] },
  { what: 'carriage returns', pieces: ['a\r\nb\r\n'], told: ['a', 'b'] },
  { what: 'letters cut in two', pieces: ['\xc3', '\xa9\n'], told: ['é'] },
])('$what', ({ pieces, told }) => {
  expect(linesOf(pieces).told).toEqual(told);
});

test('an endless line is cut, and takes no more room however long it is', () => {
  const { told } = linesOf([...Array.from({ length: 20 }, () => 'x'.repeat(10_000)), '\nend\n']);
  expect(told.map((line) => line.length)).toEqual([2001, 3]);
});

test('much output is told in part, its last line always', () => {
  const many = Array.from({ length: 100 }, (_, at) => `${'line\n'.repeat(2000)}last of ${at}\n`);
  const { told, last } = linesOf(many);
  expect(told.length).toBeLessThan(60_000);
  expect(told.at(-1)).toBe('last of 99');
  expect(last.split('\n').at(-1)).toBe('last of 99');
});

test('the last lines are those of stderr, when it said anything', () => {
  const lines = outputLines(() => undefined);
  lines.push('stdout', Buffer.from('out\n'));
  expect(lines.lastLines()).toBe('out');
  lines.push('stderr', Buffer.from('1\n2\n3\n4\n5\n6\n'));
  expect(lines.lastLines()).toBe('2\n3\n4\n5\n6');
});
