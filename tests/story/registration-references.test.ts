import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { definition, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  kuards,
  messageOf,
  openRegistrationWorld,
  registrations,
  secrets,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const parameters = {
  fromSpec: {
    toEnv: [{ path: 'spec.sink', name: 'K_SINK', valueFrom: { builtInFunc: { name: 'resolveAddress' } } }],
  },
};
const status = { add: [{ path: 'status.sinkUri', valueFrom: { path: 'spec.sink' } }] };

/** A cluster in which another tenant has a Service and a Secret. */
async function openWithNeighbour(more: JsonObject = {}): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } });
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'vault', namespace: 'bank' },
    spec: { ports: [{ port: 7443 }] },
  });
  await world.make(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'bank' },
    stringData: { key: 'value' },
  });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ parameters, status, more }));
  return world;
}

/** The message of the condition about a reference, after the instance was reconciled with it. */
async function messageFor(world: RegistrationWorld, name: string, ref: JsonObject): Promise<string> {
  await world.make(kuards, kuard({ sink: { ref } }, name));
  await world.until(async () => conditionsOf(await world.instance(name))['Reconciled'] !== undefined);
  return messageOf(await world.instance(name), 'Reconciled');
}

const askedFor = (world: RegistrationWorld, path: string): readonly string[] =>
  world.requests.map((each) => `${each.path}?${each.query}`).filter((each) => each.includes(path));

test('an instance cannot read what lies in another namespace, nor learn whether it is there', async () => {
  await using world = await openWithNeighbour();
  const refs = [
    { kind: 'Service', namespace: 'bank', name: 'vault' },
    { kind: 'Service', namespace: 'bank', name: 'nothing' },
    { kind: 'Secret', namespace: 'bank', name: 'key' },
    { kind: 'Secret', namespace: 'bank', name: 'nothing' },
  ];
  for (const [i, ref] of refs.entries()) {
    const message = await messageFor(world, `k${i}`, ref);
    expect(message).toBe(
      `spec.sink: ${ref.kind} bank/${ref.name} is not in namespace default: list bank in spec.referenceNamespaces of registration kuard to allow it`,
    );
    expect(conditionsOf(await world.instance(`k${i}`))).toMatchObject({
      Reconciled: 'False REFERENCEREFUSED',
      Ready: 'False CONDITIONSNOTOK',
    });
    expect(await world.get(deployments, `kuard-k${i}`)).toBeUndefined();
    expect(await world.told(`k${i}`)).toContain(`Warning ReferenceRefused ${message}`);
  }
  expect(askedFor(world, '/namespaces/bank/')).toEqual([]);
});

test('a namespace that the registration lists may be referred to, and one that it lists no more may not', async () => {
  await using world = await openWithNeighbour({ referenceNamespaces: ['bank'] });
  await world.make(kuards, kuard({ sink: { ref: { kind: 'Service', namespace: 'bank', name: 'vault' } } }));
  await world.until(async () => (await world.get(deployments, child)) !== undefined);
  expect(envOf(await world.get(deployments, child))['K_SINK']).toBe(
    'http://vault.bank.svc.cluster.local:7443',
  );
  await world.patch(registrations, 'kuard', { spec: { referenceNamespaces: null } });
  await world.until(
    async () => conditionsOf(await world.instance())['Reconciled'] === 'False REFERENCEREFUSED',
  );
  await world.patch(registrations, 'kuard', { spec: { referenceNamespaces: ['*'] } });
  await world.until(async () => conditionsOf(await world.instance())['Reconciled'] === undefined);
});

test('objects that can have no address are not read, in any namespace', async () => {
  await using world = await openWithNeighbour({ referenceNamespaces: ['*'] });
  for (const [i, kind] of ['Secret', 'Namespace', 'Node'].entries()) {
    const message = await messageFor(world, `k${i}`, { kind, namespace: 'default', name: 'any' });
    expect(message).toBe(
      `spec.sink: a ${kind} of v1 has no address: refer to a Service, or to an object with status.address.url`,
    );
  }
  expect(askedFor(world, '/secrets/any')).toEqual([]);
  expect(askedFor(world, 'metadata.name')).toEqual([]);
});

test('objects outside of namespaces are read only where the registration allows all namespaces', async () => {
  await using world = await openWithNeighbour();
  const broker = (base: JsonObject): JsonObject => ({ ...base, scope: 'Cluster' });
  const base = definition({
    plural: 'brokers',
    kind: 'Broker',
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  });
  await world.make(definitions, { ...base, spec: broker(base['spec'] as JsonObject) });
  const brokers = { group: 'extensions.triggermesh.io', version: 'v1', plural: 'brokers', namespaced: false };
  const apiVersion = 'extensions.triggermesh.io/v1';
  await world.make(brokers, { apiVersion, kind: 'Broker', metadata: { name: 'main' } });
  await world.patch(brokers, 'main', { status: { address: { url: 'http://192.0.2.7/main' } } });
  const of = (name: string): JsonObject => ({ apiVersion, kind: 'Broker', name });
  const there = await messageFor(world, 'k1', of('main'));
  const gone = await messageFor(world, 'k2', of('nothing'));
  expect(there.replaceAll('main', 'X')).toBe(gone.replaceAll('nothing', 'X'));
  expect(there).toContain("'*' in spec.referenceNamespaces of registration kuard");
  expect(askedFor(world, '/brokers')).toEqual([]);
  expect(conditionsOf(await world.instance('k1'))['Ready']).not.toMatch(/^True/);
});

test.for(['..', 'a/b', 'a%2fb', 'A b', ''])('a name that is no name is refused: %j', async (name) => {
  await using world = await openWithNeighbour({ referenceNamespaces: ['*'] });
  const message = await messageFor(world, 'k', { kind: 'Service', name });
  expect(message).toMatch(/^spec\.sink/);
  expect(conditionsOf(await world.instance('k'))['Reconciled']).toBe('False RENDERFAILED');
  expect(message).toContain('ref.name');
});
