import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { launchBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { startHookService } from '../support/hook-service.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

type Gateway = AsyncDisposable & { readonly kubeconfig: string; readonly writes: string[] };

/** A way to the server that notes what is written through it. */
async function openGateway({ access, dataDir, kubeconfig }: Boathook): Promise<Gateway> {
  const { ca, cert, key, server } = access;
  const writes: string[] = [];
  const gateway: Server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '', headers } = incoming;
    if (method !== 'GET') writes.push(`${method} ${url}`);
    const onward = request(`${server}${url}`, { method, headers, ca, cert, key }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(outgoing).on('error', () => undefined);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: object }];
    users: object[];
  };
  const { port } = gateway.address() as AddressInfo;
  config.clusters[0].cluster = { server: `http://127.0.0.1:${port}` };
  const path = join(dataDir, 'through-the-gateway');
  writeFileSync(path, stringify(config));
  return {
    kubeconfig: path,
    writes,
    async [Symbol.asyncDispose]() {
      gateway.closeAllConnections();
      gateway.close();
      await once(gateway, 'close');
    },
  };
}

/** A short Lease, so that nobody waits for long. */
const lease = ['--lease-duration', '6s', '--renew-deadline', '5s', '--retry-period', '1s'];
const flags = ['--outgoing-allow', '127.0.0.0/8', ...lease];

test('a leader that was suspended until another one leads writes nothing more, and ends', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using service = await startHookService({ age: 20 });
  await using gateway = await openGateway(server);
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, server, 'default');
  const controller = (kubeconfig: string, name: string) =>
    launchBoathook(['controller', '--kubeconfig', kubeconfig, '--identity', name, ...flags]);
  await using first = controller(gateway.kubeconfig, 'first');
  await first.lineLike(/^running hookrun/);
  const asked = service.more(3);
  const metric = {
    name: 'age',
    interval: '200ms',
    count: 10_000,
    successCondition: 'asInt(result) < 30',
    provider: { web: { url: `${service.url}/age`, jsonPath: '{$.age}' } },
  };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    await kubectl.run(['apply', '-f', '-'], {
      stdin: stringify({
        apiVersion: 'tkex.tencent.com/v1alpha1',
        kind: 'HookRun',
        metadata: { name },
        spec: { metrics: [metric] },
      }),
    });
  await asked;
  process.kill(first.pid, 'SIGSTOP');
  await using second = controller(server.kubeconfig, 'second');
  await second.lineLike(/^running hookrun/);
  const before = [...gateway.writes];
  process.kill(first.pid, 'SIGCONT');
  expect(await first.ended).toEqual({ code: 1, signal: null });
  expect(gateway.writes.slice(before.length)).toEqual([]);
  expect(first.errors()).toContain('first lost the Lease boathook-system/boathook-controller');
});
