import { expect, test } from 'vitest';
import { parseTime } from '#base/time.ts';
import { expiryOf, isFinished, leanRun } from './run-object.ts';

const metadata = { name: 'r', namespace: 'n', managedFields: [{}], labels: { a: 'b' } };
const finishedAt = '2026-01-05T12:00:00Z';

test('of a finished run little is kept, of another everything but its managed fields', () => {
  const spec = { ttlAfterFinished: '30s', metrics: [{ name: 'm', provider: {} }] };
  const running = { kind: 'HookRun', metadata, spec, status: { phase: 'Running' } };
  expect(leanRun.of(running)).toEqual({
    ...running,
    metadata: { name: 'r', namespace: 'n', labels: { a: 'b' } },
  });
  const status = { phase: 'Failed', finishedAt, message: 'why', metricResults: [{ name: 'm' }] };
  const lean = leanRun.of({ ...running, status });
  expect(lean).toEqual({
    kind: 'HookRun',
    metadata: { name: 'r', namespace: 'n', labels: { a: 'b' } },
    spec: { ttlAfterFinished: '30s' },
    status: { phase: 'Failed', finishedAt, message: 'why' },
  });
  expect(isFinished(lean)).toBe(true);
  expect(expiryOf(lean)).toBe(parseTime('2026-01-05T12:00:30Z'));
});

test('a run without a time to live does not expire', () => {
  expect(expiryOf({ spec: {}, status: { phase: 'Failed', finishedAt } })).toBeUndefined();
  expect(expiryOf({ spec: { ttlAfterFinished: '1s' }, status: { phase: 'Running' } })).toBeUndefined();
});
