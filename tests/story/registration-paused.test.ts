import { expect, test } from 'vitest';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  kuards,
  messageOf,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const annotate = (world: RegistrationWorld, annotations: Readonly<Record<string, string | null>>) =>
  world.patch(kuards, 'my-kuard', { metadata: { annotations } });
const isGone = async (world: RegistrationWorld): Promise<boolean> =>
  (await world.get(kuards, 'my-kuard')) === undefined;

/** An instance that was paused when all was well, and was then deleted. */
async function openDeleted(): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  await annotate(world, { 'boathook.dev/paused': 'true' });
  await world.settle();
  await world.remove(kuards, 'my-kuard');
  await world.pass(5);
  return world;
}

test('a paused instance that is deleted stays, with its children, and reports why and what to do', async () => {
  await using world = await openDeleted();
  expect(await isGone(world)).toBe(false);
  expect(await world.get(deployments, 'kuard-my-kuard')).toBeDefined();
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('Unknown PAUSED');
  const ways = /boathook\.dev\/paused.*remove it.*boathook\.dev\/skip-finalize=true/;
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(ways);
  expect(messageOf(await world.instance(), 'Ready')).toMatch(ways);
  const told = (await world.told('my-kuard')).filter((each) => each.includes('DeletionBlocked'));
  expect(told).toEqual([expect.stringMatching(ways)]);
  expect(world.hook.phases()).not.toContain('finalize');
});

test('without the annotation the hook is called and the instance is deleted', async () => {
  await using world = await openDeleted();
  await annotate(world, { 'boathook.dev/paused': null });
  await world.until(() => isGone(world), 5);
  expect(world.hook.phases().at(-1)).toBe('finalize');
});

test('with skip-finalize it is deleted though paused, and the hook is not called', async () => {
  await using world = await openDeleted();
  await annotate(world, { 'boathook.dev/skip-finalize': 'true' });
  await world.until(() => isGone(world), 5);
  expect(world.hook.phases()).not.toContain('finalize');
});
