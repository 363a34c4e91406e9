import { expect, test } from 'vitest';
import { thresholdsOf } from './thresholds.ts';

test.for<readonly [string | undefined, string | undefined, readonly (readonly [number, string])[]]>([
  ['asInt(result) < 30', undefined, [[30, 'passes if < 30']]],
  ['result[0] >= 0.99', undefined, [[0.99, 'passes if >= 0.99']]],
  ['0.5 < result', undefined, [[0.5, 'passes if > 0.5']]],
  [undefined, 'asFloat(result) > 1e3', [[1000, 'fails if > 1e3']]],
  [
    'asInt(result) > -5 && asInt(result) <= 10',
    undefined,
    [
      [-5, 'passes if > -5'],
      [10, 'passes if <= 10'],
    ],
  ],
  [
    'asInt(result) < 30',
    'asInt(result) > 60',
    [
      [30, 'passes if < 30'],
      [60, 'fails if > 60'],
    ],
  ],
  ['asInt(result) < 30 || asInt(result) < 30', undefined, [[30, 'passes if < 30']]],
  ['result == "ok"', undefined, []],
  ['len(result) == 0', undefined, [[0, 'passes if == 0']]],
  ['asInt(result) < limit30', undefined, []],
  ['true', '', []],
])('%s and %s', ([success, failure, wanted]) => {
  expect(thresholdsOf(success, failure).map(({ value, label }) => [value, label])).toEqual(wanted);
});

test.for(['result.', '(', '1', '<', 'result<', '1 < ', '-', '1e'])(
  'a condition of %s is read in a time that grows with its length only',
  (piece) => {
    const hostile = piece.repeat(20_000);
    const began = performance.now();
    for (let times = 0; times < 10; times += 1) thresholdsOf(hostile, hostile);
    expect(performance.now() - began).toBeLessThan(10_000);
  },
);
