import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { uidOf } from '#kube/object.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  configMaps,
  definitions,
  deploymentNames,
  deployments,
  isReady,
  knativeServices,
  kuards,
  openRegistrationWorld,
  registrations,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

/** The way to the server, on which the lists of former children can be lost. */
type Trouble = { isOn: boolean; lost: number; readonly around: (direct: Transport) => Transport };

const isFormerList = ({ method, path, query }: TransportRequest): boolean =>
  method === 'GET' &&
  /\/(deployments|services|serviceaccounts)$/.test(path) &&
  decodeURIComponent(query).includes('app.kubernetes.io/name!=');
const isListOfKnative = ({ method, path, query }: TransportRequest): boolean =>
  method === 'GET' && path.endsWith('serving.knative.dev/v1/services') && !query.includes('watch');

const lost = (): Transport => () => Promise.reject(new Error('the connection was lost'));

function troubleWith(
  isMeant: (request: TransportRequest) => boolean,
  instead: (direct: Transport) => Transport = lost,
): Trouble {
  const trouble: Trouble = {
    isOn: false,
    lost: 0,
    around: (direct) => (request) => {
      if (!trouble.isOn || !isMeant(request)) return direct(request);
      trouble.lost += 1;
      return instead(direct)(request);
    },
  };
  return trouble;
}

const reportsOf = ({ reports }: RegistrationWorld): readonly string[] =>
  reports.filter((each) => each.startsWith('children of former registrations could not be listed'));

async function openServed(trouble: Trouble): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld({ controlled: false });
  await world.control({ around: trouble.around });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  return world;
}

async function makeSuccessor(world: RegistrationWorld): Promise<void> {
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined);
  await world.make(registrations, registration({ name: 'second', hook: hookAt(world.hook.url) }));
  await world.until(async () => (await world.get(deployments, 'second-my-kuard')) !== undefined, 60);
  await world.until(() => isReady(world));
}

/** Deployments that look like children: of nobody, and of an object of another kind. */
async function makeBystanders(world: RegistrationWorld): Promise<void> {
  const labels = {
    app: 'other',
    'app.kubernetes.io/component': 'workload',
    'app.kubernetes.io/managed-by': 'scoby-controller',
    'app.kubernetes.io/name': 'other',
    'app.kubernetes.io/part-of': 'scoby-component',
  };
  const metadata = { name: 'my-kuard', namespace: 'default' };
  const owner = await world.make(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const controller = { apiVersion: 'v1', kind: 'ConfigMap', name: 'my-kuard', uid: uidOf(owner) };
  const make = (name: string, more: JsonObject): Promise<unknown> =>
    world.make(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'default', labels, ...more },
      spec: {
        selector: { matchLabels: { app: 'other' } },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    });
  await make('of-nobody', {});
  await make('of-another', { ownerReferences: [{ ...controller, controller: true }] });
}

test('children of a former registration go although the lists of them were lost, and those of others stay', async () => {
  const trouble = troubleWith(isFormerList);
  await using world = await openServed(trouble);
  await makeBystanders(world);
  trouble.isOn = true;
  await makeSuccessor(world);
  expect(await deploymentNames(world)).toEqual([
    'kuard-my-kuard',
    'of-another',
    'of-nobody',
    'second-my-kuard',
  ]);
  trouble.isOn = false;
  await world.until(async () => (await world.get(deployments, 'kuard-my-kuard')) === undefined, 60);
  await world.until(async () => (await world.get(services, 'kuard-my-kuard')) === undefined, 60);
  await world.settle();
  expect(await deploymentNames(world)).toEqual(['of-another', 'of-nobody', 'second-my-kuard']);
  const { length } = world.requests;
  await world.pass(180, 10);
  expect(world.requests.slice(length).filter(isFormerList)).toEqual([]);
});

test('a list of former children that is forbidden is reported once, tried ever more rarely, and works once it is allowed', async () => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden' };
  const answer = JSON.stringify({ ...status, message: 'deployments.apps is forbidden' });
  const trouble = troubleWith(
    (request) => isFormerList(request) && request.path.endsWith('/deployments'),
    (direct) => async (request) => ({
      ...(await direct(request)),
      status: 403,
      text: () => Promise.resolve(answer),
    }),
  );
  await using world = await openServed(trouble);
  trouble.isOn = true;
  await makeSuccessor(world);
  await world.pass(600, 5);
  expect(reportsOf(world)).toEqual([
    'children of former registrations could not be listed {"registration":"second","kind":"Deployment","why":"deployments.apps is forbidden"}',
  ]);
  expect(trouble.lost).toBeGreaterThan(10);
  expect(trouble.lost).toBeLessThan(20);
  expect(await world.get(services, 'kuard-my-kuard')).toBeUndefined();
  expect(await deploymentNames(world)).toEqual(['kuard-my-kuard', 'second-my-kuard']);
  trouble.isOn = false;
  await world.until(async () => (await world.get(deployments, 'kuard-my-kuard')) === undefined, 100);
});

test('a registration that is deleted looks for no former children any more', async () => {
  const trouble = troubleWith(isFormerList);
  await using world = await openServed(trouble);
  trouble.isOn = true;
  await makeSuccessor(world);
  await world.remove(registrations, 'second');
  await world.until(async () => (await world.get(registrations, 'second')) === undefined);
  const { lost } = trouble;
  await world.pass(180, 10);
  expect(trouble.lost).toBe(lost);
});

test('the Knative Service of a former form factor goes although the list of them was lost', async () => {
  const trouble = troubleWith(isListOfKnative);
  await using world = await openRegistrationWorld({ controlled: false });
  await world.control({ around: trouble.around });
  const knative = definition({ plural: 'services', kind: 'Service' });
  await world.make(definitions, {
    ...knative,
    metadata: { name: 'services.serving.knative.dev' },
    spec: { ...(knative['spec'] as object), group: 'serving.knative.dev' },
  });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ formFactor: { knativeService: {} } }));
  await world.make(kuards, kuard());
  await world.until(async () => (await world.get(knativeServices, 'kuard-my-kuard')) !== undefined);
  trouble.isOn = true;
  await world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { knativeService: null, deployment: {} } } },
  });
  await world.until(async () => (await world.get(deployments, 'kuard-my-kuard')) !== undefined, 30);
  await world.until(() => trouble.lost > 2, 30);
  expect(await world.get(knativeServices, 'kuard-my-kuard')).toBeDefined();
  trouble.isOn = false;
  await world.until(async () => (await world.get(knativeServices, 'kuard-my-kuard')) === undefined, 30);
  expect(await deploymentNames(world)).toEqual(['kuard-my-kuard']);
});
