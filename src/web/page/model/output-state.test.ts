import { expect, test } from 'vitest';
import { mostOutput } from '#web/wire/stream.ts';
import { outputAfter } from './output-state.ts';

const part = { isWhole: false, omitted: 0, text: '', isRunning: true };

test('parts are added, and a whole one replaces them', () => {
  const first = outputAfter(undefined, '3', { ...part, isWhole: true, omitted: 7, text: 'a\nb' });
  const second = outputAfter(first, '5', { ...part, omitted: 7, text: '\nc', isRunning: false });
  expect(second).toMatchObject({ version: '5', text: 'a\nb\nc', omitted: 7, isRunning: false });
  const third = outputAfter(second, '9', { ...part, isWhole: true, omitted: 100, text: 'z' });
  expect(third).toMatchObject({ text: 'z', omitted: 100 });
});

test('only the last characters are kept, from the beginning of a line on', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at} ü\n`).join('');
  const state = outputAfter(undefined, '1', { ...part, isWhole: true, text: lines });
  expect(state.text.length).toBeLessThanOrEqual(mostOutput);
  expect(state.text).toMatch(/^line \d+ ü\n/);
  expect(state.text.endsWith('line 19999 ü\n')).toBe(true);
  expect(state.omitted + new TextEncoder().encode(state.text).length).toBe(
    new TextEncoder().encode(lines).length,
  );
  const endless = outputAfter(undefined, '1', { ...part, isWhole: true, text: 'x'.repeat(1_000_000) });
  expect(endless).toMatchObject({ text: 'x'.repeat(mostOutput), omitted: 1_000_000 - mostOutput });
});
