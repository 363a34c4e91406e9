import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { systemClock } from '#edge/clock.ts';
import { MetadataInformers } from '#embedded/controllers/metadata/metadata-informers.ts';
import { resourceName } from '#embedded/controllers/metadata/discovered-resource.ts';
import { keyOf } from '#loop/delta.ts';
import { pods } from '#loop/owned/resources.ts';
import { shareInformers } from '#loop/shared-informers.ts';
import { openServer, type OpenServer } from '../support/open-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ships = (version: string): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ships.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ships', singular: 'ship', kind: 'Ship', listKind: 'ShipList' },
    versions: [
      { name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
});

const admin = { user: 'a', groups: ['system:masters'] };

test('resources of all kinds are followed, custom ones as they come and go', async () => {
  await using server = await openServer({ controllers: ['serviceaccount'] });
  await server.embedded.ready;
  const transport = inProcessTransport(server.embedded.server.serve, admin);
  const client = createClient({ transport, clock: systemClock, userAgent: 'test' });
  const deps = { client, clock: systemClock, random: seededRandom(1), report: () => undefined };
  const informers = shareInformers(deps);
  const podInformer = informers.informer({ resource: pods });
  const stop = new AbortController();
  const metadata = new MetadataInformers({ ...deps, informers });
  const seen: string[] = [];
  const heard = new Set<() => void>();
  metadata.subscribe(({ resource, delta }) => {
    seen.push(
      `${delta.type} ${resourceName(resource)} ${keyOf(delta.object)} ${JSON.stringify(Object.keys(delta.object))}`,
    );
    for (const each of heard) each();
  });
  const until = (part: string): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = seen.find((each) => each.includes(part));
        if (found !== undefined) resolve(found);
      };
      heard.add(look);
      look();
    });
  await server.create('/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'm', annotations: { a: 'b' } },
    data: { large: 'x' },
  });
  const running = [informers.run(stop.signal), metadata.run(stop.signal)];
  await metadata.synced;

  expect(await until('added configmaps. default/m')).toContain('["metadata"]');
  expect(metadata.resources().filter(({ plural }) => plural === 'events')).toHaveLength(1);
  expect(metadata.find('apps', 'Deployment')).toMatchObject({ version: 'v1', namespaced: true });
  expect(metadata.find('example.com', 'Ship')).toBeUndefined();

  // Whole pods are there for another controller: the informer is shared.
  await server.create('/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  expect(await until('added pods. default/p')).toContain('"spec"');
  expect(podInformer.get('default', 'p')).toBeDefined();

  await server.create(definitions, ships('v1'));
  await until('customresourcedefinitions.apiextensions.k8s.io ships.example.com');
  await server.until('/apis/example.com/v1/ships', ({ status }) => status === 200);
  await server.create('/apis/example.com/v1/namespaces/default/ships', {
    apiVersion: 'example.com/v1',
    kind: 'Ship',
    metadata: { name: 's' },
  });
  await until('added ships.example.com default/s');
  expect(metadata.find('example.com', 'Ship')).toMatchObject({ version: 'v1' });

  await server.request('DELETE', `${definitions}/ships.example.com`);
  await until('deleted ships.example.com default/s');
  await until('deleted customresourcedefinitions.apiextensions.k8s.io ships.example.com');
  expect(metadata.find('example.com', 'Ship')).toBeUndefined();
  stop.abort(new Error('over'));
  await Promise.all(running);
});

async function removeShips(server: OpenServer): Promise<void> {
  await server.request('DELETE', `${definitions}/ships.example.com`);
  await server.until(`${definitions}/ships.example.com`, ({ status }) => status === 404);
}

test.for(['/apis/example.com/v1', definitions, '/apis/example.com/v1/ships'])(
  'nobody waits for a definition that goes right before the request for %s',
  async (path) => {
    await using server = await openServer({ controllers: ['serviceaccount'] });
    await server.create(definitions, ships('v1'));
    await server.until('/apis/example.com/v1/ships', ({ status }) => status === 200);
    const direct = inProcessTransport(server.embedded.server.serve, admin);
    const gone = Promise.withResolvers<void>();
    let isRemoved = false;
    const transport: Transport = async (request) => {
      if (request.path === path && !isRemoved) {
        isRemoved = true;
        await removeShips(server);
        gone.resolve();
      }
      if (request.path === '/apis/example.com/v1/ships') await gone.promise;
      return direct(request);
    };
    const reports: string[] = [];
    const client = createClient({ transport, clock: systemClock, userAgent: 'test' });
    const report = (message: string): void => void reports.push(message);
    const deps = { client, clock: systemClock, random: seededRandom(1), report };
    const informers = shareInformers(deps);
    const metadata = new MetadataInformers({ ...deps, informers });
    const stop = new AbortController();
    const running = [informers.run(stop.signal), metadata.run(stop.signal)];
    await metadata.synced;
    expect(isRemoved).toBe(true);
    expect(metadata.find('example.com', 'Ship')).toBeUndefined();
    expect(metadata.find('', 'ConfigMap')).toBeDefined();
    expect(reports).not.toContain('the resources of the server cannot be discovered');
    stop.abort(new Error('over'));
    await Promise.all(running);
  },
);
