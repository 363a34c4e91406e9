import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { nameOf } from '#kube/object.ts';
import { definition, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import { plainly } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  kuards,
  messageOf,
  never,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const crdName = 'kuards.extensions.triggermesh.io';
const skip = { metadata: { annotations: { 'boathook.dev/skip-finalize': 'true' } } };

const finalizersOf = async (world: RegistrationWorld, name = 'my-kuard'): Promise<readonly unknown[]> =>
  listAt(await world.get(kuards, name), 'metadata', 'finalizers');
const isGone = async (world: RegistrationWorld, name = 'my-kuard'): Promise<boolean> =>
  (await world.get(kuards, name)) === undefined;

/** An instance that our finalizer holds. */
async function openHeld(around?: (direct: Transport) => Transport): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld({ controlled: false });
  await world.control(around === undefined ? {} : { around });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.until(async () => (await finalizersOf(world)).length > 0);
  await world.settle();
  return world;
}

test('under a registration that an edit made invalid a deletion reports what blocks it, and skip-finalize works', async () => {
  await using world = await openHeld();
  await world.patch(registrations, 'kuard', { spec: { hook: { address: { uri: 'http://[:::bad' } } } });
  await world.settle();
  expect(conditionsOf(await world.get(registrations, 'kuard'))['ControllerReady']).toBe('False HOOKINVALID');
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(await isGone(world)).toBe(false);
  expect((await world.told('my-kuard')).join('\n')).toMatch(
    /DeletionBlocked.*registration kuard.*spec\.hook\.address\.uri.*boathook\.dev\/skip-finalize/,
  );
  await world.patch(kuards, 'my-kuard', skip);
  await world.settle();
  expect(await isGone(world)).toBe(true);
});

test('under an invalid registration, a new process reports what blocks a deletion; once fixed, the hook is called', async () => {
  await using world = await openHeld();
  await world.patch(registrations, 'kuard', { spec: { hook: { address: { uri: 'http://[:::bad' } } } });
  await world.settle();
  await world.stop();
  await world.remove(kuards, 'my-kuard');
  await world.control();
  await world.settle();
  expect((await world.told('my-kuard')).join('\n')).toMatch(/DeletionBlocked/);
  await world.patch(registrations, 'kuard', { spec: { hook: { address: { uri: world.hook.url } } } });
  await world.until(() => isGone(world), 10);
  expect(world.hook.phases()).toContain('finalize');
});

test('a registration whose own finalizer was torn off still lets its instances go', async () => {
  await using world = await openHeld();
  world.hook.answer = () => plainly(503);
  // Before the controller can put it back.
  await world.patch(registrations, 'kuard', { metadata: { finalizers: [] } });
  await world.client.remove(registrations, { name: 'kuard' }, never);
  await world.settle();
  expect(await world.get(registrations, 'kuard')).toBeUndefined();
  await world.until(async () => (await finalizersOf(world)).length === 0, 10);
});

test('one instance that cannot be released blocks no other, and the registration reports which and why', async () => {
  let isRefusing = true;
  await using world = await openHeld((direct) => (request) => {
    const isRelease = request.method === 'PATCH' && request.path.endsWith('/kuards/a-stubborn');
    if (!isRefusing || !isRelease || !String(request.body).includes('"finalizers":[]'))
      return direct(request);
    const status = {
      apiVersion: 'v1',
      kind: 'Status',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'spec.size: Required value',
    };
    return direct({ ...request, method: 'GET' }).then((answer) => ({
      ...answer,
      status: 422,
      text: () => Promise.resolve(JSON.stringify(status)),
    }));
  });
  await world.make(kuards, kuard(usualSpec, 'a-stubborn'));
  await world.until(async () => (await finalizersOf(world, 'a-stubborn')).length > 0);
  for (let at = 0; at < 40; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.settle();
  await world.remove(registrations, 'kuard');
  await world.pass(5);
  for (let at = 0; at < 40; at += 1) expect(await finalizersOf(world, `k-${at}`)).toEqual([]);
  const left = await world.get(registrations, 'kuard');
  expect(conditionsOf(left)['ControllerReady']).toBe('False RELEASEFAILED');
  expect(messageOf(left, 'ControllerReady')).toMatch(/default\/a-stubborn.*spec\.size: Required value/);
  expect((await world.told('kuard')).join('\n')).toMatch(/Warning RELEASEFAILED.*a-stubborn/);
  isRefusing = false;
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 120);
  expect(await finalizersOf(world, 'a-stubborn')).toEqual([]);
});

test('a registration can be deleted though its hook is down, and so can a definition, and all of both', async () => {
  await using world = await openHeld();
  world.hook.answer = () => 'hang';
  await world.remove(definitions, crdName);
  await world.settle();
  expect(await isGone(world)).toBe(false);
  expect(world.hook.hanging).toBe(1);
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(definitions, crdName)) === undefined, 10);
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 10);
  await expect.poll(() => world.hook.hanging, { timeout: 10_000 }).toBe(0);
  expect(await world.get(deployments, 'kuard-my-kuard')).toBeUndefined();
});

test('a definition and a registration that are deleted without a controller are released by the next one', async () => {
  await using world = await openHeld();
  await world.stop();
  world.hook.answer = () => plainly(503);
  await world.remove(definitions, crdName);
  await world.remove(registrations, 'kuard');
  await world.settle();
  expect(await isGone(world)).toBe(false);
  await world.control();
  await world.until(async () => (await world.get(definitions, crdName)) === undefined, 10);
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 10);
});

test('finalize taken from the capabilities while an instance is on its way out lets it go', async () => {
  await using world = await openHeld();
  world.hook.answer = () => plainly(503);
  await world.remove(kuards, 'my-kuard');
  await world.pass(3);
  expect(await isGone(world)).toBe(false);
  await world.patch(registrations, 'kuard', { spec: { hook: { capabilities: ['pre-reconcile'] } } });
  await world.until(() => isGone(world), 5);
});

test('a new version of the definition is followed, and no instance loses its workload', async () => {
  await using world = await openHeld();
  const spec = definition()['spec'] as { readonly versions: readonly object[] };
  const [v1] = spec.versions;
  const versions = [
    { ...v1, storage: false },
    { ...v1, name: 'v2' },
  ];
  const before = await world.get(deployments, 'kuard-my-kuard');
  await world.patch(definitions, crdName, { spec: { versions: JSON.parse(JSON.stringify(versions)) } });
  await world.settle();
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'v2' } });
  await world.settle();
  const asked = world.hook.asked.at(-1);
  expect(textAt(asked?.body, 'object', 'apiVersion')).toBe('extensions.triggermesh.io/v2');
  const after = await world.get(deployments, 'kuard-my-kuard');
  expect(textAt(after, 'metadata', 'uid')).toBe(textAt(before, 'metadata', 'uid'));
  expect(textAt(listAt(after, 'metadata', 'ownerReferences')[0], 'apiVersion')).toBe(
    'extensions.triggermesh.io/v2',
  );
  expect(listAt(after, 'metadata', 'ownerReferences')).toHaveLength(1);
});

test('an edit is seen by each instance once, and ten edits that change nothing write nothing', async () => {
  await using world = await openHeld();
  await world.make(kuards, kuard(usualSpec, 'other'));
  await world.pass(5);
  world.hook.asked.length = 0;
  await world.patch(registrations, 'kuard', { spec: { hook: { timeout: 'PT9S' } } });
  await world.pass(5);
  const names = world.hook.asked.map(
    ({ phase, body }) =>
      `${phase} ${textAt(body, 'object', 'name')} ${numberAt(body, 'registration', 'generation')}`,
  );
  expect(names.toSorted()).toEqual(
    ['my-kuard', 'other']
      .flatMap((name) => ['post-reconcile', 'pre-reconcile'].map((phase) => `${phase} ${name} 2`))
      .toSorted(),
  );
  const written = world.writes.length;
  for (let at = 0; at < 10; at += 1) {
    await world.patch(kuards, 'my-kuard', { metadata: { annotations: { at: String(at) } } });
    await world.settle();
  }
  expect(world.hook.phases('my-kuard')).toHaveLength(2 + 20);
  expect(world.writes.slice(written)).toEqual([]);
});

test('registrations of a definition that were created in one second: the serving one continues', async () => {
  await using world = await openHeld();
  await world.make(registrations, registration({ name: 'a-later', hook: hookAt(world.hook.url) }));
  await world.settle();
  expect(conditionsOf(await world.get(registrations, 'a-later'))['ControllerReady']).toBe('False CRDTAKEN');
  expect(conditionsOf(await world.get(registrations, 'kuard'))['ControllerReady']).toBe(
    'True CONTROLLERSTARTED',
  );
  const listed = await world.client.list(deployments, { namespace: 'default' }, never);
  expect(listed.type === 'ok' && listed.items.map(nameOf)).toEqual(['kuard-my-kuard']);
});

test('a registration whose definition serves nothing waits until its instances can be reached', async () => {
  await using world = await openHeld();
  const spec = definition()['spec'] as { readonly versions: readonly JsonObject[] };
  const serve = (served: boolean): Promise<unknown> =>
    world.patch(definitions, crdName, {
      spec: { versions: spec.versions.map((each) => ({ ...each, served })) },
    });
  await serve(false);
  await world.settle();
  await world.remove(registrations, 'kuard');
  await world.pass(30, 5);
  const left = await world.get(registrations, 'kuard');
  expect(conditionsOf(left)['ControllerReady']).toBe('False RELEASEFAILED');
  expect(messageOf(left, 'ControllerReady')).toMatch(/kuards\.extensions\.triggermesh\.io serves no version/);
  await serve(true);
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 5);
  expect(await finalizersOf(world)).toEqual([]);
});
