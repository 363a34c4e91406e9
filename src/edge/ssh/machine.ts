import { createHash } from 'node:crypto';
import { harmlessText } from '#base/harmless-text.ts';
import type { Clock, Millis } from '#base/time.ts';
import { deliverFiles, type Delivered, type Delivery } from './deliver.ts';
import { removeProgram } from './deliver-program.ts';
import { ConnectionLost, UnexpectedAnswer } from './failure.ts';
import { remainsProgram, usualStateDir } from './host-program.ts';
import { adoptProgram, cancelProgram, endCommand } from './launch-program.ts';
import type { LeftJob } from './left-job.ts';
import { takeLease, type Lease, type Leased } from './lease.ts';
import { askJob, runJob, type Job, type RemoteJobEnd, type JobOutput, type JobSettings } from './run-job.ts';
import { runToEnd, type Shell } from './shell.ts';

/** Where an operation works on a machine. Machines may share a file system, so its folders are named after all three. */
export type Workplace = {
  /** Usually /var/lib/boathook. */
  readonly stateDir: string;
  /** Where the host's lease is; undefined: the machine may be worked on by several at once. */
  readonly host: string | undefined;
  readonly cluster: string;
  readonly node: string;
  readonly operation: string;
  /** Between TERM and KILL. */
  readonly grace: Millis;
};

export type NodeLock = {
  readonly run: string;
  readonly holder: string;
  readonly touchEvery: Millis;
  readonly staleAfter: Millis;
};

export type DeliveryEnd =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'disconnected'; readonly message: string };

export type Fetched =
  | Exclude<DeliveryEnd, { readonly type: 'done' }>
  | { readonly type: 'fetched'; readonly content: Uint8Array };

export type Remains =
  | Exclude<DeliveryEnd, { readonly type: 'done' }>
  | { readonly type: 'found'; readonly paths: readonly string[] };

/** A machine that an operation works on. Jobs are named; a name is used once in an operation. */
export type SshMachine = {
  lock(lock: NodeLock, signal: AbortSignal): Promise<Leased>;
  /** Ends at once when the signal is aborted, by throwing its reason; `onSent` gets the number of bytes sent so far. */
  deliver(
    files: readonly Delivery[],
    signal: AbortSignal,
    onSent?: (bytes: number, total: number) => void,
  ): Promise<Delivered>;
  /** A folder for files that jobs copy; only root can read it, and it is removed after the operation. */
  materialsFolder(name: string): string;
  remove(paths: readonly string[], signal: AbortSignal): Promise<DeliveryEnd>;
  fetch(path: string, signal: AbortSignal): Promise<Fetched>;
  /** What a program prints that only looks; no lock is needed. */
  look(program: string, args: readonly string[], signal: AbortSignal): Promise<Fetched>;
  /** Needs the lock. The signal ends the waiting for a turn, not the job. */
  run(name: string, job: Job, output: JobOutput, signal: AbortSignal): Promise<RemoteJobEnd>;
  ask(name: string, output: JobOutput, signal: AbortSignal): Promise<RemoteJobEnd>;
  /** Follows a job that another operation left running, to its end. Needs the lock. */
  askLeft(left: LeftJob, output: JobOutput, signal: AbortSignal): Promise<RemoteJobEnd>;
  /** Makes a job that has ended one of this operation, under this name. */
  adoptLeft(left: LeftJob, name: string, signal: AbortSignal): Promise<DeliveryEnd>;
  /** Whether it is a job for this node of this cluster. */
  isOwn(left: LeftJob): boolean;
  /** Ends a job and everything it started; settles when that is done. */
  cancel(name: string, signal: AbortSignal): Promise<DeliveryEnd>;
  /** How people end a job on the machine itself. */
  endCommand(name: string): string;
  /** What is still there of this operator, and of these paths. `purge`: its own is removed. Not while it is locked. */
  remains(
    wanted: { readonly purge: boolean; readonly paths: readonly string[] },
    signal: AbortSignal,
  ): Promise<Remains>;
  /** What its kernel calls its architecture, `x86_64`; known when it is locked. */
  kernelArch(): string | undefined;
  readonly closed: Promise<void>;
  close(): void;
};

export function machineOver(shell: Shell, place: Workplace, clock: Clock): SshMachine {
  const { nodeFolder, operationFolder, folderOf, tag } = foldersOf(place);
  let lease: Lease | undefined;
  return {
    async lock(lock, signal) {
      const { stateDir, host } = place;
      const scope = [folderName(place.cluster), folderName(place.operation)] as const;
      const request = { ...lock, folder: nodeFolder, operationFolder, stateDir, host, scope };
      const leased = await orDisconnected(() => takeLease(shell, request, clock, signal));
      if (leased.type === 'disconnected') return { type: 'failed', message: leased.message };
      if (leased.type === 'taken') lease = leased.lease;
      return leased;
    },
    deliver: (files, signal, onSent) =>
      orDisconnected(() => deliverFiles(shell, files, { tag, onSent }, signal)),
    materialsFolder: (name) => `${operationFolder}/materials/${folderName(name)}`,
    remove: (paths, signal) => runSimply(shell, removeProgram, paths, signal),
    fetch: (path, signal) => orDisconnected(() => fetchFile(shell, path, signal)),
    look: (program, args, signal) => orDisconnected(() => lookAt(shell, program, args, signal)),
    async run(name, job, output, signal) {
      if (lease === undefined) return unlocked;
      return runJob(lease, jobPlace(place, name, lease.counter), job, { ...output, signal });
    },
    async ask(name, output, signal) {
      return lease === undefined ? unlocked : askJob(lease, folderOf(name), { ...output, signal });
    },
    async askLeft({ folder }, output, signal) {
      return lease === undefined ? unlocked : askJob(lease, folder, { ...output, signal });
    },
    adoptLeft: (left, name, signal) => runSimply(shell, adoptProgram, [left.folder, folderOf(name)], signal),
    isOwn: ({ cluster, node }) => cluster === folderName(place.cluster) && node === folderName(place.node),
    endCommand: (name) => endCommand(folderOf(name)),
    cancel: (name, signal) => runSimply(shell, cancelProgram(folderOf(name)), [], signal),
    remains: (wanted, signal) => orDisconnected(() => remainsOn(shell, place, wanted, signal)),
    kernelArch: () => lease?.kernelArch,
    closed: shell.closed,
    close: () => shell.close(),
  };
}

/** Configuration and certificates, not images. */
const mostFetched = 16 * 1024 * 1024;

const unlocked: RemoteJobEnd = { type: 'disconnected', message: 'The node is not locked.' };

async function remainsOn(
  shell: Shell,
  place: Workplace,
  { purge, paths }: Parameters<SshMachine['remains']>[0],
  signal: AbortSignal,
): Promise<Remains> {
  const { nodeFolder } = foldersOf(place);
  const clusterFolder = nodeFolder.slice(0, nodeFolder.lastIndexOf('/'));
  const { stateDir, host = '' } = place;
  const words = [purge ? 'yes' : 'no', nodeFolder, clusterFolder, stateDir, host, ...paths];
  const channel = await shell.open(remainsProgram, words, signal);
  const { code, out, complaints } = await runToEnd(channel, undefined);
  if (code === undefined) throw new ConnectionLost(shell.name);
  if (code !== 0) return { type: 'failed', message: `${shell.name}: ${complaints}` };
  const found = out.toString('utf8').split('\0');
  return { type: 'found', paths: found.filter((path) => path !== '').map(harmlessText) };
}

async function fetchFile(shell: Shell, path: string, signal: AbortSignal): Promise<Fetched> {
  const channel = await shell.open('exec cat "$1"', [path], signal);
  const { code, out, complaints } = await runToEnd(channel, undefined, { bytes: mostFetched });
  if (code === undefined) throw new ConnectionLost(shell.name);
  if (code === 0) return { type: 'fetched', content: out };
  return { type: 'failed', message: `${path} cannot be read on ${shell.name}: ${complaints}` };
}

async function lookAt(
  shell: Shell,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Fetched> {
  const { code, out, complaints } = await runToEnd(await shell.open(program, args, signal), undefined);
  if (code === undefined) throw new ConnectionLost(shell.name);
  return code === 0 ? { type: 'fetched', content: out } : { type: 'failed', message: complaints };
}

function jobPlace(place: Workplace, name: string, counter: number): JobSettings {
  const { stateDir, host, cluster, node, operation } = place;
  const { nodeFolder, folderOf, tag } = foldersOf(place);
  const marker = `${tag}-${folderName(name)}`;
  const isFoundAnyway = host === undefined || stateDir === usualStateDir;
  return {
    folder: folderOf(name),
    marker,
    graceSeconds: Math.max(1, Math.ceil(place.grace / 1000)),
    counter,
    counterFile: `${nodeFolder}/counter`,
    link: isFoundAnyway ? undefined : `${host}/job.${marker}`,
    about: { cluster: folderName(cluster), node: folderName(node), operation: folderName(operation) },
  };
}

type Folders = {
  readonly nodeFolder: string;
  readonly operationFolder: string;
  readonly folderOf: (job: string) => string;
  /** For temporary names. */
  readonly tag: string;
};

function foldersOf({ stateDir, cluster, node, operation }: Workplace): Folders {
  const nodeFolder = [stateDir, folderName(cluster), folderName(node)].join('/');
  const operationFolder = `${nodeFolder}/${folderName(operation)}`;
  const tag = createHash('sha256')
    .update(JSON.stringify([cluster, node, operation]))
    .digest('hex')
    .slice(0, 16);
  return { nodeFolder, operationFolder, folderOf: (job) => `${operationFolder}/${folderName(job)}`, tag };
}

const runSimply = (
  shell: Shell,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<DeliveryEnd> =>
  orDisconnected(async () => {
    const { code, complaints } = await runToEnd(await shell.open(program, args, signal), undefined);
    if (code === undefined) throw new ConnectionLost(shell.name);
    return code === 0 ? { type: 'done' } : { type: 'failed', message: `${shell.name}: ${complaints}` };
  });

/** A name for a folder that no other name gets. */
function folderName(name: string): string {
  if (/^[A-Za-z0-9_][\w.-]{0,80}$/.test(name)) return name;
  const readable = name.replaceAll(/[^\w.-]+/g, '_').slice(0, 60);
  return `_${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

async function orDisconnected<Answer>(
  act: () => Promise<Answer>,
): Promise<Answer | { readonly type: 'disconnected'; readonly message: string }> {
  try {
    return await act();
  } catch (error) {
    const isExpected = error instanceof ConnectionLost || error instanceof UnexpectedAnswer;
    if (isExpected) return { type: 'disconnected', message: error.message };
    throw error;
  }
}
