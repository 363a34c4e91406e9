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

const isLeader = /INFO {2}this process is the leader/;

test('a leader that is stopped releases its Lease, and another leads within a second', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const kubectl = await terminalOf(server);
  const first = controller(server, 'first');
  await first.lineLike(/^running hookrun/);
  await using second = controller(server, 'second');
  await second.lineLike(/^second stands for election/);
  expect(await holderOf(kubectl)).toBe('first');
  const stopped = performance.now();
  const ended = first.stop('SIGTERM');
  await second.errorLike(isLeader);
  expect(performance.now() - stopped).toBeLessThan(1000);
  expect(await ended).toEqual({ code: 0, signal: null });
  await second.lineLike(/^running hookrun/);
  expect(await holderOf(kubectl)).toBe('second');
  expect((await second.stop('SIGTERM')).code).toBe(0);
  expect(await holderOf(kubectl)).toBe('');
});

test.for([
  { name: 'in less than 20 s by default', flags: [], most: 20_000, least: 10_000 },
  {
    name: 'sooner with a shorter Lease',
    flags: ['--lease-duration', '3s', '--renew-deadline', '2s', '--retry-period', '500ms'],
    most: 6_000,
    least: 1_000,
  },
])('after a crash of the leader another takes over $name', async ({ flags, most, least }) => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using first = controller(server, 'first', ...flags);
  await first.lineLike(/^running hookrun/);
  await using second = controller(server, 'second', ...flags);
  await second.lineLike(/^second stands for election/);
  const killed = performance.now();
  await first.stop('SIGKILL');
  await second.lineLike(/^running hookrun/);
  const span = performance.now() - killed;
  expect(span).toBeLessThan(most);
  expect(span).toBeGreaterThan(least);
});
