import { expect, test } from 'vitest';
import { machineWorlds } from '../sim/machines/machine-worlds.ts';
import { testWorlds } from '../sim/test-worlds.ts';

testWorlds({
  name: 'machines',
  sort: machineWorlds,
  title: 'operations on machines with faults break no rule',
  worlds: 15,
  least: { histories: 2, counted: 10 },
});

test.for([
  [500_324, 'a connection is lost at the moment when the machine gives a sign of life'],
  [500_337, 'a retry of a machine that had failed before the operator started'],
  [500_701, 'a clock that was set back by more than an hour'],
  [501_260, 'a script outlives the patience with its machine, and its failure is ignored'],
  [2_004_101, 'a machine goes down after a rollback has reset it, and before the rollback ends'],
  [1_005_087, 'a machine goes down while a rollback resets it'],
  [1_003_665, 'another operation has used the result of a script before its own operation goes on'],
  [1_018_140, 'a manual retry while a script of a later stage runs'],
  [1_000_266, 'a rollback after a retry forgets a machine that an earlier rollback could not reset'],
] as const)('seed %i, which once broke a rule, holds: %s', async ([seed]) => {
  const { plan, play } = machineWorlds;
  expect((await play(plan(seed))).complaints).toEqual([]);
});

test('an operation waits for a script of another one, also when its wait for a second machine ends later', async () => {
  const { complaints, judged } = await machineWorlds.play({
    seed: 4_000_032,
    shape: { format: 'tkestack', masters: 2, workers: 2 },
    rounds: [
      {
        asked: { operation: 'cluster.create', nodes: [], version: '1.33.4' },
        happenings: [
          { after: 109, type: 'cut', node: 'worker-0', seconds: 0 },
          { after: 60, type: 'rival' },
          { after: 0, type: 'rival' },
          { after: 45, type: 'rival' },
        ],
        shares: { fail: 0, cutAtStart: 0.2, cutAtEnd: 0, slow: 0 },
        deaths: [{ record: 17, isKept: true }],
      },
    ],
  });
  expect(complaints).toEqual([]);
  expect(judged['scripts']).toBeGreaterThan(20);
});
