import { controlOn, loadControllers } from '#cli/start-controllers.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '#cli/kinds.ts';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { machineIo } from '#machines/cli/objects/machine-io.ts';
import { controlClients } from '#command/control-clients.ts';
import { clusters, machines, secrets } from '#machines/kinds/resources.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { KubeObject } from '#kube/object.ts';
import { never } from '../support/hooks-world.ts';
import { clusterOf, machineOf } from '../support/machine-objects-world.ts';
import { startServer } from '../support/test-server.ts';
import { turn } from '../support/turn.ts';

const start = Date.UTC(2026, 0, 5, 12);

/** The controllers of Clusters and Machines with real files, on a clock of the test's. No machine may be reached. */
async function openWorld() {
  const folder = tempDir();
  const root = join(folder.path, 'root');
  mkdirSync(root);
  const clock = manualClock(start);
  const contacted: string[] = [];
  const io = machineIo({ filesRoot: root, dataDir: join(folder.path, 'data') });
  const { embedded } = await startServer({
    clock,
    seed: 3,
    kinds,
    control: controlOn({
      names: new Set(['cluster', 'machine']),
      loaded: await loadControllers(['cluster', 'machine']),
      outgoing: () => Promise.reject(new Error('nobody is asked here')),
      hmac: hmacSha256Hex,
      machines: {
        ...io,
        open({ cluster }) {
          contacted.push(cluster);
          throw new Error('machines are out of reach');
        },
      },
    }),
  });
  await embedded.ready;
  const admin = { user: 'admin', groups: ['system:masters'] };
  const { client } = controlClients(inProcessTransport(embedded.server.serve, admin), clock);
  const ok = (outcome: Outcome): KubeObject => {
    if (outcome.type !== 'ok') throw new Error(outcome.message);
    return outcome.object;
  };
  const world = {
    root,
    clock,
    contacted,
    create: async (resource: Resource, object: JsonObject) =>
      ok(await client.create(resource, object, never)),
    get: async (resource: Resource, name: string) => ok(await client.get(resource, { name }, never)),
    patch: async (resource: Resource, name: string, body: JsonObject) => {
      const key = { name, ...(resource.namespaced && { namespace: 'default' }) };
      return ok(await client.patch(resource, key, { type: 'merge', body }, never));
    },
    /** Lets everything happen until it is as wanted; files are read in real time. */
    async until(resource: Resource, name: string, fits: (object: KubeObject) => boolean) {
      for (let turns = 0; turns < 20_000; turns += 1) {
        const object = await world.get(resource, name);
        if (fits(object)) return object;
        await turn();
      }
      throw new Error(
        `${name} is never as wanted: ${JSON.stringify((await world.get(resource, name))['status'])}`,
      );
    },
    /** Lets time pass until the next try, and returns how long that was. */
    async nextTry(name: string): Promise<number> {
      const before = await world.get(clusters, name);
      const failures = failuresOf(before);
      const wait = Date.parse(textAt(before, 'status', 'operation', 'retryAt') ?? '') - clock.now();
      clock.advance(seconds(wait / 1000));
      await world.until(clusters, name, (object) => failuresOf(object) !== failures);
      return wait / 1000;
    },
    async [Symbol.asyncDispose]() {
      await embedded.close();
      folder[Symbol.dispose]();
    },
  };
  return world;
}

const failuresOf = (object: KubeObject): Json | undefined =>
  (object as { status?: { operation?: { failures?: number } } }).status?.operation?.failures;
const condition = (object: KubeObject, type: string): Json | undefined =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type);
const message = (object: KubeObject): string => textAt(object, 'status', 'message') ?? '';
const features = { files: [{ src: 'pre', dst: '/h/pre' }], hooks: { PreInstall: '/h/pre' } };

test('a source that is missing hangs in EnsureCopyFiles with growing pauses; no machine is contacted before it is there', async () => {
  await using world = await openWorld();
  await world.create(clusters, clusterOf('cls-1', ['192.0.2.1'], features));
  const hanging = await world.until(clusters, 'cls-1', (object) => message(object) !== '');
  expect(condition(hanging, 'EnsureCopyFiles')).toMatchObject({
    status: 'False',
    reason: 'FailedInit',
    message: `/spec/features/files/0/src: the source ${world.root}/pre does not exist`,
  });
  expect(condition(hanging, 'Ready')).toMatchObject({ status: 'False', reason: 'InvalidSpec' });
  const pauses: number[] = [];
  for (let tries = 0; tries < 4; tries += 1) pauses.push(Math.round(await world.nextTry('cls-1')));
  expect(pauses).toEqual([1, 2, 4, 8]);
  expect(world.contacted).toEqual([]);
  writeFileSync(join(world.root, 'pre'), '#!/bin/sh\n');
  world.clock.advance(seconds(16));
  await world.until(clusters, 'cls-1', () => world.contacted.length > 0);
});

test('any change of the spec tries at once', async () => {
  await using world = await openWorld();
  await world.create(clusters, clusterOf('cls-1', ['192.0.2.1'], features));
  await world.until(clusters, 'cls-1', (object) => message(object) !== '');
  for (let tries = 0; tries < 3; tries += 1) await world.nextTry('cls-1');
  await world.patch(clusters, 'cls-1', { spec: { features: { hooks: { PreInstall: '/h/post' } } } });
  const now = await world.until(clusters, 'cls-1', (object) => message(object).includes('/h/post'));
  expect(condition(now, 'EnsurePreInstallHook')).toMatchObject({
    status: 'False',
    message: expect.stringContaining('"/h/post" is not delivered by spec.features.files') as string,
  });
  expect(world.contacted).toEqual([]);
});

test('a Secret that is missing, of the wrong type or empty is reported; once fixed, it is read at the next try', async () => {
  await using world = await openWorld();
  writeFileSync(join(world.root, 'pre'), '#!/bin/sh\n');
  const machine = { ip: '192.0.2.1', credentialsFrom: { name: 'login', namespace: 'default' } };
  await world.create(clusters, clusterOf('cls-1', [], features, { machines: [machine] }));
  const missing = await world.until(clusters, 'cls-1', (object) => message(object) !== '');
  expect(message(missing)).toBe(
    '/spec/machines/0/credentialsFrom: the Secret default/login cannot be read: secrets "login" not found',
  );
  const login = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'default' } };
  const type = 'boathook.dev/machine-credentials';
  await world.create(secrets, { ...login, type, data: { username: btoa('root') } });
  await world.nextTry('cls-1');
  expect(message(await world.get(clusters, 'cls-1'))).toBe(
    '/spec/machines/0/credentialsFrom: the Secret default/login has neither a password nor a privateKey: give it one of these keys',
  );
  expect(world.contacted).toEqual([]);
  await world.patch(secrets, 'login', { data: { password: btoa('x') } });
  world.clock.advance(seconds(5));
  await world.until(clusters, 'cls-1', () => world.contacted.length > 0);
});

test('a Machine waits for its Cluster, which is named, and is deleted at once when nothing was begun', async () => {
  await using world = await openWorld();
  await world.create(machines, machineOf('mc-1', 'cls-1', '192.0.2.2'));
  const alone = await world.until(machines, 'mc-1', (object) => message(object) !== '');
  expect(alone).toMatchObject({ status: { phase: 'Initializing', reason: 'ClusterMissing' } });
  expect(message(alone)).toBe('The Cluster cls-1 does not exist: create it.');
  await world.create(clusters, clusterOf('cls-1', ['192.0.2.1'], features));
  const waiting = await world.until(machines, 'mc-1', (object) => message(object).includes('Initializing'));
  expect(waiting).toMatchObject({ status: { reason: 'ClusterNotReady' } });
  expect(world.contacted).toEqual([]);
});
