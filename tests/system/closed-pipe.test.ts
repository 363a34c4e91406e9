import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook } from '../support/boathook.ts';
import { openClusterWorld } from '../support/cluster-world.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const launcher = join(root, 'boathook');

/** Runs a command whose stdout is a pipe that nobody reads any more. */
const unread = `
  folder=$1; shift
  mkfifo "$folder/pipe"
  (exec 9<"$folder/pipe") & exec 8>"$folder/pipe"; wait
  "$@" >&8 8>&- 2>"$folder/stderr"
  echo "$?"
`;

/** The exit code of a command whose output nobody reads, and what it wrote to stderr. */
async function runUnread(
  ...command: readonly string[]
): Promise<{ readonly code: number; readonly error: string }> {
  using folder = tempDir();
  const { out } = await runProgram('sh', ['-c', unread, 'sh', folder.path, ...command]);
  return { code: Number(out), error: readFileSync(join(folder.path, 'stderr'), 'utf8') };
}

test('a printing command ends quietly when nobody reads on', async () => {
  const { out, error } = await runProgram('sh', [
    '-c',
    '{ "$0" crds; echo "$?" >&3; } 3>&2 | head -1',
    launcher,
  ]);
  expect({ out, error }).toEqual({ out: 'apiVersion: apiextensions.k8s.io/v1\n', error: '141\n' });
  expect(await runUnread(launcher, 'access')).toEqual({ code: 141, error: '' });
});

test('an unread stderr changes no exit code', async () => {
  const script = `"$0" crds --bogus 2>&1 >/dev/null`;
  const { code, error } = await runUnread('sh', '-c', script, launcher);
  expect({ code, error }).toEqual({ code: 2, error: '' });
});

test('output that cannot be written for another reason is an error', async () => {
  const { code, error } = await runProgram('sh', ['-c', '"$0" crds >/dev/full', launcher]);
  expect({ code, error }).toEqual({
    code: 1,
    error: 'boathook: the output cannot be written: ENOSPC: no space left on device, write\n',
  });
});

test('a backup is complete although nobody reads what is printed', async () => {
  await using server = await startBoathook();
  using folder = tempDir();
  const to = join(folder.path, 'copy');
  expect(await runUnread(launcher, 'data', 'backup', '--data-dir', server.dataDir, '--to', to)).toEqual({
    code: 0,
    error: '',
  });
  const { code } = await runProgram(launcher, ['data', 'check', '--data-dir', to]);
  expect(code).toBe(0);
});

/** Reads one line of a server's output and of its log, then closes both pipes; the server's exit code comes last. */
const headOnly = `
  { { "$@"; echo "ended $?" >&5; } 2>&1 >&4 | head -1 >/dev/null; } 4>&1 5>&2 | head -1
`;

test('up, controller and nodes go on when nobody reads their output and their log', async () => {
  using folder = tempDir();
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const kubeconfig = join(folder.path, 'kubeconfig');
  const serve = (...args: readonly string[]) =>
    followProgram('sh', ['-c', headOnly, 'sh', launcher, ...args], {
      env: { HOME: home, KUBECONFIG: kubeconfig },
      inTerminal: true,
    });
  await using up = serve('up', '--ephemeral', '--port', '0', '--nodes', '0', '--kubeconfig', kubeconfig);
  expect(await up.line()).toMatch(/^API server at https:/);
  await expect.poll(() => existsSync(kubeconfig)).toBe(true);
  const kubectl = (...args: readonly string[]) =>
    runProgram('kubectl', ['--kubeconfig', kubeconfig, ...args], { env: { HOME: home } });
  await using nodes = serve('nodes', '--nodes', '1', '--name-prefix', 'quiet-');
  await using controller = serve('controller', '--lease-namespace', 'default', '--controllers', 'hookrun');
  // Nothing that they print arrives, so what they do is waited for.
  await kubectl('wait', '--for=create', 'lease/boathook-controller', '--timeout=300s');
  await kubectl('wait', '--for=create', 'node/quiet-1', '--timeout=300s');
  const ready = await kubectl('wait', '--for=condition=Ready', 'node/quiet-1', '--timeout=300s');
  expect(ready.code, ready.error).toBe(0);
  for (const each of [controller, nodes, up]) {
    expect(each.errors()).toBe('');
    await each.stop('SIGTERM');
  }
});

test('a deploy finishes, with its journal intact, although nobody reads what it prints', async () => {
  const hosts = [{ address: '192.0.2.21', password: '123456' }];
  await using world = await openClusterWorld(hosts, 'single-files');
  const deploy = `'${launcher}' cluster deploy -f cluster.yaml --installer none --data-dir '${world.dataDir}'`;
  const ran = await world.shell(`{ ${deploy}; echo "$?" >&3; } 3>&2 | head -1`);
  expect(ran.error, ran.out).toBe('0\n');
  const status = await world.cluster('status', '-f', 'cluster.yaml', '-o', 'json');
  expect(status.code, status.error).toBe(0);
  expect(JSON.parse(status.out)).toMatchObject({ state: 'Succeeded' });
});
