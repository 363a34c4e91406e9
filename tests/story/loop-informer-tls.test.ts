import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { listen, type Listening } from '#edge/http/listen.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { undiciTransport } from '#edge/kube/undici-transport.ts';
import { Secret } from '#edge/secret.ts';
import { startServer, type TestServer } from '#edge/testing/server.ts';
import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import { nameOf, resourceVersionOf } from '#kube/object.ts';
import type { Delta } from '#loop/delta.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import {
  configMap,
  configMaps,
  never,
  openLoopCluster,
  turn,
  type LoopCluster,
} from '../support/loop-cluster.ts';

type OverTls = AsyncDisposable & { readonly client: KubeClient };

function connect(server: TestServer, cluster: LoopCluster): OverTls {
  const { ca, admin } = server.certificates;
  const certificate = { certificate: admin.certificate, key: new Secret(admin.key) };
  const user = { certificate, login: { type: 'none' }, impersonate: undefined } as const;
  const access = {
    server: server.url,
    ca,
    insecure: false,
    serverName: undefined,
    namespace: 'default',
    user,
  };
  const opened = undiciTransport(access, systemClock, { terminal: false, env: {} });
  const client = createClient({
    transport: opened.transport,
    clock: cluster.clock,
    userAgent: 'loop-test',
    pageSize: 2,
  });
  return { client, [Symbol.asyncDispose]: () => opened.close() };
}

/** A server in front of the real one whose open streams can be torn, or fall silent for good. */
function tearable(serve: Serve): { readonly serve: Serve; tear(): void; hush(): void; watches(): number } {
  let torn = new AbortController();
  let silences = 0;
  let watches = 0;
  const through = (answer: ApiResponse): ApiResponse => {
    if (answer.body.type !== 'stream') return answer;
    watches += 1;
    const { stream, cut } = answer.body;
    return {
      ...answer,
      body: { type: 'stream', stream: muted(stream), cut: AbortSignal.any([cut, torn.signal]) },
    };
  };
  async function* muted(stream: AsyncIterable<string>): AsyncGenerator<string> {
    const begun = silences;
    for await (const text of stream) if (begun === silences) yield text;
  }
  return {
    serve: async (request: ApiRequest) => through(await serve(request)),
    tear() {
      torn.abort(new Error('torn'));
      torn = new AbortController();
    },
    hush: () => void (silences += 1),
    watches: () => watches,
  };
}

type Followed = AsyncDisposable & { readonly informer: Informer; readonly told: string[] };

function follow(client: KubeClient, cluster: LoopCluster): Followed {
  const random = seededRandom(1);
  const informer = createInformer({
    client,
    clock: cluster.clock,
    random,
    resource: configMaps,
    namespace: 'default',
  });
  const told: string[] = [];
  informer.subscribe(({ type, object }: Delta) => told.push(`${type} ${nameOf(object)}`));
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  return {
    informer,
    told,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('over'));
      await running;
    },
  };
}

/** Real sockets need real turns, however many; the clock moves only on request. */
async function eventually(isTrue: () => boolean, each: () => void = () => undefined): Promise<void> {
  while (!isTrue()) {
    each();
    await turn();
  }
}

const make = (cluster: LoopCluster, name: string): Promise<unknown> =>
  cluster.client.create(configMaps, configMap(name), never);

test('torn connections lose nothing and repeat nothing', async () => {
  await using cluster = await openLoopCluster();
  for (const name of ['a', 'b', 'c']) await make(cluster, name);
  const served = tearable(cluster.serve);
  await using server = await startServer(served.serve);
  await using remote = connect(server, cluster);
  await using run = follow(remote.client, cluster);
  await run.informer.synced;
  for (const name of ['d', 'e', 'f']) {
    await eventually(() => served.watches() > 0);
    served.tear();
    await make(cluster, name);
    await eventually(
      () => run.informer.get('default', name) !== undefined,
      () => cluster.clock.advance(seconds(1)),
    );
  }
  expect(run.told).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `added ${name}`));
});

test('a connection that falls silent is noticed within half a minute', async () => {
  await using cluster = await openLoopCluster();
  const served = tearable(cluster.serve);
  await using server = await startServer(served.serve);
  await using remote = connect(server, cluster);
  await using run = follow(remote.client, cluster);
  await eventually(() => served.watches() === 1);
  served.hush();
  await make(cluster, 'a');
  for (let i = 0; i < 20; i += 1) await turn();
  expect(run.told).toEqual([]);
  const began = cluster.clock.now();
  await eventually(
    () => run.told.length === 1,
    () => cluster.clock.advance(seconds(1)),
  );
  expect(cluster.clock.now() - began).toBeLessThanOrEqual(seconds(30));
  expect(run.told).toEqual(['added a']);
});

test('a watch continues after a restart of the server', async () => {
  await using cluster = await openLoopCluster();
  await make(cluster, 'a');
  await using server = await startServer(cluster.serve);
  await using remote = connect(server, cluster);
  await using run = follow(remote.client, cluster);
  await run.informer.synced;
  await server.close();
  await make(cluster, 'b');
  for (let i = 0; i < 20; i += 1) {
    cluster.clock.advance(seconds(20));
    await turn();
  }
  expect(run.told).toEqual(['added a']);
  const again = await reopen(server, cluster.serve);
  await eventually(
    () => run.told.length === 2,
    () => cluster.clock.advance(seconds(1)),
  );
  expect(run.told).toEqual(['added a', 'added b']);
  const listed = await cluster.client.list(configMaps, { namespace: 'default' }, never);
  const truth = listed.type === 'ok' ? listed.items.map(resourceVersionOf) : [];
  expect(run.informer.list().map(resourceVersionOf)).toEqual(truth);
  await again.close();
});

const reopen = ({ port, certificates: { ca, server } }: TestServer, serve: Serve): Promise<Listening> =>
  listen({ serve, host: '127.0.0.1', port, tls: { ca, server }, report: () => undefined });
