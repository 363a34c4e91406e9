import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { CallLog } from './call-log.ts';

/** A HookRun whose status has these calls, each by the second in which it was planned. */
const runWith = (uid: string, calls: readonly (readonly [second: number, phase: string])[]): JsonObject => ({
  metadata: { name: uid, uid },
  status: {
    metricResults: [
      {
        name: 'm',
        measurements: calls.map(([second, phase]) => ({
          phase,
          plannedAt: `2026-01-05T12:00:${String(second).padStart(2, '0')}.000000Z`,
          finishedAt: '2026-01-05T12:30:00Z',
        })),
      },
    ],
  },
});

function logged(...statuses: readonly (readonly (readonly [number, string])[])[]): readonly string[] {
  const log = new CallLog();
  for (const calls of statuses) log.see(runWith('a', calls));
  return log
    .of(runWith('a', []))
    .flatMap(({ calls }) =>
      calls.map(({ plannedAt, phase }) => `${plannedAt?.slice(17, 19) ?? ''} ${phase ?? ''}`),
    );
}

test.for<{
  readonly name: string;
  readonly statuses: readonly (readonly (readonly [number, string])[])[];
  readonly calls: readonly string[];
}>([
  {
    name: 'calls that a status keeps no longer',
    statuses: [
      [
        [1, 'ok'],
        [2, 'ok'],
      ],
      [
        [2, 'ok'],
        [3, 'bad'],
      ],
      [
        [3, 'bad'],
        [4, 'ok'],
      ],
    ],
    calls: ['01 ok', '02 ok', '03 bad', '04 ok'],
  },
  { name: 'a status that is seen twice', statuses: [[[1, 'ok']], [[1, 'ok']]], calls: ['01 ok'] },
  {
    name: 'a status that keeps one call',
    statuses: [[[1, 'ok']], [[2, 'ok']], [[3, 'ok']]],
    calls: ['01 ok', '02 ok', '03 ok'],
  },
  {
    name: 'a call that waited for data',
    statuses: [
      [
        [1, 'ok'],
        [2, 'Pending'],
      ],
      [
        [1, 'ok'],
        [3, 'Pending'],
      ],
      [
        [1, 'ok'],
        [3, 'ok'],
      ],
    ],
    calls: ['01 ok', '03 ok'],
  },
])('$name', ({ statuses, calls }) => {
  expect(logged(...statuses)).toEqual(calls);
});

test('runs are kept apart', () => {
  const log = new CallLog();
  log.see(runWith('a', [[1, 'ok']]));
  log.see(runWith('b', [[1, 'ok']]));
  expect(log.of(runWith('b', [])).flatMap(({ calls }) => calls)).toHaveLength(1);
});
