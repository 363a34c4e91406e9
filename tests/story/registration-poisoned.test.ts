import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { definition, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import { plainly, type Asked, type Said } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  definitions,
  kuards,
  messageOf,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const isReady = async (world: RegistrationWorld, name: string): Promise<boolean> =>
  conditionsOf(await world.instance(name))['Ready'] === 'True CONDITIONSOK';
const nameIn = ({ body }: Asked): string => textAt(body, 'object', 'name') ?? '';
const askedAbout = (world: RegistrationWorld, name: string): number =>
  world.hook.asked.filter((each) => nameIn(each) === name).length;
const health = async (world: RegistrationWorld): Promise<string | undefined> =>
  conditionsOf(await world.get(registrations, 'kuard'))['HookHealthy'];

/** Ten instances for which the hook fails in some way. */
async function openPoisoned(said: Said, timeout = 'PT2S'): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  world.hook.answer = (asked) => (nameIn(asked).startsWith('bad') ? said : {});
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, { timeout }) }));
  await world.make(kuards, kuard(usualSpec, 'old'));
  await world.until(() => isReady(world, 'old'));
  for (let at = 0; at < 10; at += 1) await world.make(kuards, kuard(usualSpec, `bad-${at}`));
  await world.pass(30, 0.5);
  return world;
}

test.for<[string, Said, seconds: number]>([
  ['answers 500', plainly(500), 1],
  ['answers 503', plainly(503), 10],
  ['answers nothing', 'hang', 20],
  ['closes the connection', (response) => void response.destroy(), 10],
])('instances for which the hook %s do not delay others', async ([, said, patience]) => {
  await using world = await openPoisoned(said);
  await world.make(kuards, kuard(usualSpec, 'good'));
  await world.until(() => isReady(world, 'good'), patience);
  await world.patch(kuards, 'old', { spec: { variable1: 'other' } });
  const asked = askedAbout(world, 'old');
  await world.until(() => askedAbout(world, 'old') > asked, patience);
  await world.remove(kuards, 'good');
  await world.until(async () => (await world.get(kuards, 'good')) === undefined, patience);
});

test('an instance for which the hook answers 500 reports it, and is called ever less often', async () => {
  await using world = await openPoisoned(plainly(500, 'no such account'));
  for (let at = 0; at < 10; at += 1) {
    const bad = await world.instance(`bad-${at}`);
    expect(conditionsOf(bad)['Reconciled']).toBe('Unknown HOOKERROR');
    expect(messageOf(bad, 'Reconciled')).toContain('it answered 500: no such account');
  }
  expect(await health(world)).toBe('True HOOKREACHED');
  await world.pass(120, 1);
  const quarantined = (await world.told('bad-3')).filter((each) => each.includes('HookQuarantined'));
  expect(quarantined).toEqual([
    expect.stringContaining(
      'the hook failed for this instance 6 times in a row: it is called again about every 5m',
    ),
  ]);
  const before = askedAbout(world, 'bad-3');
  await world.pass(240, 2);
  expect(askedAbout(world, 'bad-3')).toBeLessThanOrEqual(before + 1);
  world.hook.answer = () => ({});
  await world.patch(kuards, 'bad-3', { spec: { variable1: 'mended' } });
  await world.until(() => isReady(world, 'bad-3'), 2);
});

test('after a change an instance in quarantine is tried as often as a new one', async () => {
  await using world = await openPoisoned(plainly(500));
  await world.pass(120, 1);
  await world.patch(kuards, 'bad-3', { spec: { variable1: 'still bad' } });
  const before = askedAbout(world, 'bad-3');
  await world.pass(10, 0.5);
  expect(askedAbout(world, 'bad-3') - before).toBeGreaterThanOrEqual(3);
});

test('the registration reports the health of its hook', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.settle();
  expect(await health(world)).toBe('Unknown HOOKNOTCALLED');
  expect(conditionsOf(await world.get(registrations, 'kuard'))['Ready']).toBe('True CONDITIONSOK');
  for (let at = 0; at < 10; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.until(async () => (await health(world)) === 'True HOOKREACHED');
  world.hook.answer = () => (response) => void response.destroy();
  for (let at = 0; at < 10; at += 1) await world.patch(kuards, `k-${at}`, { spec: { variable1: 'other' } });
  await world.until(async () => (await health(world)) === 'False HOOKUNREACHABLE');
  const object = await world.get(registrations, 'kuard');
  expect(messageOf(object, 'HookHealthy')).toMatch(/127\.0\.0\.1.*closed/);
  expect(conditionsOf(object)['Ready']).toBe('True CONDITIONSOK');
  expect(await world.told('kuard')).toContainEqual(expect.stringMatching(/^Warning HookUnreachable /));
  world.hook.answer = () => ({});
  await world.until(async () => (await health(world)) === 'True HOOKREACHED');
  await world.until(() => isReady(world, 'k-9'));
});

test('a hook that is down for all is called by one instance after another, not by all', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = () => (response) => void response.destroy();
  await world.make(definitions, definition());
  const hook = hookAt(world.hook.url, { capabilities: ['pre-reconcile'] });
  await world.make(registrations, registration({ hook }));
  for (let at = 0; at < 40; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.pass(60, 1);
  expect(world.hook.asked.length).toBeLessThan(45);
  expect(new Set(world.hook.asked.map(nameIn)).size).toBeGreaterThan(15);
});
