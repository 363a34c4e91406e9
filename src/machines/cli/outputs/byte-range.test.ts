import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';

test.for([
  [undefined, undefined],
  ['bytes=0-', { type: 'from', first: 0, last: undefined }],
  ['bytes=10-19', { type: 'from', first: 10, last: 19 }],
  [' bytes=-500 ', { type: 'last', count: 500 }],
  ['bytes=5-4', 'invalid'],
  ['bytes=-', 'invalid'],
  ['bytes=0-1,3-4', 'invalid'],
  ['lines=0-1', 'invalid'],
  ['bytes=99999999999999999999-', 'invalid'],
] as const)('%s', ([header, range]) => {
  expect(byteRange(header)).toEqual(range);
});
