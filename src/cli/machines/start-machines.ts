import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprintOfLine } from '#edge/ssh/make-key.ts';
import { knownName } from '#edge/ssh/known-hosts.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { clusterObjects, type KnownMachine } from './cluster-file.ts';
import { ensureMachineKeys, type MachineKeys } from './machine-keys.ts';
import { machineAddress, type MachinesOrder, type MachinesReport } from './machines-message.ts';

export type RunningMachines = {
  readonly machines: readonly KnownMachine[];
  /** The key that logs in as root: a secret. */
  readonly privateKey: string;
  readonly clusterFile: string;
  /** Settles when the process has ended: true when it was closed. */
  readonly ended: Promise<boolean>;
  close(): Promise<void>;
};

const port = 2222;
const networks = Array.from({ length: 200 }, (_, at) => 10 + at);

/** Starts the process of the machines and writes what is needed to reach them. */
export async function startMachines(folder: string, count: number): Promise<RunningMachines> {
  const keys = ensureMachineKeys(folder, count);
  const { child, network } = await startProcess(folder, keys);
  const machines = keys.hosts.map(({ publicKey }, at) => ({
    address: machineAddress(network, at),
    port,
    hostKey: fingerprintOfLine(publicKey),
  }));
  writeFileAtomically(join(folder, 'network'), `${network}\n`, 0o600);
  writeFileAtomically(join(folder, 'known_hosts'), knownHosts(machines, keys), 0o600);
  const clusterFile = join(folder, 'cluster.yaml');
  const { privateKey } = keys.login;
  // It contains the private key.
  writeFileAtomically(clusterFile, clusterObjects(machines, privateKey).map(printYaml).join('---\n'), 0o600);
  let wasClosed = false;
  const ended = once(child, 'exit').then(() => wasClosed);
  const close = async (): Promise<void> => {
    wasClosed = true;
    if (child.connected) child.disconnect();
    await ended;
  };
  return { machines, privateKey, clusterFile, ended, close };
}

const knownHosts = (machines: readonly KnownMachine[], { hosts }: MachineKeys): string =>
  machines
    .map(({ address }, at) => {
      const [type = '', key = ''] = (hosts[at]?.publicKey ?? '').split(' ');
      return `${knownName(address, port)} ${type} ${key.trim()}\n`;
    })
    .join('');

async function startProcess(
  folder: string,
  { hosts, login }: MachineKeys,
): Promise<{ readonly child: ChildProcess; readonly network: number }> {
  // The same ending as this file: an installed package has scripts instead.
  const program = new URL(`machines-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const before = rememberedNetwork(folder);
  const order: MachinesOrder = {
    hostKeys: hosts.map(({ privateKey }) => privateKey),
    publicKey: login.publicKey,
    networks: before === undefined ? networks : [before, ...networks],
    port,
  };
  child.send(order);
  const report = await new Promise<MachinesReport>((resolve) => {
    child.once('message', (message) => resolve(message as MachinesReport));
    child.once('error', ({ message }) => resolve({ type: 'failed', message }));
    child.once('exit', () => resolve({ type: 'failed', message: 'their process has ended' }));
  });
  if (report.type === 'listening') return { child, network: report.network };
  if (child.connected) child.disconnect();
  throw new Error(`simulated machines cannot start: ${report.message}`);
}

/** The addresses of the last time, so that what was written about them stays true. */
function rememberedNetwork(folder: string): number | undefined {
  try {
    const network = Number(readFileSync(join(folder, 'network'), 'utf8'));
    return networks.includes(network) ? network : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
