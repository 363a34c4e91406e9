import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyFile, openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';

const hosts = [2, 3, 4, 5, 6].map((last) => ({ address: `192.0.2.${last}`, password: '123456' }));
const none = ['--installer', 'none'] as const;
const eggo = ['-f', 'deploy.yaml', ...none] as const;

const script = (world: ClusterWorld, name: string, text: string): void =>
  writeFileSync(join(world.folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
const mark = (world: ClusterWorld, text: string): string => `echo "${text}" >> ${world.folder}/marks`;
const marks = (world: ClusterWorld): readonly string[] =>
  existsSync(join(world.folder, 'marks'))
    ? readFileSync(join(world.folder, 'marks'), 'utf8').trimEnd().split('\n')
    : [];

test.for([
  [
    'an unknown role',
    ['--prehook=node.sh,node'],
    /--prehook: unknown role "node"\. Valid values: master, worker/,
  ],
  ['a missing script', ['--prehook=gone.sh,master'], /--prehook: the script .*gone\.sh does not exist/],
  ['an unknown installer', ['--installer', 'ansible'], /Valid values: kubeadm, commands, none/],
  ['no number', ['--parallel', 'many'], /--parallel=many must be a whole number/],
  ['a folder without commands', ['--installer', 'commands'], /has none of the scripts of an installer/],
] as const)('%s: exit 2, before any machine is contacted', async ([, flags, says]) => {
  await using world = await openClusterWorld([], 'eggo');
  const { code, error } = await world.cluster('deploy', ...eggo, ...flags);
  expect(code).toBe(2);
  expect(error).toMatch(says);
  expect(existsSync(world.dataDir)).toBe(false);
});

test.for([
  ['workers that are no list', 'workers: {ip: 192.0.2.1}', /: \/workers: must be a list of nodes/],
  ['a list for a password', 'password: [123456]', /: \/password: must be a string: put it in quotes/],
  [
    'a key that is not there',
    'private-key-path: /nonexistent/key',
    /: \/private-key-path: the private key \/nonexistent\/key does not exist/,
  ],
  [
    'a password that YAML takes for an alias',
    'password: *sentinel',
    /yaml: line \d+: unknown anchor … referenced/,
  ],
  ['a password with something behind it', 'password: "sentinel": x', /yaml: line \d+: /],
] as const)('%s: exit 2 with its place, and no word of what may be secret', async ([, line, says]) => {
  await using world = await openClusterWorld([], 'eggo');
  writeFileSync(
    join(world.folder, 'bad.yaml'),
    `cluster-id: bad\npassword: "sentinel"\nmasters: [{ip: 192.0.2.9}]\n${line}\n`,
  );
  const { code, out, error } = await world.cluster('deploy', '-f', 'bad.yaml', ...none);
  expect(code, out + error).toBe(2);
  expect(error).toMatch(says);
  expect(error).toContain('bad.yaml');
  expect(out + error).not.toMatch(/sentinel|123456/);
  expect(existsSync(world.dataDir)).toBe(false);
});

test.for(['123456', '0123'])('a password of digits needs no quotes: %s', async (password) => {
  await using world = await openClusterWorld([{ address: '127.9.9.9', password }], 'eggo');
  writeFileSync(
    join(world.folder, 'digits.yaml'),
    `cluster-id: digits\nusername: root\npassword: ${password}\nmasters: [{ip: 127.9.9.9}]\n`,
  );
  script(world, 'here.sh', mark(world, 'here'));
  const { code, out, error } = await world.cluster(
    'deploy',
    '-f',
    'digits.yaml',
    ...none,
    '--prehook=here.sh,master',
  );
  expect(code, out + error).toBe(0);
  expect(marks(world)).toEqual(['here']);
});

test('a destination that is a folder on the machine: exit 2, not retried; once fixed, retry continues', async () => {
  await using world = await openClusterWorld([{ address: '192.0.2.21', password: '123456' }], 'single-files');
  world.on('192.0.2.21', 'mkdir -p /tmp/hooks/pre-install');
  const { code, out } = await world.cluster('deploy', '-f', 'cluster.yaml', ...none);
  expect(code, out).toBe(2);
  expect(out).toMatch(/\/tmp\/hooks\/pre-install is a directory on root@192\.0\.2\.21: name the file itself/);
  expect(out).not.toMatch(/PreInstall: /);
  world.on('192.0.2.21', 'rmdir /tmp/hooks/pre-install');
  const retried = await world.cluster('retry', '-f', 'cluster.yaml');
  expect(retried.code, retried.out).toBe(0);
});

test('the output of a script cannot control the terminal', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  script(world, 'loud.sh', String.raw`printf '\033[2J\033]0;title\007gone\n' >&2; exit 3`);
  const { code, out } = await world.cluster(
    'deploy',
    ...eggo,
    '--prehook=loud.sh,master',
    '--rollback=false',
  );
  expect(code).toBe(1);
  expect(out).toMatch(/ended with exit code 3\n.*gone/);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('wrong password: exit 5, no machine is changed, the password is printed nowhere', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  const text = readFileSync(join(world.folder, 'deploy.yaml'), 'utf8').replace('123456', 'sentinel-wrong');
  writeFileSync(join(world.folder, 'deploy.yaml'), text);
  const { code, out, error } = await world.cluster('deploy', ...eggo);
  expect(code, out + error).toBe(5);
  expect(out).toMatch(/Nothing was changed:\n +Login refused for root@192\.0\.2\./i);
  expect(out + error).not.toContain('sentinel-wrong');
  for (const [path, content] of everyFile(world.dataDir))
    expect(content, path).not.toContain('sentinel-wrong');
});

test('unreachable: deploy refuses with 5, join continues with 4, cleanup continues with --force', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  await world.hosts.get('192.0.2.4')?.stop();
  const refused = await world.cluster('deploy', ...eggo);
  expect(refused.code, refused.out).toBe(5);
  expect(refused.out).toContain('192.0.2.4');
  const joined = await world.cluster('join', 'worker-0', 'worker-1', ...eggo, '--posthook=node.sh,worker');
  expect(joined.code, joined.out).toBe(4);
  expect(joined.out).toMatch(/worker-0 posthook\/node\.sh: Succeeded/);
  const strict = await world.cluster('cleanup', '--yes', ...eggo, '--posthook=node.sh,worker');
  expect(strict.code, strict.out).toBe(5);
  const forced = await world.cluster('cleanup', '--yes', ...eggo, '--posthook=node.sh,worker', '--force');
  expect(forced.code, forced.out).toBe(4);
});

test('eggo: a failing hook stops creation, which is cleaned up; a failing removal is a warning', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  script(world, 'bad.sh', 'echo "no such package" >&2; exit 7');
  script(world, 'prejoin.sh', mark(world, 'prejoin $EGGO_OPERATOR'));
  script(world, 'clean.sh', mark(world, 'clean $EGGO_OPERATOR'));
  const text = readFileSync(join(world.folder, 'deploy.yaml'), 'utf8');
  const item = '    - {name: clean.sh, type: shell, schedule: precleanup}\n    worker:';
  writeFileSync(join(world.folder, 'deploy.yaml'), text.replace('    worker:', item));
  const failed = await world.cluster('deploy', ...eggo, '--posthook=bad.sh,worker');
  expect(failed.code, failed.out).toBe(1);
  expect(failed.out).toMatch(/exit code 7\n +no such package/);
  expect(failed.out).toContain('Rolling back: cleanup');
  expect(marks(world)).toEqual(['prejoin deploy', 'clean cleanup']);
  const removed = await world.cluster('cleanup', '--yes', ...eggo, '--prehook=bad.sh,master');
  expect(removed.code, removed.out).toBe(0);
  expect(removed.out).toContain('warning, ignored: master-0');
  expect(marks(world), 'later hooks still run').toHaveLength(3);
  const strict = await world.cluster('cleanup', '--yes', ...eggo, '--prehook=bad.sh,master', '--strict');
  expect(strict.code, strict.out).toBe(4);
});

test('a hook that matches no node is reported, and refused with --strict', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  const given = ['join', 'worker-0', ...eggo, '--prehook=node.sh'];
  const warned = await world.cluster(...given);
  expect(warned.code, warned.out).toBe(0);
  expect(warned.out).toMatch(/warning: .*names no role[\s\S]*warning: .*matches no node/);
  expect((await world.cluster(...given, '--strict')).code).toBe(2);
});

test('TKEStack: a failing hook is retried until it is fixed, on that node only', async () => {
  await using world = await openClusterWorld([{ address: '192.0.2.21', password: '123456' }], 'single-files');
  script(world, 'hooks/pre-install', `${mark(world, 'bad')}\nexit 7`);
  await using operator = world.follow('deploy', '-f', 'cluster.yaml', ...none);
  await operator.lineLike(/PreInstall: Failed/);
  await operator.lineLike(/Blocked, next try at \d\d:\d\d:\d\d \(in/);
  const status = await world.cluster('status', '-f', 'cluster.yaml', '-o', 'json');
  expect(JSON.parse(status.out)).toMatchObject({
    conditions: [
      { type: 'EnsureCopyFiles', status: 'True' },
      { type: 'EnsurePreInstallHook', status: 'False', reason: 'FailedInit' },
      { type: 'EnsurePostInstallHook', status: 'Unknown', reason: 'Waiting' },
    ],
  });
  const other = await world.cluster('deploy', '-f', 'cluster.yaml', ...none);
  expect(other.code).toBe(3);
  expect(other.error).toMatch(/is in use by process \d+ on .* since 20/);
  // It tries again by itself too: the operation is not to end before the request comes.
  const go = join(world.folder, 'go');
  script(world, 'hooks/pre-install', `${mark(world, 'good')}\nwhile [ ! -e ${go} ]; do sleep 0.1; done`);
  const retried = await world.cluster('retry', '-f', 'cluster.yaml');
  expect(retried.out).toMatch(/^Requested a retry from process \d+ on/);
  writeFileSync(go, '');
  await operator.lineLike(/PostInstall: Succeeded/);
  expect((await operator.ended).code).toBe(0);
  expect(marks(world).at(-1)).toBe('good');
});

test('the operator is killed while a script runs: the script continues, resume finds its end', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  script(
    world,
    'slow.sh',
    `${mark(world, 'begun')}\necho begun\nwhile [ ! -e ${world.folder}/go ]; do sleep 0.1; done\n${mark(world, 'ended')}`,
  );
  const operator = world.follow('deploy', ...eggo, '--cluster-prehook=slow.sh', '-o', 'json');
  await operator.lineLike(/"line":"begun"/);
  await operator.stop('SIGKILL');
  const status = await world.cluster('status', ...eggo.slice(0, 2));
  expect(status.out).toContain('Interrupted');
  expect(world.on('192.0.2.2', 'pgrep -f [s]low.sh | wc -l').trim()).not.toBe('0');
  await using again = world.follow('resume', ...eggo, '--lease-stale', '1s');
  await again.lineLike(/Continuing/);
  mkdirSync(join(world.folder, 'go'));
  await again.lineLike(/cluster-prehook\/slow\.sh: Succeeded \(found finished\)/);
  expect((await again.ended).code).toBe(0);
  expect(marks(world)).toEqual(['begun', 'ended']);
  rmSync(join(world.folder, 'go'), { recursive: true });
});

test('Ctrl-C ends the scripts on the machines; resume runs what was ended', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  script(world, 'slow.sh', `${mark(world, 'begun')}\necho begun\nsleep 300`);
  await using operator = world.follow('deploy', ...eggo, '--cluster-prehook=slow.sh', '-o', 'json');
  await operator.lineLike(/"line":"begun"/);
  const { code } = await operator.stop('SIGINT');
  expect(code).toBe(130);
  expect(world.on('192.0.2.2', 'pgrep -f [s]low.sh || true')).toBe('');
  script(world, 'slow.sh', mark(world, 'quick'));
  const resumed = await world.cluster('resume', ...eggo);
  expect(resumed.code, resumed.out).toBe(0);
  expect(marks(world)).toEqual(['begun', 'quick']);
});
