import { expect, test } from 'vitest';
import { registrationWorlds } from '../sim/registrations/registration-worlds.ts';
import { testWorlds } from '../sim/test-worlds.ts';

testWorlds({
  name: 'registrations',
  sort: registrationWorlds,
  title: 'instances of a registration with faults break no rule',
  worlds: 25,
  least: { histories: 2, counted: 5 },
});

test.for([
  [500_187, 'writes that conflict until the watch shows the newer version'],
  [12, 'an instance is finalized again while the watch still shows it with its finalizer'],
  [1_004_217, 'the hook is called again after a partition, because the watch of children comes back late'],
  [1_014_748, 'a child is made and deleted before the watch of children comes back'],
  [1_010_666, 'a child becomes an object of somebody else while the hook is called'],
  [3_006_911, 'a child becomes an object of somebody else while the watch of children is not back'],
  [3_012_574, 'an instance is queued directly before the registration changes'],
  [3_018_098, 'an instance is edited while its call waits for the result of the call of another instance'],
  [24, 'the hook is called again while the watch still shows a child that was pruned'],
] as const)('seed %i, which once broke a rule, holds: %s', async ([seed]) => {
  const { plan, play } = registrationWorlds;
  expect((await play(plan(seed))).complaints).toEqual([]);
});
