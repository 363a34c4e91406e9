import { expect, test } from 'vitest';
import { numberAt } from '#base/json.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  kuards,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const calls = (world: RegistrationWorld): number =>
  world.hook.phases().filter((phase) => phase === 'pre-reconcile').length;

async function openReady(more = {}): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, more) }));
  await world.make(kuards, kuard());
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  await world.pass(30);
  return world;
}

test('the hook is called once for each change, and not for what the server reports of the children', async () => {
  await using world = await openReady();
  expect(calls(world)).toBe(1);
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'edited' } });
  await world.pass(30);
  expect(envOf(await world.get(deployments, child))['VARIABLE1']).toBe('edited');
  expect(conditionsOf(await world.instance())['Ready']).toBe('True CONDITIONSOK');
  expect(calls(world)).toBe(2);
  await world.patch(deployments, child, { spec: { replicas: 3 } });
  await world.pass(30);
  expect(numberAt(await world.get(deployments, child), 'spec', 'replicas')).toBe(1);
  expect(calls(world)).toBe(3);
  await world.remove(deployments, child);
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  await world.pass(30);
  expect(calls(world)).toBeLessThanOrEqual(5);
  const before = calls(world);
  await world.patch(registrations, 'kuard', { spec: { concurrency: 2 } });
  await world.pass(30);
  expect(calls(world)).toBe(before + 1);
});

test('resyncAfterSeconds of a hook is kept, whatever the children report meanwhile', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = ({ phase }) => (phase === 'pre-reconcile' ? { resyncAfterSeconds: 20 } : {});
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.pass(95, 0.5);
  expect(calls(world)).toBe(5);
});
