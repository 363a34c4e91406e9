import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { shardOf } from '#loop/shards/shard.ts';
import { launchBoathook, startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import type { Following } from '../support/program.ts';

const controller = (server: Boathook, name: string): Following =>
  launchBoathook([
    'controller',
    `--kubeconfig=${server.kubeconfig}`,
    `--identity=${name}`,
    '--shards=2',
    '--outgoing-allow=127.0.0.0/8',
  ]);

async function terminalOf(server: Boathook): Promise<Terminal> {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  return openTerminal(newest, server, 'default');
}

/** A hook that passes, and counts how often each Idempotency-Key was sent. */
async function startHook(): Promise<
  { readonly port: number; readonly calls: ReadonlyMap<string, number> } & AsyncDisposable
> {
  const calls = new Map<string, number>();
  const hook = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    calls.set(key, (calls.get(key) ?? 0) + 1);
    response.setHeader('content-type', 'application/json').end('{"age":25}');
  });
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (hook.address() as AddressInfo).port,
    calls,
    async [Symbol.asyncDispose]() {
      hook.closeAllConnections();
      hook.close();
      await once(hook, 'close');
    },
  };
}

const template = (port: number): object => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'age' },
  spec: {
    metrics: [
      {
        name: 'age',
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: `http://127.0.0.1:${port}/`, jsonPath: '{$.age}' } },
      },
    ],
  },
});

const workload = (name: string, tag: number): object => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    updateStrategy: {
      type: 'InplaceUpdate',
      canary: { steps: [{ partition: 1 }, { hook: { templateName: 'age' } }] },
    },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: `app:${tag}` }] },
    },
  },
});

/** Names of workloads, three in each shard. */
const namesIn = (index: number): readonly string[] =>
  Array.from({ length: 40 }, (_, number) => `shop-${number}`)
    .filter((name) => shardOf(`default/${name}`, 2) === index)
    .slice(0, 3);

/** Resolves when these workloads are released with this image. */
async function complete(kubectl: Terminal, names: readonly string[], tag: number): Promise<void> {
  for (;;) {
    const listed = JSON.parse(await kubectl.run(['get', 'gamedeployments', '-o', 'json'])) as JsonObject;
    const done = listAt(listed, 'items').filter((each) => isReleased(each, tag));
    if (names.every((name) => done.some((each) => textAt(each, 'metadata', 'name') === name))) return;
  }
}

const isReleased = (object: Json, tag: number): boolean =>
  textAt(object, 'status', 'phase') === 'Complete' &&
  numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation') &&
  textAt(listAt(object, 'spec', 'template', 'spec', 'containers')[0], 'image') === `app:${tag}`;

test('two processes share the objects; one is killed, the other takes over when its Lease has expired, and nothing is done twice', async () => {
  await using server = await startBoathook({
    flags: [...wholeCluster, '--controllers', 'none', '--profile', 'instant'],
  });
  await using hook = await startHook();
  const kubectl = await terminalOf(server);
  const apply = (objects: readonly object[]): Promise<string> =>
    kubectl.run(['apply', '-f', '-'], {
      stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    });
  await using first = controller(server, 'first');
  await first.lineLike(/^running shard 1 of 2/);
  // The first one gives up a shard for it.
  await using second = controller(server, 'second');
  await second.lineLike(/^running shard 1 of 2/);
  const [dead, living] = [namesIn(0), namesIn(1)];
  const all = [...dead, ...living];
  await apply([template(hook.port), ...all.map((name) => workload(name, 1))]);
  await complete(kubectl, all, 1);
  await apply(all.map((name) => workload(name, 2)));
  await complete(kubectl, all, 2);
  const killed = performance.now();
  await first.stop('SIGKILL');
  await apply(all.map((name) => workload(name, 3)));
  let isTaken = false;
  const taken = second.lineLike(/^running shard 0 of 2/).then(() => (isTaken = true));
  await complete(kubectl, living, 3);
  expect(isTaken, 'the other shard goes on meanwhile').toBe(false);
  await taken;
  const takeover = performance.now() - killed;
  // The Lease lasts 15 s; on a busy machine the rest takes longer than the five seconds that it takes at most.
  expect(takeover).toBeLessThan(40_000);
  expect(takeover).toBeGreaterThan(10_000);
  await complete(kubectl, all, 3);
  expect([...hook.calls.values()].filter((count) => count !== 1)).toEqual([]);
  expect(hook.calls.size).toBe(2 * all.length);
  const pods = await kubectl.run(['get', 'pods', '-o', 'name']);
  expect(pods.trim().split('\n')).toHaveLength(2 * all.length);
  expect((await second.stop('SIGTERM')).code).toBe(0);
  const holders = ['get', 'lease', '-n', 'boathook-system', '-o', 'jsonpath={..spec.holderIdentity}'];
  expect((await kubectl.run(holders)).trim()).toBe('');
});
