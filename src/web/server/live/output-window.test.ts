import { expect, test } from 'vitest';
import { OutputWindow } from './output-window.ts';

const piece = (offset: number, text: string) => ({ offset, next: offset + text.length, text });

test('a tab receives what follows the byte that it has, and everything if that is gone or unknown', () => {
  const window = new OutputWindow(8);
  window.add(piece(0, 'aaaa'));
  window.add(piece(4, 'bbbb'));
  expect(window.since(Number.NaN)).toEqual({ isWhole: true, omitted: 0, text: 'aaaabbbb' });
  expect(window.since(4)).toEqual({ isWhole: false, omitted: 0, text: 'bbbb' });
  expect(window.since(8)).toEqual({ isWhole: false, omitted: 0, text: '' });
  window.add(piece(8, 'cccc'));
  expect(window.since(0)).toEqual({ isWhole: true, omitted: 4, text: 'bbbbcccc' });
  expect(window.next).toBe(12);
});

test('an output that begins elsewhere replaces the one before', () => {
  const window = new OutputWindow(8);
  window.add(piece(0, 'aaaa'));
  window.add(piece(100, 'zz'));
  expect(window.since(4)).toEqual({ isWhole: true, omitted: 100, text: 'zz' });
});

test('the window is bounded, whatever the size of a piece', () => {
  const window = new OutputWindow(1000);
  for (let count = 0; count < 500; count += 1) window.add(piece(count * 100, 'x'.repeat(100)));
  expect(window.since(Number.NaN).text).toHaveLength(1000);
  window.add(piece(50_000, 'y'.repeat(5000)));
  expect(window.since(Number.NaN)).toMatchObject({ omitted: 50_000, text: 'y'.repeat(5000) });
});
