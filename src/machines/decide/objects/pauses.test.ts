import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { pauseReason, pausesLeft } from './pauses.ts';

const gate = (name: string, state = 'Asked'): JsonObject => ({ name, state, namespace: 'default', run: 'r' });
const cluster = (...gates: readonly JsonObject[]): JsonObject => ({ status: { operation: { gates } } });
const run = (phase: string) => (): JsonObject => ({ status: { phase } });
const between = 'between-1/cluster-post/BetweenBatches@10.0.0.1';

test.for([
  ['a failed run between batches', cluster(gate(between)), 'Failed', 'PausedByStepBasedHook'],
  ['a user, while the verdict is open', cluster(gate(between)), 'Running', 'PausedByUser'],
  ['a user, after it passed', cluster(gate(between, 'Passed')), 'Failed', 'PausedByUser'],
  [
    'a user, at another gate',
    cluster(gate('cluster-pre/PreClusterUpgrade@10.0.0.1')),
    'Failed',
    'PausedByUser',
  ],
  ['a user, before any gate', {}, 'Failed', 'PausedByUser'],
] as const)('paused without a word, it was %s', ([, object, phase, reason]) => {
  expect(pauseReason(object, run(phase))).toBe(reason);
});

test('only the pause of a verdict is kept by an operation that continues', () => {
  const pausedBy = (reason: string): JsonObject => ({ status: { pauseConditions: [{ reason }] } });
  expect(pausesLeft(pausedBy('PausedByUser'))).toBeUndefined();
  expect(pausesLeft(pausedBy('PausedByStepBasedHook'))).toEqual([{ reason: 'PausedByStepBasedHook' }]);
});
