import { expect, test } from 'vitest';
import { shardsOf } from './shards-flag.ts';

test.for([
  ['1', 1],
  ['64', 64],
] as const)('%s shards', ([text, count]) => {
  expect(shardsOf(text)).toBe(count);
});

test.for(['0', '65', '-1', '1.5', '02', 'two', ''])('--shards %o is refused', (text) => {
  expect(() => shardsOf(text)).toThrow(`--shards ${text} is not a number of shards`);
});
