import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import { createConnector } from '#edge/ssh/connect.ts';
import { openHostKeys, type HostKeyOptions } from '#edge/ssh/host-keys.ts';
import { runToEnd, type Connected } from '#edge/ssh/shell.ts';
import type { SshLogin, SshTarget } from '#edge/ssh/target.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { makeKey } from '../support/sshd/accounts.ts';
import { demandSshd } from '../support/sshd/needs.ts';

const password = 'wrong horse, "right" $tone';
let hosts: TestHosts;
let host: TestHost;
let bare: TestHost;
const quiet = new AbortController().signal;

beforeAll(async () => {
  demandSshd();
  hosts = openHosts();
  host = await hosts.add({
    accounts: [
      { name: 'root', password },
      { name: 'helper', password, sudo: true },
      { name: 'guest', password },
    ],
  });
  bare = await hosts.add({ config: ['MaxStartups 2:90:4'] });
});
afterAll(() => hosts[Symbol.asyncDispose]());

type Options = { readonly keys?: Partial<HostKeyOptions>; readonly agentSocket?: string };

function connect(target: SshTarget, { keys = {}, agentSocket }: Options = {}): Promise<Connected> {
  const connector = createConnector({
    hostKeys: openHostKeys({ files: [], record: undefined, insecure: false, ...keys }),
    agentSocket,
    timeout: millis(10_000),
    clock: systemClock,
    random: systemRandom,
  });
  return connector.connect(target, quiet);
}

const any = { keys: { insecure: true } };
const key = (): Secret => new Secret(readFileSync(hosts.key, 'utf8'));
const byKey = (): SshLogin => ({ user: 'root', sudo: true, methods: [{ type: 'privateKey', key: key() }] });
const byPassword = (user: string, text = password): SshLogin => ({
  user,
  sudo: true,
  methods: [{ type: 'password', password: new Secret(text) }],
});
const at = ({ address, port }: TestHost, login: SshLogin): SshTarget => ({ address, port, login });

async function whoIs(connected: Connected): Promise<string> {
  if (connected.type !== 'connected') throw new Error(connected.message);
  const { out } = await runToEnd(await connected.shell.open('id -u; hostname', [], quiet), undefined);
  connected.shell.close();
  return out.toString('utf8').trim().replace('\n', ' ');
}

test.for<{ what: string; login: () => SshLogin }>([
  { what: 'a password', login: () => byPassword('root') },
  { what: 'a key', login: byKey },
  { what: 'another user who may use sudo', login: () => byPassword('helper') },
])('logs in as root with $what', async ({ login }) => {
  expect(await whoIs(await connect(at(host, login()), any))).toBe('0 host-1');
});

test('logs in with a key behind a passphrase, and reports a wrong passphrase', async () => {
  const path = join(hosts.folder, 'locked');
  makeKey(path, 'open sesame');
  execFileSync('sh', ['-c', `cat ${path}.pub >>${join(host.folder, 'authorized_keys')}`]);
  const login = (passphrase?: string): SshLogin => ({
    user: 'root',
    sudo: true,
    methods: [
      {
        type: 'privateKey',
        key: new Secret(readFileSync(path, 'utf8')),
        ...(passphrase !== undefined && { passphrase: new Secret(passphrase) }),
      },
    ],
  });
  expect(await whoIs(await connect(at(host, login('open sesame')), any))).toBe('0 host-1');
  expect(await connect(at(host, login('closed')), any)).toMatchObject({
    type: 'login-refused',
    message: expect.stringContaining('passphrase') as string,
  });
  expect(await connect(at(host, login()), any)).toMatchObject({
    type: 'login-refused',
    message: expect.stringContaining('no passphrase is given') as string,
  });
});

test('logs in through an agent', async () => {
  const socket = join(hosts.folder, 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(agent.stdout, 'data');
  try {
    execFileSync('ssh-add', ['-q', hosts.key], {
      env: { ...process.env, SSH_AUTH_SOCK: socket },
      stdio: 'ignore',
    });
    const login: SshLogin = { user: 'root', sudo: true, methods: [{ type: 'agent' }] };
    expect(await whoIs(await connect(at(host, login), { ...any, agentSocket: socket }))).toBe('0 host-1');
    expect(await connect(at(host, login), any)).toMatchObject({ type: 'login-refused' });
  } finally {
    agent.kill();
  }
});

test('connects through a jump host, and names the step that fails', async () => {
  const jump = { address: bare.address, port: bare.port, login: byKey() };
  expect(await whoIs(await connect({ ...at(host, byKey()), jump }, any))).toBe('0 host-1');
  const closed = { ...jump, port: 1 };
  expect(await connect({ ...at(host, byKey()), jump: closed }, any)).toMatchObject({
    type: 'unreachable',
    message: expect.stringMatching(/^On the way to root@.*connection refused/) as string,
  });
  expect(await connect({ ...at(host, byKey()), port: 1, jump }, any)).toMatchObject({
    type: 'unreachable',
    message: expect.stringContaining('from the jump host') as string,
  });
});

test('a wrong password is refused once, and printed nowhere', async () => {
  const refused = await connect(at(host, byPassword('root', 'sentinel-7c1')), any);
  expect(refused).toEqual({
    type: 'login-refused',
    message: `Login refused for root@${host.address}:${host.port}: check the user, password or key.`,
  });
  expect(JSON.stringify(refused)).not.toContain('sentinel');
});

test('an unreachable host is named with the cause', async () => {
  expect(await connect({ ...at(host, byKey()), port: 1 }, any)).toEqual({
    type: 'unreachable',
    message: `root@${host.address}:1 cannot be reached: nothing listens there (connection refused).`,
  });
});

test('a user who cannot become root is refused with what is needed', async () => {
  expect(await connect(at(host, byPassword('guest')), any)).toMatchObject({
    type: 'sudo-missing',
    message: expect.stringContaining("'guest ALL=(ALL) NOPASSWD: ALL'") as string,
  });
});

test('a key is recorded at the first connection; when it changes, the host is refused', async () => {
  const changing = await hosts.add();
  const record = join(hosts.folder, 'recorded', 'known_hosts');
  const keys = { record };
  expect(await whoIs(await connect(at(changing, byKey()), { keys }))).toBe('0 host-3');
  expect(readFileSync(record, 'utf8')).toMatch(/^\[127\.[\d.]+\]:2222 ssh-ed25519 \S+\n$/);
  expect(await whoIs(await connect(at(changing, byKey()), { keys }))).toBe('0 host-3');
  await changing.stop();
  changing.newHostKey();
  await changing.start();
  expect(await connect(at(changing, byKey()), { keys })).toMatchObject({
    type: 'host-key-refused',
    message: expect.stringMatching(/its key has changed.*ssh-keygen -R/s) as string,
  });
  const pinned = { ...at(changing, byKey()), hostKey: changing.fingerprint };
  expect(await whoIs(await connect(pinned, { keys }))).toBe('0 host-3');
  expect(await whoIs(await connect(at(changing, byKey()), { keys: { record, insecure: true } }))).toBe(
    '0 host-3',
  );
  const other = { ...at(changing, byKey()), hostKey: host.fingerprint };
  expect(await connect(other, {})).toMatchObject({ type: 'host-key-refused' });
});

test('a known_hosts file written by OpenSSH is understood, hashed or not', async () => {
  const folder = join(hosts.folder, 'known');
  mkdirSync(folder);
  const file = join(folder, 'known_hosts');
  const scanned = execFileSync('ssh-keyscan', ['-p', String(host.port), '-t', 'ed25519', host.address], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  writeFileSync(file, scanned);
  expect(await whoIs(await connect(at(host, byKey()), { keys: { files: [file] } }))).toBe('0 host-1');
  execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' });
  expect(readFileSync(file, 'utf8')).toMatch(/^\|1\|/m);
  expect(await whoIs(await connect(at(host, byKey()), { keys: { files: [file] } }))).toBe('0 host-1');
  expect(await connect(at(bare, byKey()), { keys: { files: [file] } })).toMatchObject({
    type: 'host-key-refused',
    message: expect.stringContaining('is not known') as string,
  });
});

test('a server that drops callers when many call is called again', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => connect(at(bare, byKey()), any)));
  const names = await Promise.all(all.map(whoIs));
  expect(new Set(names)).toEqual(new Set(['0 host-2']));
});

test('more programs than a server allows on one connection wait their turn', async () => {
  const connected = await connect(at(host, byKey()), any);
  if (connected.type !== 'connected') throw new Error(connected.message);
  const { shell } = connected;
  const outs = await Promise.all(
    Array.from({ length: 30 }, async (_, number) => {
      const { out } = await runToEnd(
        await shell.open('sleep 0.05; echo "$1"', [`it's ${number}`], quiet),
        undefined,
      );
      return out.toString('utf8');
    }),
  );
  expect(outs).toEqual(Array.from({ length: 30 }, (_, number) => `it's ${number}\n`));
  shell.close();
});

test('a program that has ended before its operator looks: its exit code and output are known', async () => {
  const connected = await connect(at(host, byKey()), any);
  if (connected.type !== 'connected') throw new Error(connected.message);
  const { shell } = connected;
  // An operator with its hands full: everything that a short program sends arrives in one piece.
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const busy = setInterval(() => void Atomics.wait(cell, 0, 0, 60), 1);
  const ends = [];
  for (let round = 0; round < 5; round++)
    ends.push(await runToEnd(await shell.open('echo said; exit 7', [], quiet), undefined));
  clearInterval(busy);
  expect(ends.map(({ code, out }) => `${code} ${out.toString('utf8')}`)).toEqual(
    Array.from({ length: 5 }, () => '7 said\n'),
  );
  shell.close();
});
