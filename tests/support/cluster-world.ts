import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMachineNetwork, type NetworkHost } from './machine-network.ts';
import { followProgram, runProgram, type Ended, type Following } from './program.ts';
import { root } from './project-files.ts';
import type { TestHost } from './sshd.ts';

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

export async function openClusterWorld(
  wanted: readonly NetworkHost[],
  examples: string,
): Promise<ClusterWorld> {
  const network = await openMachineNetwork(wanted, ['/tmp', '/etc/kubernetes']);
  const { hosts, own, inside } = network;
  const folder = join(own.folder, 'operator');
  cpSync(join(root, 'examples', 'machines', examples), folder, { recursive: true });
  const home = join(own.folder, 'home');
  mkdirSync(home);
  const dataDir = join(own.folder, 'data');
  const command = (args: readonly string[]): readonly string[] =>
    inside([
      join(root, 'boathook'),
      'cluster',
      ...args,
      ...(args.includes('--data-dir') ? [] : ['--data-dir', dataDir]),
    ]);
  const setting = { cwd: folder, env: { HOME: home } };
  return {
    folder,
    hosts,
    dataDir,
    cluster: (...args) => runProgram('ip', command(args), setting),
    follow: (...args) => followProgram('ip', command(args), setting),
    shell: (script) => runProgram('ip', inside(['sh', '-c', script]), setting),
    on: (address, script) => hosts.get(address)?.run('sh', '-c', script) ?? '',
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
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
