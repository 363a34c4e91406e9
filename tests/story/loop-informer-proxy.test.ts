import { once } from 'node:events';
import { connect as connectPlain, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { createClient } from '#edge/kube/client.ts';
import { undiciTransport } from '#edge/kube/undici-transport.ts';
import { Secret } from '#edge/secret.ts';
import { startServer } from '#edge/testing/server.ts';
import { createInformer } from '#loop/informer.ts';
import { configMap, configMaps, never, openLoopCluster, turn } from '../support/loop-cluster.ts';

type Proxy = AsyncDisposable & {
  readonly port: number;
  /** From now on nothing passes through the connections that are open; none of them is closed. */
  stall(): void;
};

/** A TCP proxy, as load balancers are, that can lose what it knows of its connections. */
async function openProxy(target: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const onward = connectPlain(target, '127.0.0.1');
    for (const each of [client, onward]) each.on('error', () => undefined);
    client.pipe(onward).pipe(client);
    pairs.add([client, onward]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      for (const [client, onward] of pairs) {
        client.unpipe(onward).on('data', () => undefined);
        onward.unpipe(client).on('data', () => undefined);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const [client, onward] of pairs) {
        client.destroy();
        onward.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

test('a proxy that stops forwarding without closing hides nothing for longer than half a minute', async () => {
  await using cluster = await openLoopCluster();
  await using server = await startServer(cluster.serve);
  await using proxy = await openProxy(server.port);
  const { ca, admin } = server.certificates;
  const certificate = { certificate: admin.certificate, key: new Secret(admin.key) };
  const reached = undiciTransport(
    {
      server: `https://127.0.0.1:${proxy.port}`,
      ca,
      insecure: false,
      serverName: undefined,
      namespace: 'default',
      user: { certificate, login: { type: 'none' }, impersonate: undefined },
    },
    systemClock,
    { terminal: false, env: {} },
  );
  const { clock } = cluster;
  const client = createClient({ transport: reached.transport, clock, userAgent: 'story' });
  const informer = createInformer({ client, clock, random: seededRandom(1), resource: configMaps });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await informer.synced;
  // What came after the list came through the watch: it is open.
  await cluster.client.create(configMaps, configMap('before'), never);
  while (informer.get('default', 'before') === undefined) await turn();
  proxy.stall();
  await cluster.client.create(configMaps, configMap('after'), never);
  const began = clock.now();
  while (informer.get('default', 'after') === undefined) {
    expect(clock.now() - began).toBeLessThanOrEqual(seconds(30));
    // Real sockets need real turns, however many; only then does time pass.
    for (let i = 0; i < 200; i += 1) await turn();
    clock.advance(seconds(1));
  }
  stop.abort(new Error('over'));
  await running;
  await reached.close();
});
