import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ownNetwork } from './own-network.ts';
import { homeOf, makeKey, writeAccounts, writeAuthorizedKeys, type Account } from './sshd/accounts.ts';
import { hostProgram, type Mount } from './sshd/enter.ts';
import { demandSshd } from './sshd/needs.ts';

export type HostOptions = {
  /** Loopback addresses; OpenSSH takes sixteen at most. */
  readonly addresses?: readonly string[];
  readonly port?: number;
  readonly accounts?: readonly Account[];
  /** Folders of the host's own beside /root, /home, /var/lib/boathook and /run/boathook. */
  readonly folders?: readonly string[];
  /** Small disks: where, and how large. */
  readonly disks?: Readonly<Record<string, string>>;
  /** Lines for sshd_config. */
  readonly config?: readonly string[];
  /** A network namespace to live in. */
  readonly netns?: string;
};

/** A machine with an OpenSSH server: own keys, accounts, mounts and processes. */
export type TestHost = {
  readonly address: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly folder: string;
  /** `SHA256:…` */
  readonly fingerprint: string;
  /** Runs a program on the machine, not over SSH; gives what it printed. */
  run(...command: readonly string[]): string;
  /** Whether a program on the machine ends well. */
  test(script: string): boolean;
  /** Where a path of the machine lies outside; only for its own folders. */
  path(inside: string): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Everything that runs dies; the next life has another boot id. */
  reboot(): Promise<void>;
  newHostKey(): void;
};

export type TestHosts = {
  readonly folder: string;
  /** A private key that all accounts accept. */
  readonly key: string;
  add(options?: HostOptions): Promise<TestHost>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A place for hosts that all go away together. */
export function openHosts(): TestHosts {
  demandSshd();
  mkdirSync('/run/sshd', { recursive: true });
  // Not below /tmp, which a host may have of its own.
  const folder = mkdtempSync(`/var/tmp/boathook-sshd-${process.pid}-`);
  chmodSync(folder, 0o755);
  const key = join(folder, 'client');
  makeKey(key);
  const hosts: TestHost[] = [];
  return {
    folder,
    key,
    async add(options = {}) {
      const network = await ownNetwork();
      const number = hosts.length + 1;
      const host = makeHost(
        { folder: join(folder, `host-${number}`), key, number },
        { addresses: [`127.${network}.1.${number}`], ...options },
      );
      hosts.push(host);
      await host.start();
      return host;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((host) => host.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Seat = { readonly folder: string; readonly key: string; readonly number: number };

const ownFolders = ['/root', '/home', '/var/lib/boathook', '/run/boathook'];

function makeHost({ folder, key, number }: Seat, options: HostOptions): TestHost {
  const { addresses = [] } = options;
  const port = options.port ?? 2222;
  mkdirSync(folder);
  makeKey(join(folder, 'host_key'));
  writeFileSync(join(folder, 'boot_id'), `${randomUUID()}\n`);
  const accounts = options.accounts ?? [{ name: 'root' }];
  const own = [...ownFolders, ...(options.folders ?? [])];
  const path = (inside: string): string => {
    const root = own.find((each) => inside === each || inside.startsWith(`${each}/`));
    if (root === undefined) throw new Error(`${inside} is not a folder of the host's own`);
    return join(folder, 'own', root, inside.slice(root.length));
  };
  for (const each of own) mkdirSync(path(each), { recursive: true });
  chmodSync(path('/root'), 0o700);
  const mounts: Mount[] = [
    ...own.map((onto) => ({ onto, from: path(onto) })),
    ...Object.entries(options.disks ?? {}).map(([onto, tmpfs]) => ({ onto, tmpfs })),
    ...writeAccounts(folder, `host-${number}`, accounts),
    { onto: '/proc/sys/kernel/random/boot_id', from: join(folder, 'boot_id') },
  ];
  const others = accounts.filter(({ name }) => name !== 'root');
  for (const [at, { name }] of others.entries()) makeHome(path(homeOf(name)), at);
  const config = join(folder, 'sshd_config');
  writeFileSync(config, configOf({ folder, key, addresses, port }, options.config ?? []));
  const command = hostProgram(`host-${number}`, mounts, ['/usr/sbin/sshd', '-D', '-e', '-f', config]);
  const words = options.netns === undefined ? command : ['ip', 'netns', 'exec', options.netns, ...command];
  let life: Life | undefined;
  const enter = (words: readonly string[]): readonly string[] => {
    if (life === undefined) throw new Error('the host is down');
    return ['--target', String(life.init), '--mount', '--pid', '--uts', '--wd=/', ...words];
  };
  const host: TestHost = {
    address: addresses[0] ?? '',
    addresses,
    port,
    folder,
    get fingerprint() {
      return (
        execFileSync('ssh-keygen', ['-l', '-f', join(folder, 'host_key.pub')], { encoding: 'utf8' }).split(
          ' ',
        )[1] ?? ''
      );
    },
    run: (...command) => execFileSync('nsenter', enter(command), { encoding: 'utf8' }),
    test: (script) => spawnSync('nsenter', enter(['sh', '-c', script])).status === 0,
    path,
    async start() {
      for (const onto of [...own, ...Object.keys(options.disks ?? {})]) mkdirSync(onto, { recursive: true });
      life = await beginLife(words);
    },
    async stop() {
      await life?.end();
      life = undefined;
    },
    async reboot() {
      await host.stop();
      writeFileSync(join(folder, 'boot_id'), `${randomUUID()}\n`);
      await host.start();
    },
    newHostKey() {
      rmSync(join(folder, 'host_key'));
      makeKey(join(folder, 'host_key'));
    },
  };
  return host;
}

function makeHome(home: string, at: number): void {
  mkdirSync(home, { recursive: true });
  execFileSync('chown', [`${23_000 + at}:${23_000 + at}`, home]);
}

type Listening = {
  readonly folder: string;
  readonly key: string;
  readonly addresses: readonly string[];
  readonly port: number;
};

function configOf({ folder, key, addresses, port }: Listening, more: readonly string[]): string {
  const keys = writeAuthorizedKeys(folder, [readFileSync(`${key}.pub`, 'utf8')]);
  const lines = [
    ...more,
    ...addresses.map((address) => `ListenAddress ${address}:${port}`),
    `HostKey ${join(folder, 'host_key')}`,
    `AuthorizedKeysFile ${keys}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'PrintMotd no',
    'Subsystem sftp internal-sftp',
  ];
  return `${lines.join('\n')}\n`;
}

type Life = { readonly init: number; end(): Promise<void> };
const lives = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of lives) child.kill('SIGKILL');
});

/** Starts the namespaces and the server in them, and waits until it listens. */
async function beginLife([file = '', ...args]: readonly string[]): Promise<Life> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  lives.add(child);
  const gone = once(child, 'exit').then(() => lives.delete(child));
  const said: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    if (line.includes('Server listening on')) break;
  }
  if (!said.at(-1)?.includes('Server listening on')) {
    await gone;
    throw new Error(`sshd did not start: ${said.join('\n')}`);
  }
  child.stderr.resume();
  const unshared = Number(initOf(child.pid ?? 0));
  return {
    init: unshared,
    async end() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The process that is number one inside: the only child of `unshare`. */
function initOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? '';
}
