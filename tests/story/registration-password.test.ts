import { expect, test } from 'vitest';
import { readRegistration } from '#registrations/read.ts';
import { definition, hookAt, registration } from '../support/kuard.ts';
import { definitions, openRegistrationWorld, registrations } from '../support/registration-world.ts';

const password = 'PASSWORD-77b1';

test('a password in the address of a hook is refused at apply, with the way to give it, and repeated nowhere', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  const uri = world.hook.url.replace('//', `//me:${password}@`);
  const refused = await world.make(registrations, registration({ hook: hookAt(uri) })).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
  expect(refused).toMatch(/spec\.hook\.address\.uri: .*user or a password.*spec\.hook\.auth\.basic/);
  expect(refused).not.toContain(password);
  // A server that does not know the rule may have let it in before.
  const read = readRegistration(registration({ hook: hookAt(uri) }));
  expect(read.type).toBe('refused');
  expect(JSON.stringify(read)).not.toContain(password);
});
