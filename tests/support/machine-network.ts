import { execFileSync } from 'node:child_process';
import { openHosts, type TestHost, type TestHosts } from './sshd.ts';
import { demandSshd, ipNeed } from './sshd/needs.ts';

export type NetworkHost = {
  readonly address: string;
  readonly password?: string;
  /** Folders of its own beside those of all hosts. */
  readonly folders?: readonly string[];
  /** Small disks: where, and how large. */
  readonly disks?: Readonly<Record<string, string>>;
};

/** Machines with the addresses of the examples, in a network namespace of their own. */
export type MachineNetwork = {
  readonly hosts: ReadonlyMap<string, TestHost>;
  readonly own: TestHosts;
  /** The arguments for `ip` that run a command in the network. */
  readonly inside: (command: readonly string[]) => readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** How the names of the networks of this process begin. */
export const networkPrefix = `boathook-${process.pid}-`;

const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
const networks = new Set<string>();
process.once('exit', () => {
  for (const network of networks) ip('netns', 'del', network);
});
let opened = 0;

export async function openMachineNetwork(
  wanted: readonly NetworkHost[],
  folders: readonly string[],
): Promise<MachineNetwork> {
  demandSshd([ipNeed]);
  // What was opened goes when a later part cannot be.
  await using parts = new AsyncDisposableStack();
  opened += 1;
  const netns = `${networkPrefix}${opened}`;
  ip('netns', 'add', netns);
  networks.add(netns);
  parts.defer(() => {
    networks.delete(netns);
    ip('netns', 'del', netns);
  });
  ip('-n', netns, 'link', 'set', 'lo', 'up');
  const own = parts.use(openHosts());
  const hosts = new Map<string, TestHost>();
  for (const { address, password, disks = {}, folders: more = [] } of wanted) {
    ip('-n', netns, 'addr', 'add', `${address}/32`, 'dev', 'lo');
    const accounts = [{ name: 'root', ...(password !== undefined && { password }) }];
    const options = {
      addresses: [address],
      port: 22,
      netns,
      folders: [...folders, ...more],
      accounts,
      disks,
    };
    hosts.set(address, await own.add(options));
  }
  const whole = parts.move();
  return {
    hosts,
    own,
    inside: (command) => ['netns', 'exec', netns, ...command],
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}
