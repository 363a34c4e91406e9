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

test('seed 500187, which once did not end, holds: writes that conflict until the watch shows the newer version', async () => {
  const { plan, play } = registrationWorlds;
  expect((await play(plan(500_187))).complaints).toEqual([]);
});
