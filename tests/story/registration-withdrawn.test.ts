import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import type { Said } from '../support/reconcile-hook.ts';
import {
  definitions,
  deployments,
  isReady,
  kuards,
  never,
  openRegistrationWorld,
  registrations,
  serviceAccounts,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const accountOf = async (world: RegistrationWorld): Promise<readonly (string | undefined)[]> => {
  const deployment = await world.get(deployments, child);
  return ['serviceAccountName', 'serviceAccount'].map((name) =>
    textAt(deployment, 'spec', 'template', 'spec', name),
  );
};
const accountsOfPods = async (world: RegistrationWorld): Promise<readonly (string | undefined)[]> => {
  const listed = await world.client.list(pods, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items.map((pod) => textAt(pod, 'spec', 'serviceAccountName'));
};

async function openWith(said: Said): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  world.hook.answer = ({ phase }) => (phase === 'post-reconcile' ? said : {});
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  return world;
}

const account = { serviceAccount: { metadata: { annotations: { role: 'reader' } } } };

test('an account that a hook withdraws is removed from the workload first, and deleted when no pod uses it', async () => {
  await using world = await openWith({ patches: [account] });
  expect(await accountOf(world)).toEqual([child, child]);
  const used: boolean[] = [];
  world.hook.answer = () => ({});
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'other' } });
  await world.until(async () => {
    const isThere = (await world.get(serviceAccounts, child)) !== undefined;
    if (!isThere) used.push((await accountsOfPods(world)).includes(child));
    return !isThere && (await isReady(world));
  });
  expect(used).not.toContain(true);
  expect(await accountOf(world)).toEqual([undefined, undefined]);
  expect(await accountsOfPods(world)).toEqual(['default']);
  const deployment = await world.get(deployments, child);
  expect(numberAt(deployment, 'status', 'readyReplicas')).toBe(1);
});

test('the name of an account that a hook gives and withdraws is taken back', async () => {
  const main = { spec: { template: { spec: { serviceAccountName: 'default' } } } };
  await using world = await openWith({ patches: [{ main }] });
  expect(await accountOf(world)).toEqual(['default', 'default']);
  world.hook.answer = () => ({});
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'other' } });
  await world.until(async () => (await accountOf(world))[0] === undefined);
  expect(await accountOf(world)).toEqual([undefined, undefined]);
});

test('an account that an earlier version left in the workload is taken back', async () => {
  await using world = await openWith({});
  await world.client.patch(
    deployments,
    { namespace: 'default', name: child },
    { type: 'merge', body: { spec: { template: { spec: { serviceAccountName: child } } } } },
    never,
  );
  await world.until(async () => ['', undefined].includes((await accountOf(world))[0]));
  await world.until(() => isReady(world));
});

test('annotations of the status that a hook withdraws are taken back, those of others stay', async () => {
  await using world = await openWith({ status: { annotations: { greetings: 'from hook', other: '1' } } });
  const instance = await world.instance();
  const annotations = { ...objectAt(instance, 'status', 'annotations'), theirs: 'x' };
  const status = { ...objectAt(instance, 'status'), annotations };
  await world.client.updateStatus(kuards, { ...instance, status }, never);
  world.hook.answer = ({ phase }) =>
    phase === 'post-reconcile' ? { status: { annotations: { other: '2' } } } : {};
  await world.stop();
  await world.control();
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'other' } });
  await world.until(
    async () => textAt(await world.instance(), 'status', 'annotations', 'greetings') === undefined,
  );
  expect(objectAt(await world.instance(), 'status', 'annotations')).toMatchObject({
    other: '2',
    theirs: 'x',
  });
  world.hook.answer = () => ({ error: { message: 'no', halt: true } });
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'again' } });
  await world.until(async () => listAt(await world.instance(), 'status', 'conditions').length > 0);
  await world.settle();
  expect(textAt(await world.instance(), 'status', 'annotations', 'other')).toBe('2');
  await world.patch(registrations, 'kuard', { spec: { hook: null } });
  await world.until(
    async () => textAt(await world.instance(), 'status', 'annotations', 'other') === undefined,
  );
  expect(objectAt(await world.instance(), 'status', 'annotations')).toEqual({ theirs: 'x' });
});
