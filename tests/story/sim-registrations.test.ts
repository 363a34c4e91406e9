import { registrationWorlds } from '../sim/registrations/registration-worlds.ts';
import { testWorlds } from '../sim/test-worlds.ts';

testWorlds({
  name: 'registrations',
  sort: registrationWorlds,
  title: 'instances of a registration with faults break no rule',
  worlds: 25,
  least: { histories: 2, counted: 5 },
});
