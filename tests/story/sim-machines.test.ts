import { machineWorlds } from '../sim/machines/machine-worlds.ts';
import { testWorlds } from '../sim/test-worlds.ts';

testWorlds({
  name: 'machines',
  sort: machineWorlds,
  title: 'operations on machines with faults break no rule',
  worlds: 15,
  least: { histories: 2, counted: 10 },
});
