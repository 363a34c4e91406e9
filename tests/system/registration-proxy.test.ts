import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { runBoathook, startBoathook } from '../support/boathook.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { runProgram } from '../support/program.ts';
import { startReconcileHook, type ReconcileHook } from '../support/reconcile-hook.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A proxy that would get the calls of hooks, with every variable that could configure it. */
async function startProxy(): Promise<AsyncDisposable & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end('a proxy answered');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    vi.stubEnv(name, url);
    vi.stubEnv(name.toLowerCase(), url);
  }
  vi.stubEnv('NO_PROXY', '');
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  return {
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const hooked = (hook: ReconcileHook) => registration({ hook: hookAt(hook.url) });

test('variables for proxies do not divert the calls of a controller', async () => {
  await using hook = await startReconcileHook();
  await using proxy = await startProxy();
  await using boathook = await startBoathook();
  vi.unstubAllEnvs();
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, boathook, 'default');
  const apply = (object: object) => kubectl.run(['apply', '-f', '-'], { stdin: JSON.stringify(object) });
  await apply(definition());
  await apply(hooked(hook));
  await kubectl.run(['wait', '--for=condition=Ready', 'crdregistration/kuard', '--timeout=300s']);
  await apply(kuard());
  await kubectl.run(['wait', '--for=create', 'deployment/kuard-my-kuard', '--timeout=300s']);
  await kubectl.run(['delete', 'kuard/my-kuard', '--timeout=300s']);
  expect(new Set(hook.phases())).toEqual(new Set(['pre-reconcile', 'post-reconcile', 'finalize']));
  expect(proxy.asked).toEqual([]);
});

test('nor those of render --live; the variables are such as Node would follow', async () => {
  using folder = tempDir();
  await using hook = await startReconcileHook();
  await using proxy = await startProxy();
  const file = join(folder.path, 'both.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [hooked(hook), kuard()] }));
  expect(await runBoathook(['registration', 'render', '--live', '-f', file])).toMatchObject({ code: 0 });
  expect(hook.phases()).toContain('pre-reconcile');
  expect(proxy.asked).toEqual([]);
  await runProgram(process.execPath, ['-e', `await fetch('${hook.url}').catch(() => {})`]);
  expect(proxy.asked).toHaveLength(1);
});
