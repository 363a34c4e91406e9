import { expect, test } from 'vitest';
import { historyRows } from './history-row.ts';
import { ago, revisionOf, shopTime, shopWorkload, stableName, updateName } from './testing/shop.ts';

test('releases beside their revisions, and revisions without a release', () => {
  const workload = shopWorkload({
    history: [
      {
        revision: updateName,
        releaseID: 'r2',
        images: ['shop=registry.example/shop:1.5'],
        startTime: ago(600),
        outcome: 'Progressing',
        startedBy: 'kubectl-patch',
        acts: [{ verb: 'promote', by: 'ada', step: 2, result: 'Done' }],
      },
      {
        revision: 'shop-deleted',
        startTime: ago(4000),
        endTime: ago(3700),
        outcome: 'Aborted',
        cause: 'HookFailed',
        pausedSeconds: 12,
        verdicts: [{ step: 5, hookRun: 'x', phase: 'Failed' }],
      },
    ],
  });
  const revisions = [
    { ...revisionOf(stableName, 1, 'registry.example/shop:1.4') },
    revisionOf(updateName, 3, 'registry.example/shop:1.5'),
  ];
  expect(historyRows(workload, revisions, shopTime)).toMatchObject([
    {
      revision: 3,
      name: updateName,
      outcome: 'Progressing',
      durationSeconds: 600,
      startedBy: 'kubectl-patch',
      images: [{ container: 'shop', image: 'registry.example/shop:1.5' }],
    },
    {
      revision: 0,
      name: 'shop-deleted',
      outcome: 'Aborted',
      cause: 'HookFailed',
      durationSeconds: 300,
      pausedSeconds: 12,
      images: [],
    },
    {
      revision: 1,
      name: stableName,
      outcome: '',
      images: [{ container: 'shop', image: 'registry.example/shop:1.4' }],
    },
  ]);
});
