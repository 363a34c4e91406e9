import { expect, test } from 'vitest';
import { clusterGrid } from './cluster-grid.ts';

test('nodes and steps of a Cluster and its Machines', () => {
  const operation = {
    nodes: ['10.0.0.1', '10.0.0.2'],
    steps: [
      { name: 'pre-install', done: ['10.0.0.1', '10.0.0.2'] },
      {
        name: 'install',
        tasks: [
          { node: '10.0.0.1', state: 'Launched', attempt: 1, since: '2026-01-05T12:00:00Z' },
          {
            node: '10.0.0.2',
            state: 'Failed',
            attempt: 2,
            exit: 3,
            message: 'disk full',
            since: '2026-01-05T12:00:01Z',
          },
        ],
      },
    ],
  };
  const machine = {
    kind: 'Machine',
    metadata: { name: 'worker-1' },
    status: {
      operation: {
        steps: [{ name: 'join', tasks: [{ node: 'worker-1', state: 'Unreachable', attempt: 1 }] }],
      },
    },
  };
  expect(
    clusterGrid([
      { kind: 'Cluster', status: { operation } },
      machine,
      { kind: 'Machine', metadata: { name: 'idle' } },
    ]),
  ).toEqual({
    nodes: ['10.0.0.1', '10.0.0.2', 'worker-1', 'idle'],
    steps: ['pre-install', 'install', 'join'],
    cells: {
      '10.0.0.1 pre-install': { state: 'done', message: '' },
      '10.0.0.2 pre-install': { state: 'done', message: '' },
      '10.0.0.1 install': { state: 'running', message: '', startedAt: '2026-01-05T12:00:00Z' },
      '10.0.0.2 install': {
        state: 'failed',
        message: 'exit code 3; disk full; attempt 2',
        finishedAt: '2026-01-05T12:00:01Z',
      },
      'worker-1 join': { state: 'failed', message: 'Unreachable' },
    },
  });
});
