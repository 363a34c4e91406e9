import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { launchBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import type { Following } from '../support/program.ts';

const controller = (server: Boathook, name: string, ...flags: readonly string[]): Following =>
  launchBoathook(['controller', '--kubeconfig', server.kubeconfig, '--identity', name, ...flags]);

async function terminalOf(server: Boathook): Promise<Terminal> {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  return openTerminal(newest, server, 'boathook-system');
}

const holderOf = (kubectl: Terminal): Promise<string> =>
  kubectl.run(['get', 'lease', 'boathook-controller', '-o', 'jsonpath={.spec.holderIdentity}']);

/** Accepts connections, and never answers. */
async function startSilentHook(): Promise<{ readonly port: number } & AsyncDisposable> {
  const hook = createServer((socket) => socket.on('error', () => undefined).resume());
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (hook.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      hook.close();
      await once(hook, 'close');
    },
  };
}

const askingRun = (name: string, port: number): string =>
  JSON.stringify({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookRun',
    metadata: { name },
    spec: {
      metrics: [
        {
          name: 'age',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url: `http://127.0.0.1:${port}/`, jsonPath: '{$.age}', timeoutSeconds: 600 } },
        },
      ],
    },
  });

const isLeader = /INFO {2}this process is the leader/;

test('a leader that is stopped in the middle of its work releases its Lease, and another leads at once', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using silent = await startSilentHook();
  const kubectl = await terminalOf(server);
  const first = controller(server, 'first', '--outgoing-allow', '127.0.0.0/8');
  await first.lineLike(/^running hookrun/);
  const runs = Array.from({ length: 20 }, (_, index) => askingRun(`run-${index}`, silent.port));
  await kubectl.run(['apply', '-f', '-'], { stdin: runs.join('\n---\n') });
  await kubectl.run(['wait', '--for=jsonpath={.status.phase}=Running', 'hookrun/run-19', '--timeout=300s']);
  await using second = controller(server, 'second');
  await second.lineLike(/^second stands for election/);
  expect(await holderOf(kubectl)).toBe('first');
  const stopped = performance.now();
  const ended = first.stop('SIGTERM');
  await second.errorLike(isLeader);
  // Without a release it would have to expire, after 15 s. The stories measure on a clock of their own.
  expect(performance.now() - stopped, 'milliseconds').toBeLessThan(8000);
  expect(await ended).toEqual({ code: 0, signal: null });
  await second.lineLike(/^running hookrun/);
  expect(await holderOf(kubectl)).toBe('second');
  expect((await second.stop('SIGTERM')).code).toBe(0);
  expect(await holderOf(kubectl)).toBe('');
});

/** The usual times are measured in stories, on a clock of their own. */
test('after a crash of the leader another takes over when the Lease has expired', async () => {
  const flags = ['--lease-duration', '3s', '--renew-deadline', '2s', '--retry-period', '500ms'];
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using first = controller(server, 'first', ...flags);
  await first.lineLike(/^running hookrun/);
  await using second = controller(server, 'second', ...flags);
  await second.lineLike(/^second stands for election/);
  const killed = performance.now();
  await first.stop('SIGKILL');
  await second.lineLike(/^running hookrun/);
  const span = performance.now() - killed;
  expect(span).toBeLessThan(12_000);
  expect(span).toBeGreaterThan(1_000);
});
