import { expect, test } from 'vitest';
import { instant, parseTime } from '#base/time.ts';
import type { Measurement } from '#hooks/kinds/hook-run.ts';
import { rehearsedHook } from './rehearsed-hook.ts';

const started = instant((parseTime('2026-01-05T12:00:00Z') ?? 0) + 500);
const call = (startedAt: string): Measurement => ({
  phase: 'Successful',
  startedAt: `2026-01-05T12:${startedAt}Z`,
});

/** The times of calls of the hook of step 2. */
const timesOf = (startOfStep: number, calls: readonly string[]): readonly number[] =>
  rehearsedHook(
    { metadata: { name: 'run', labels: { 'boathook.dev/step': '1' } } },
    {
      workload: {},
      walk: {
        started,
        timeline: {
          pods: [],
          steps: [{ number: 2, title: 'hook', state: 'done', updated: 1, startedAt: startOfStep }],
        },
      },
      logged: [{ metric: 'm', calls: calls.map(call) }],
    },
  ).calls.map(({ at }) => at);

test('calls keep their intervals, and none is before its step', () => {
  expect(timesOf(3.6, ['00:04', '01:04', '02:04'])).toEqual([3.6, 63.6, 123.6]);
});

test('calls of a retry stay where they are', () => {
  expect(timesOf(3.6, ['10:00', '11:00'])).toEqual([599.5, 659.5]);
});
