import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import type { Delivered, Delivery } from '#edge/ssh/deliver.ts';
import { openHostKeys } from '#edge/ssh/host-keys.ts';
import type { SshMachine } from '#edge/ssh/machine.ts';
import { openMachines, type Machines } from '#edge/ssh/machines.ts';
import { readFileSync } from 'node:fs';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { digestOf } from '../support/sshd/operator.ts';

let hosts: TestHosts;
let host: TestHost;
let machines: Machines;
let machine: SshMachine;
const quiet = new AbortController().signal;

beforeAll(async () => {
  hosts = openHosts();
  mkdirSync('/srv/boathook-small', { recursive: true });
  host = await hosts.add({ folders: ['/opt'], disks: { '/srv/boathook-small': '1m' } });
  machines = openMachines({
    stateDir: '/var/lib/boathook',
    localStateDir: hosts.folder,
    cluster: 'c',
    operation: 'o',
    grace: millis(1000),
    clock: systemClock,
    connector: {
      hostKeys: openHostKeys({ files: [], record: undefined, insecure: true }),
      agentSocket: undefined,
      timeout: millis(10_000),
      clock: systemClock,
      random: systemRandom,
    },
  });
  const key = new Secret(readFileSync(hosts.key, 'utf8'));
  const login = { user: 'root', sudo: true, methods: [{ type: 'privateKey', key } as const] };
  const reached = await machines.reach({ address: host.address, port: host.port, login }, 'node', quiet);
  if (reached.type !== 'reached') throw new Error(reached.message);
  machine = reached.machine;
});
afterAll(async () => {
  machine.close();
  machines.close();
  await hosts[Symbol.asyncDispose]();
});

let sources = 0;
function source(content: string | Uint8Array, path: string, mode = 0o644): Delivery {
  const file = join(hosts.folder, `source-${++sources}`);
  writeFileSync(file, content);
  return { source: file, path, digest: digestOf(content).slice(7), size: Buffer.byteLength(content), mode };
}
const deliver = (...files: readonly Delivery[]): Promise<Delivered> => machine.deliver(files, quiet);
const drafts = (folder: string): string => host.run('find', folder, '-name', '.boathook-*').trim();

test('files arrive whole, with their mode, in folders made for them; blanks and quotes are letters like others', async () => {
  const big = Buffer.alloc(3_000_000, 'abc\0\n\xff', 'latin1');
  const files = [
    source('one\n', "/opt/a b/it's $HOME/pre install", 0o755),
    source('', '/opt/empty'),
    source(big, '/opt/deep/er/big', 0o600),
  ];
  expect(await deliver(...files)).toEqual({ type: 'delivered', sent: files.map(({ path }) => path) });
  expect(readFileSync(host.path("/opt/a b/it's $HOME/pre install"), 'utf8')).toBe('one\n');
  expect(readFileSync(host.path('/opt/deep/er/big')).equals(big)).toBe(true);
  const mode = (path: string): number => statSync(host.path(path)).mode & 0o777;
  expect([mode("/opt/a b/it's $HOME/pre install"), mode('/opt/deep/er/big')]).toEqual([0o755, 0o600]);
  expect([mode('/opt/a b'), mode('/opt/deep/er')]).toEqual([0o755, 0o755]);
  expect(drafts('/opt')).toBe('');
});

test('existing files are not sent again; changed files are', async () => {
  const file = source('first\n', '/opt/hooks/pre', 0o755);
  expect(await deliver(file)).toMatchObject({ sent: ['/opt/hooks/pre'] });
  const inode = statSync(host.path('/opt/hooks/pre')).ino;
  expect(await deliver(file)).toEqual({ type: 'delivered', sent: [] });
  expect(statSync(host.path('/opt/hooks/pre')).ino).toBe(inode);
  expect(await deliver(source('edited\n', '/opt/hooks/pre', 0o755))).toMatchObject({
    sent: ['/opt/hooks/pre'],
  });
  expect(readFileSync(host.path('/opt/hooks/pre'), 'utf8')).toBe('edited\n');
  // Somebody took the execute bit away.
  host.run('chmod', '600', '/opt/hooks/pre');
  expect(await deliver(source('edited\n', '/opt/hooks/pre', 0o755))).toMatchObject({
    sent: ['/opt/hooks/pre'],
  });
});

test('a destination that is a directory is an error, and nothing is put into it', async () => {
  host.run('mkdir', '-p', '/opt/taken');
  expect(await deliver(source('x', '/opt/taken'))).toEqual({
    type: 'failed',
    message: expect.stringMatching(/^\/opt\/taken is a directory on root@/) as string,
    permanent: true,
  });
  expect(host.run('ls', '-A', '/opt/taken')).toBe('');
});

test('a source that changes between check and copy is not delivered', async () => {
  const longer = source('planned\n', '/opt/changed');
  writeFileSync(longer.source, 'something longer\n');
  const same = source('planned\n', '/opt/changed');
  writeFileSync(same.source, 'PLANNED\n');
  const gone = { ...source('planned\n', '/opt/changed'), source: '/nowhere' };
  for (const file of [longer, same, gone])
    expect(await deliver(file)).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('has changed since the plan was made') as string,
    });
  expect(existsSync(host.path('/opt/changed'))).toBe(false);
  expect(drafts('/opt')).toBe('');
});

test('a full disk is named with what is free; no truncated file is left', async () => {
  const small = '/srv/boathook-small';
  expect(await deliver(source('old\n', `${small}/script`, 0o755))).toMatchObject({ type: 'delivered' });
  const file = source(Buffer.alloc(2_000_000, 120), `${small}/script`, 0o755);
  expect(await deliver(file)).toEqual({
    type: 'failed',
    message: expect.stringMatching(
      /^The disk of root@.* is full: \/srv\/boathook-small\/script needs 2000000 bytes, \d+ KiB are free\.$/,
    ) as string,
  });
  expect(host.run('cat', `${small}/script`)).toBe('old\n');
  expect(drafts(small)).toBe('');
});

test('files are fetched and removed; what is not there is no fault when removed', async () => {
  expect(await deliver(source('to fetch\n', '/opt/x y'))).toMatchObject({ type: 'delivered' });
  const fetched = await machine.fetch('/opt/x y', quiet);
  expect(fetched.type === 'fetched' && new TextDecoder().decode(fetched.content)).toBe('to fetch\n');
  expect(await machine.fetch('/opt/none', quiet)).toMatchObject({
    type: 'failed',
    message: expect.stringContaining('No such file') as string,
  });
  host.run('mkdir', '-p', '/opt/full/inner', '/opt/void');
  expect(await machine.remove(['/opt/x y', '/opt/none', '/opt/void', '/opt/full'], quiet)).toEqual({
    type: 'done',
  });
  expect(host.test('[ ! -e "/opt/x y" ] && [ ! -e /opt/void ] && [ -d /opt/full/inner ]')).toBe(true);
});
