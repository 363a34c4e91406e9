import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { resourceVersionOf } from '#kube/object.ts';
import { baseEnv, definition, fullStatus, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import {
  conditionsOf,
  containerOf,
  definitions,
  deployments,
  envOf,
  isReady,
  kuards,
  messageOf,
  never,
  openRegistrationWorld,
  registrations,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';
import { relisting } from '../support/relist.ts';

const child = 'kuard-my-kuard';
const crdName = 'kuards.extensions.triggermesh.io';
const finalizer = 'scoby.triggermesh.io/finalizer';
const started = 'True CONTROLLERSTARTED';

const stateOf = async (world: RegistrationWorld, name = 'kuard'): Promise<Readonly<Record<string, string>>> =>
  conditionsOf(await world.get(registrations, name));

/** Everything there is, and at rest. */
async function openRunning(
  wish: Parameters<typeof registration>[0] = {},
  spec = usualSpec,
): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration(wish));
  await world.make(kuards, kuard(spec));
  await world.until(() => isReady(world));
  return world;
}

test('a definition that is created, changed and deleted is noticed at once', async () => {
  await using world = await openRegistrationWorld();
  await world.make(registrations, registration());
  await world.settle();
  expect(await stateOf(world)).toMatchObject({ CRDExists: 'False CRDERROR', Ready: 'False CONDITIONSNOTOK' });
  expect(messageOf(await world.get(registrations, 'kuard'), 'CRDExists')).toContain(crdName);
  await world.make(definitions, definition({ status: { type: 'object' } }));
  await world.settle();
  expect(await stateOf(world)).toEqual({
    CRDExists: 'True CRDEXIST',
    ControllerReady: started,
    Ready: 'True CONDITIONSOK',
  });
  await world.make(kuards, kuard());
  await world.settle();
  expect(envOf(await world.get(deployments, child))).toEqual(baseEnv);
  expect(objectAt(await world.instance(), 'status', 'conditions')).toBeUndefined();

  const versions = definition({ status: fullStatus })['spec'] as JsonObject;
  await world.patch(definitions, crdName, { spec: { versions: versions['versions'] ?? [] } });
  await world.until(() => isReady(world), 5);

  await world.remove(definitions, crdName);
  await world.settle();
  expect(await stateOf(world)).toMatchObject({ CRDExists: 'False CRDERROR' });
  const { length } = world.requests;
  await world.pass(120, 10);
  expect(world.requests.slice(length).filter(({ path }) => path.includes('v1/kuards'))).toEqual([]);
});

test('a definition with a finalizer on its instances can go: they are finalized first', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.settle();
  await world.remove(definitions, crdName);
  await world.until(async () => (await world.get(definitions, crdName)) === undefined, 10);
  expect(world.hook.phases()).toContain('finalize');
});

test('an edit takes effect, on what is there and without a restart', async () => {
  await using world = await openRunning();
  await world.patch(registrations, 'kuard', { spec: { workload: { fromImage: { repo: 'kuard:green' } } } });
  await world.settle();
  expect(containerOf(await world.get(deployments, child))).toMatchObject({ image: 'kuard:green' });
  const seen = await world.get(registrations, 'kuard');
  expect(numberAt(seen, 'status', 'observedGeneration')).toBe(numberAt(seen, 'metadata', 'generation'));
  expect(conditionsOf(seen)['ControllerReady']).toBe(started);
});

test('children that are not rendered any more are deleted', async () => {
  await using world = await openRunning();
  expect(await world.get(services, child)).toBeDefined();
  await world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { deployment: { service: null } } } },
  });
  await world.until(async () => (await world.get(services, child)) === undefined, 5);
  expect(await world.get(deployments, child)).toBeDefined();
  await world.until(async () => conditionsOf(await world.instance())['ServiceReady'] === undefined, 5);
});

test('a variable that is removed from the instance is removed from its workload', async () => {
  await using world = await openRunning();
  await world.patch(kuards, 'my-kuard', { spec: { variable2: null } });
  await world.settle();
  const { VARIABLE2: _gone, ...rest } = baseEnv;
  expect(envOf(await world.get(deployments, child))).toEqual(rest);
});

test('what others add to a child stays, and what they change comes back', async () => {
  await using world = await openRunning();
  const body = {
    metadata: { labels: { team: 'a' } },
    spec: { template: { spec: { containers: [{ name: 'sidecar', image: 'side:1' }] } } },
  };
  const key = { namespace: 'default', name: child };
  await world.client.patch(deployments, key, { type: 'strategic', body }, never);
  await world.settle();
  const mixed = await world.get(deployments, child);
  expect(listAt(mixed, 'spec', 'template', 'spec', 'containers')).toHaveLength(2);
  expect(textAt(mixed, 'metadata', 'labels', 'team')).toBe('a');
  await world.client.patch(deployments, key, { type: 'strategic', body: { spec: { replicas: 7 } } }, never);
  await world.settle();
  expect(numberAt(await world.get(deployments, child), 'spec', 'replicas')).toBe(1);
  await world.remove(deployments, child);
  await world.until(async () => (await world.get(deployments, child)) !== undefined, 5);
});

test('of two registrations of a definition the older serves it, and the younger takes over', async () => {
  await using world = await openRunning();
  await world.pass(2);
  await world.make(registrations, registration({ name: 'later' }));
  await world.settle();
  expect((await stateOf(world, 'later'))['ControllerReady']).toBe('False CRDTAKEN');
  expect(messageOf(await world.get(registrations, 'later'), 'ControllerReady')).toMatch(
    /CRDRegistration kuard already serves/,
  );
  expect(await world.get(deployments, 'later-my-kuard')).toBeUndefined();
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await stateOf(world, 'later'))['ControllerReady'] === started, 5);
  await world.until(async () => (await world.get(deployments, 'later-my-kuard')) !== undefined, 5);
});

test('the deletion of a refused registration removes no finalizer', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.pass(2);
  await world.make(registrations, registration({ name: 'later', hook: hookAt(world.hook.url) }));
  await world.settle();
  await world.remove(registrations, 'later');
  await world.settle();
  expect(await world.get(registrations, 'later')).toBeUndefined();
  expect(listAt(await world.instance(), 'metadata', 'finalizers')).toEqual([finalizer]);
});

test('a deleted registration releases its instances, also those that are being deleted', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = ({ phase }) =>
    phase === 'finalize' ? { error: { message: 'never', halt: true } } : {};
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  for (const name of ['stays', 'goes']) await world.make(kuards, kuard(usualSpec, name));
  await world.settle();
  await world.remove(kuards, 'goes');
  await world.pass(3);
  expect(await world.get(kuards, 'goes')).toBeDefined();
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 10);
  expect(await world.get(kuards, 'goes')).toBeUndefined();
  expect(listAt(await world.instance('stays'), 'metadata', 'finalizers')).toEqual([]);
  expect(await world.get(deployments, 'kuard-stays')).toBeDefined();
  const { length } = world.hook.asked;
  await world.patch(kuards, 'stays', { spec: { variable1: 'nobody cares' } });
  await world.pass(5);
  expect(world.hook.asked).toHaveLength(length);
});

test('a registration that is deleted without a controller is released by the next one', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.settle();
  await world.stop();
  await world.remove(registrations, 'kuard');
  await world.settle();
  expect(await world.get(registrations, 'kuard')).toBeDefined();
  await world.control();
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined, 5);
  expect(listAt(await world.instance(), 'metadata', 'finalizers')).toEqual([]);
});

test('one broken registration harms no other', async () => {
  await using world = await openRunning();
  await world.make(definitions, definition({ plural: 'others', kind: 'Other' }));
  const broken = registration({
    name: 'broken',
    crd: 'others.extensions.triggermesh.io',
    hook: hookAt('http://[:::bad uri', { timeout: 'PT15S' }),
  });
  await world.make(registrations, broken);
  await world.make(registrations, registration({ name: 'eager', crd: 'nobodys.extensions.triggermesh.io' }));
  await world.settle();
  expect((await stateOf(world, 'broken'))['ControllerReady']).toBe('False HOOKINVALID');
  expect(messageOf(await world.get(registrations, 'broken'), 'ControllerReady')).toContain(
    'spec.hook.address.uri',
  );
  expect((await stateOf(world, 'eager'))['CRDExists']).toBe('False CRDERROR');
  expect((await world.told('broken')).join('\n')).toMatch(/Warning HOOKINVALID/);
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'still' } });
  await world.settle();
  expect(envOf(await world.get(deployments, child))['VARIABLE1']).toBe('still');
});

test('a hook whose Service does not exist is named, and found as soon as it does', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  const address = {
    ref: { apiVersion: 'v1', kind: 'Service', name: 'my-service' },
    uri: `http://:${world.hook.port}`,
  };
  await world.make(registrations, registration({ hook: hookAt('', { address }) }));
  await world.make(kuards, kuard());
  await world.pass(2);
  expect((await stateOf(world))['ControllerReady']).toBe('False HOOKFAILED');
  expect(messageOf(await world.get(registrations, 'kuard'), 'ControllerReady')).toContain(
    'Service default/my-service',
  );
  expect(messageOf(await world.instance(), 'Reconciled')).toContain('Service default/my-service');
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'my-service', namespace: 'default' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await world.settle();
  expect(await stateOf(world)).toMatchObject({ ControllerReady: started });
  expect(await world.get(deployments, child)).toBeDefined();
});

test('a controller that cannot watch its kind reports it, and recovers', async () => {
  await using world = await openRegistrationWorld({ controlled: false });
  let isForbidden = true;
  const around =
    (direct: Transport): Transport =>
    (request) => {
      if (isForbidden && request.path.endsWith('/apis/apps/v1/deployments'))
        return Promise.reject(new Unavailable('forbidden by a test'));
      return direct(request);
    };
  await world.control({ around });
  await world.make(definitions, definition());
  await world.make(registrations, registration());
  await world.make(kuards, kuard());
  await world.pass(5);
  expect((await stateOf(world))['ControllerReady']).toBe('False CONTROLLERFAILED');
  expect(messageOf(await world.get(registrations, 'kuard'), 'ControllerReady')).toMatch(
    /deployments.*forbidden by a test/,
  );
  isForbidden = false;
  await world.until(async () => (await stateOf(world))['ControllerReady'] === started);
  await world.until(() => isReady(world));
});

test('an object of another is not taken over', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration());
  const spec = { ports: [{ port: 4711 }] };
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: child, namespace: 'default' },
    spec,
  });
  await world.make(kuards, kuard());
  await world.settle();
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('False CHILDCONFLICT');
  expect(messageOf(await world.instance(), 'Reconciled')).toContain(`Service default/${child}`);
  expect(await world.get(services, child)).toMatchObject({ spec });
  expect(await world.get(deployments, child)).toBeUndefined();
  await world.remove(services, child);
  await world.until(() => isReady(world), 60);
});

test('a paused instance is left alone, and continues where it was', async () => {
  await using world = await openRunning();
  await world.patch(kuards, 'my-kuard', {
    metadata: { annotations: { 'boathook.dev/paused': 'true' } },
    spec: { variable1: 'later' },
  });
  await world.pass(10);
  expect(envOf(await world.get(deployments, child))['VARIABLE1']).toBe('value 1');
  await world.patch(kuards, 'my-kuard', { metadata: { annotations: { 'boathook.dev/paused': null } } });
  await world.settle();
  expect(envOf(await world.get(deployments, child))['VARIABLE1']).toBe('later');
});

test('a list in which nothing changed starts nothing; after resyncPeriod one reconciliation does', async () => {
  await using world = await openRegistrationWorld({ controlled: false });
  const way = relisting();
  await world.control({ around: (direct) => way.around(direct) });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, { resyncPeriod: 'PT10M' }) }));
  for (const name of ['a', 'b', 'c']) await world.make(kuards, kuard(usualSpec, name));
  for (const name of ['a', 'b', 'c']) await world.until(() => isReady(world, name));
  const [asked, written] = [world.hook.asked.length, world.writes.length];
  const before = world.requests.length;
  way.lose();
  await world.pass(30, 5);
  const lists = world.requests
    .slice(before)
    .filter(({ method, query }) => method === 'GET' && query.includes('limit='));
  expect(lists.some(({ path }) => path.endsWith('/kuards'))).toBe(true);
  expect(lists.some(({ path }) => path.endsWith('/deployments'))).toBe(true);
  expect(world.hook.asked.length - asked).toBe(0);
  expect(world.writes.slice(written)).toEqual([]);
  await world.pass(590, 5);
  expect(world.hook.asked.length - asked).toBe(6);
  expect(world.writes.slice(written)).toEqual([]);
});

test('a new process writes nothing that is already there', async () => {
  await using world = await openRunning({ parameters: { global: { defaultPrefix: 'K_' } } });
  const version = resourceVersionOf((await world.get(deployments, child)) ?? {});
  await world.stop();
  const written = world.writes.length;
  await world.control();
  await world.settle();
  expect(world.writes.slice(written)).toEqual([]);
  expect(resourceVersionOf((await world.get(deployments, child)) ?? {})).toBe(version);
});

test('a gate lets children be applied only after its verdict', async () => {
  await using world = await openRegistrationWorld();
  let age = 40;
  world.hook.answer = () => ({ age });
  const templates = {
    group: 'tkex.tencent.com',
    version: 'v1alpha1',
    plural: 'hooktemplates',
    namespaced: true,
  };
  const runs = { ...templates, plural: 'hookruns' };
  await world.make(definitions, definition());
  await world.make(registrations, registration({ more: { gate: { templateName: 'age' } } }));
  await world.make(kuards, kuard());
  await world.settle();
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('Unknown GATEWAITING');
  await world.make(templates, {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 'age', namespace: 'default' },
    spec: {
      metrics: [
        {
          name: 'age',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url: `${world.hook.url}/age`, jsonPath: '{$.age}' } },
        },
      ],
    },
  });
  await world.until(
    async () => conditionsOf(await world.instance())['Reconciled'] === 'False GATECLOSED',
    60,
  );
  expect(await world.get(deployments, child)).toBeUndefined();
  age = 20;
  const listed = await world.client.list(runs, { namespace: 'default' }, never);
  const [run] = listed.type === 'ok' ? listed.items : [];
  await world.remove(runs, textAt(run, 'metadata', 'name') ?? '');
  await world.until(() => isReady(world), 20);
  expect(await world.get(deployments, child)).toBeDefined();
});
