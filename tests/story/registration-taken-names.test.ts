import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { uidOf } from '#kube/object.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  isReady,
  kuards,
  openRegistrationWorld,
  registrations,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
/** It has the port of the child, so that nothing but its uid or version keeps the child from being merged into it. */
const stranger = (port: number): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: child, namespace: 'default' },
  spec: { ports: [{ port, targetPort: 4711 }] },
});

/** What somebody does directly before the next request that applies the Service. */
type Meanwhile = { act: (() => Promise<unknown>) | undefined };

const meeting =
  (meanwhile: Meanwhile) =>
  (way: Transport): Transport =>
  async (request) => {
    const { act } = meanwhile;
    if (request.method === 'PATCH' && request.path.endsWith(`/services/${child}`) && act !== undefined) {
      meanwhile.act = undefined;
      await act();
    }
    return way(request);
  };

async function open(meanwhile: Meanwhile, withHook = false): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  if (withHook) world.hook.answer = () => ({ envVars: [{ name: 'FROM_HOOK', value: 'x' }] });
  await world.control({ around: meeting(meanwhile) });
  await world.make(definitions, definition());
  await world.make(registrations, registration(withHook ? { hook: hookAt(world.hook.url) } : {}));
  return world;
}

const editPort = (world: RegistrationWorld): Promise<unknown> =>
  world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { deployment: { service: { port: 81 } } } } },
  });

async function expectLeftAlone(world: RegistrationWorld): Promise<void> {
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('False CHILDCONFLICT');
  const left = await world.get(services, child);
  expect(left).toMatchObject({ spec: { ports: [{ targetPort: 4711 }] } });
  expect(left?.['metadata']).not.toHaveProperty('ownerReferences');
  await world.remove(services, child);
  await world.until(() => isReady(world), 60);
}

test.for([false, true])(
  'a child that becomes an object of somebody else directly before it is applied is left alone, hook: %s',
  async (withHook) => {
    const meanwhile: Meanwhile = { act: undefined };
    await using world = await open(meanwhile, withHook);
    await world.make(kuards, kuard());
    await world.until(() => isReady(world));
    meanwhile.act = async () => {
      await world.remove(services, child);
      await world.make(services, stranger(81));
    };
    await editPort(world);
    await world.settle();
    expect(meanwhile.act).toBeUndefined();
    await expectLeftAlone(world);
  },
);

test.for([false, true])(
  'an object that somebody makes directly before the child is created is left alone, hook: %s',
  async (withHook) => {
    const meanwhile: Meanwhile = { act: undefined };
    await using world = await open(meanwhile, withHook);
    meanwhile.act = () => world.make(services, stranger(80));
    await world.make(kuards, kuard());
    await world.settle();
    expect(meanwhile.act).toBeUndefined();
    await expectLeftAlone(world);
  },
);

test('a child that is deleted directly before it is applied is made again at once', async () => {
  const meanwhile: Meanwhile = { act: undefined };
  await using world = await open(meanwhile);
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  const before = await world.get(services, child);
  meanwhile.act = () => world.remove(services, child);
  await editPort(world);
  await world.settle();
  const after = await world.get(services, child);
  expect(after).toMatchObject({ spec: { ports: [{ port: 81 }] } });
  expect(uidOf(after ?? {})).not.toBe(uidOf(before ?? {}));
  expect(conditionsOf(await world.instance())).not.toHaveProperty('Reconciled');
});
