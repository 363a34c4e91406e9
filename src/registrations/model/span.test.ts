import { expect, test } from 'vitest';
import { parseSpan } from './span.ts';

test.for<[string, number]>([
  ['PT10S', 10_000],
  ['PT0.5S', 500],
  ['PT0,25S', 250],
  ['PT1M30S', 90_000],
  ['P1DT1H', 90_000_000],
  ['P2W', 1_209_600_000],
  ['P1Y', 31_556_952_000],
  ['P1M', 2_629_746_000],
  ['PT0S', 0],
  ['10s', 10_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
])('%s is %i ms', ([text, span]) => expect(parseSpan(text)).toBe(span));

test.for(['', 'P', 'PT', 'P1', 'PT10', '10', 'PT-1S', '-PT1S', 'PT1.5M3S', 'pt10s', 'PT1S1M', 'P1H', 'T1S'])(
  '%j is no span',
  (text) => expect(parseSpan(text)).toBeUndefined(),
);
