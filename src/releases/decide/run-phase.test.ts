import { expect, test } from 'vitest';
import { after } from '#kube/workload/testing/objects.ts';
import { waitingFor } from '#hooks/decide/run-phase.ts';

const run = (measurements: readonly object[]) => ({
  metadata: { name: 'ask', creationTimestamp: '2026-01-05T12:00:00Z' },
  status: { phase: 'Running', metricResults: [{ name: 'age', phase: 'Running', measurements }] },
});

const error = { phase: 'Error', message: 'connection refused' };
const good = { phase: 'Successful', value: '45' };

test.for([
  ['nothing was asked', [], 'Step 1 waits for HookRun ask, which is Running.'],
  ['all is well', [error, good], 'Step 1 waits for HookRun ask, which is Running.'],
  [
    'it cannot ask',
    [good, error],
    'Step 1 waits for HookRun ask, which is Running (metric age did not work: connection refused).',
  ],
] as const)('a run that goes on: %s', ([_name, measurements, message]) => {
  const { blocker } = waitingFor(run(measurements) as never, 'Step 1', after(5));
  expect(blocker).toEqual({ reason: 'WaitingForHook', message });
});
