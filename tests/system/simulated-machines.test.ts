import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const places = ['/run/boathook', '/var/lib/boathook', '/etc/kubernetes', '/opt/lab'];

/** What the computer itself has at the places that machines are changed at; other tests may make an empty folder there. */
const ownPlaces = (): readonly (readonly string[])[] =>
  places.map((path) => (existsSync(path) ? readdirSync(path) : []));

async function kubectlOf(boathook: Boathook): Promise<Terminal> {
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  return openTerminal(kubectl, boathook, 'default');
}

test('up --machines: a Cluster of them is Ready, ssh reaches them, and the computer is as before', async () => {
  const before = ownPlaces();
  await using boathook = await startBoathook({ flags: ['--machines', '4'] });
  const line = await boathook.process.lineLike(/^simulated machines at /);
  expect(line).toMatch(/^simulated machines at 127\.0\.\d+\.1:2222 to 127\.0\.\d+\.4:2222$/);
  const folder = join(boathook.dataDir, 'simulated-machines');
  const file = join(folder, 'cluster.yaml');
  expect(await boathook.process.lineLike(/kubectl/)).toBe(`a Cluster of them: kubectl apply -f ${file}`);
  for (const name of ['key', 'host-key-1', 'cluster.yaml'])
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  const kubectl = await kubectlOf(boathook);
  await kubectl.run(['apply', '-f', file]);
  const both = ['cluster/simulated', 'machine/simulated-worker-1'];
  await kubectl.run(['wait', '--for=condition=Ready', ...both, '--timeout=300s']);
  await kubectl.run(['patch', 'cluster/simulated', '--type=merge', '-p', '{"spec":{"version":"1.31.0"}}']);
  await kubectl.run([
    'wait',
    '--for=jsonpath={.status.version}=1.31.0',
    'cluster/simulated',
    '--timeout=300s',
  ]);
  const [, address = ''] = /at (\S+):2222/.exec(line) ?? [];
  const known = [
    '-o',
    `UserKnownHostsFile=${join(folder, 'known_hosts')}`,
    '-o',
    'StrictHostKeyChecking=yes',
  ];
  const ssh = (...command: readonly string[]) =>
    runProgram('ssh', [
      '-F',
      'none',
      '-i',
      join(folder, 'key'),
      ...known,
      '-p',
      '2222',
      `root@${address}`,
      ...command,
    ]);
  expect(await ssh('cat /etc/kubernetes/boathook-identity')).toMatchObject({
    code: 0,
    out: expect.stringContaining('cluster=simulated'),
  });
  await kubectl.run(['delete', ...both.toReversed(), '--timeout=300s']);
  expect(await ssh('ls /etc/kubernetes')).toMatchObject({ out: '' });
  expect(await ssh('rm -rf /etc /run; exit 3')).toMatchObject({ code: 3, out: '', error: '' });
  expect(await ssh()).toMatchObject({ code: 1, out: expect.stringContaining('no interactive shell') });
  expect(ownPlaces()).toEqual(before);
});

test('a file of a Cluster is deployed and removed from the command line', async () => {
  await using boathook = await startBoathook({ flags: ['--machines', '1'] });
  await boathook.process.lineLike(/^a Cluster of them/);
  const files = ['-f', join(boathook.dataDir, 'simulated-machines', 'cluster.yaml')];
  const where = [...files, '--data-dir', join(boathook.home, 'data')];
  const deployed = await runBoathook(['cluster', 'deploy', ...where]);
  expect({ code: deployed.code, error: deployed.error }, deployed.out).toEqual({ code: 0, error: '' });
  expect(deployed.out).toContain('Succeeded');
  const again = await runBoathook(['cluster', 'deploy', ...where]);
  expect(again.code).toBe(0);
  expect(await runBoathook(['cluster', 'cleanup', '--yes', ...where])).toMatchObject({ code: 0 });
});

test.for(['SIGKILL', 'SIGTERM'] as const)('the machines end with up: %s', async (signal) => {
  await using boathook = await startBoathook({ flags: ['--machines', '2'] });
  const line = await boathook.process.lineLike(/^simulated machines at /);
  const [, address = ''] = /at (\S+):2222/.exec(line) ?? [];
  const socket = connect(2222, address);
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await boathook.stop(signal);
  await closed;
  await expect(once(connect(2222, address), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a restart keeps keys and addresses; a second control plane takes others', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  const read = (): string => readFileSync(join(dataDir, 'simulated-machines', 'cluster.yaml'), 'utf8');
  const begin = async (options: Parameters<typeof startBoathook>[0]) => {
    const boathook = await startBoathook({ flags: ['--machines', '2'], ...options });
    return { boathook, line: await boathook.process.lineLike(/^simulated machines at /) };
  };
  const first = await begin({ dataDir });
  const text = read();
  const second = await begin({});
  expect(second.line).not.toBe(first.line);
  await first.boathook[Symbol.asyncDispose]();
  const third = await begin({ dataDir });
  expect({ line: third.line, text: read() }).toEqual({ line: first.line, text });
  await third.boathook[Symbol.asyncDispose]();
  await second.boathook[Symbol.asyncDispose]();
});

test.for(['-1', '201', 'many'])('--machines %s is refused', async (count) => {
  expect(await runBoathook(['up', '--machines', count])).toMatchObject({
    code: 2,
    error: expect.stringContaining(`--machines ${count} is not a whole number from 0 to 200`),
  });
});

test('machines that cannot start end the command, and nothing is left running', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'simulated-machines'), 'in the way');
  const up = ['up', '--data-dir', folder.path, '--port', '0', '--no-dashboard', '--machines', '1'];
  expect(await runBoathook(up)).toMatchObject({
    code: 2,
    out: '',
    error: expect.stringMatching(/^boathook: --machines 1: /),
  });
});

test('the part of the guide about simulated machines runs as it stands', async () => {
  using folder = tempDir();
  const blocks = fencedBlocks(readProjectFile('docs/guide/machines.md')).filter(
    ({ language }) => language === 'shell',
  );
  expect(blocks).toHaveLength(2);
  const before = ['set -e', 'PATH=.:$PATH', "trap 'kill %1; wait' EXIT"];
  const script = [...before, ...blocks.map(({ text }) => text)].join('\n');
  const flags = 'boathook up --port 0 --nodes 0 --no-dashboard';
  symlinkSync(join(root, 'boathook'), join(folder.path, 'boathook'));
  const strict = 'ssh -F none -o StrictHostKeyChecking=yes';
  const { code, out, error } = await runProgram(
    'bash',
    ['-c', script.replace('boathook up', flags).replace('\nssh', `\n${strict}`)],
    { cwd: folder.path, env: { HOME: folder.path } },
  );
  const troubles = error.replaceAll(/^\S+ INFO .*\n/gm, '');
  expect({ code, troubles }, out).toEqual({ code: 0, troubles: '' });
  expect(out).toContain('cluster.platform.tkestack.io/simulated condition met');
  expect(out).toContain('[simulated: kubeadm init');
  expect(out).toMatch(/^admin\.conf$/m);
});
