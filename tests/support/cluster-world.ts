import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { followProgram, runProgram, type Ended, type Following } from './program.ts';
import { root } from './project-files.ts';
import { openHosts, type TestHost } from './sshd.ts';
import { ipNeed, demandSshd } from './sshd/needs.ts';

export type WorldHost = {
  readonly address: string;
  readonly password?: string;
  /** Folders of its own beside /tmp and /etc/kubernetes. */
  readonly folders?: readonly string[];
};

/** Machines with the very addresses of the examples, in a network of their own, and an operator among them. */
export type ClusterWorld = {
  readonly folder: string;
  readonly hosts: ReadonlyMap<string, TestHost>;
  readonly dataDir: string;
  /** `boathook cluster …` in the folder of the examples. */
  cluster(...args: readonly string[]): Promise<Ended>;
  follow(...args: readonly string[]): Following;
  /** A script in that folder and network. */
  shell(script: string): Promise<Ended>;
  /** What a test expects of a machine, by its shell. */
  on(address: string, script: string): string;
  [Symbol.asyncDispose](): Promise<void>;
};

let worlds = 0;

export async function openWorld(wanted: readonly WorldHost[], examples: string): Promise<ClusterWorld> {
  demandSshd([ipNeed]);
  worlds += 1;
  const network = `boathook-${process.pid}-${worlds}`;
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
  ip('netns', 'add', network);
  ip('-n', network, 'link', 'set', 'lo', 'up');
  const own = openHosts();
  const hosts = new Map<string, TestHost>();
  for (const { address, password, folders = [] } of wanted) {
    ip('-n', network, 'addr', 'add', `${address}/32`, 'dev', 'lo');
    const host = await own.add({
      addresses: [address],
      port: 22,
      netns: network,
      folders: ['/tmp', '/etc/kubernetes', ...folders],
      accounts: [{ name: 'root', ...(password !== undefined && { password }) }],
    });
    hosts.set(address, host);
  }
  const folder = join(own.folder, 'operator');
  cpSync(join(root, 'examples', 'machines', examples), folder, { recursive: true });
  const home = join(own.folder, 'home');
  mkdirSync(home);
  const dataDir = join(own.folder, 'data');
  const command = (args: readonly string[]): readonly string[] => [
    'netns',
    'exec',
    network,
    join(root, 'boathook'),
    'cluster',
    ...args,
    ...(args.includes('--data-dir') ? [] : ['--data-dir', dataDir]),
  ];
  const setting = { cwd: folder, env: { HOME: home } };
  return {
    folder,
    hosts,
    dataDir,
    cluster: (...args) => runProgram('ip', command(args), setting),
    follow: (...args) => followProgram('ip', command(args), setting),
    shell: (script) => runProgram('ip', ['netns', 'exec', network, 'sh', '-c', script], setting),
    on: (address, script) => hosts.get(address)?.run('sh', '-c', script) ?? '',
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      ip('netns', 'del', network);
    },
  };
}

/** Every file below a folder with its content, to look for what must not be there. */
export function everyFile(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      found.set(path, readFileSync(path, 'utf8'));
    }
  return found;
}
