import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test.for([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [12_345, '12 kB'],
  [9_876_543, '9.9 MB'],
] as const)('%i is %s', ([bytes, text]) => expect(sizeText(bytes)).toBe(text));
