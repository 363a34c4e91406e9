import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { followProgram, runProgram, type Ended, type Following } from './program.ts';
import { root } from './project-files.ts';

const launcher = join(root, 'boathook');

/** A real `boathook up` that is ready. */
export type Boathook = {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly kubeconfig: string;
  /** An empty home, so that nothing is left of another server's discovery. */
  readonly home: string;
  /** The lines it printed until it was ready. */
  readonly said: readonly string[];
  readonly access: Access;
  readonly process: Following;
  stop(signal?: NodeJS.Signals): ReturnType<Following['stop']>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** What a kubeconfig grants. */
export type Access = {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
};

/**
 * An API server that cleans up and does nothing else, so that a test alone decides what happens to workloads.
 * Flags given later win.
 */
const quiet = [
  '--nodes',
  '0',
  '--kube-controllers',
  'garbage-collector,namespace,serviceaccount,root-ca-cert-publisher,storage-protection',
];

/** A cluster as `boathook up` gives it to a user: nodes that play pods, and all controllers. */
export const wholeCluster = ['--nodes', '3', '--kube-controllers', 'all'];

type BoathookOptions = {
  readonly dataDir?: string;
  readonly flags?: readonly string[];
  /** How many files and connections the process may have open; the machine's limit unless given. */
  readonly openFiles?: number;
};

/** Starts on a data directory of its own, unless given one that outlives it. */
export async function startBoathook(options: BoathookOptions = {}): Promise<Boathook> {
  const folder = tempDir();
  const dataDir = options.dataDir ?? join(folder.path, 'data');
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const { flags = [] } = options;
  const page = flags.includes('--dashboard-port') ? [] : ['--no-dashboard'];
  const up = ['up', '--data-dir', dataDir, '--port', '0', ...page, ...quiet, ...flags];
  const running = followProgram('sh', ['-c', limited(options.openFiles), launcher, ...up], {
    env: { HOME: home },
  });
  const dispose = async (): Promise<void> => {
    await running.stop();
    folder[Symbol.dispose]();
  };
  try {
    const said = await linesUntilReady(running);
    const url = /https:\/\/\S+/.exec(said[0] ?? '')?.[0] ?? '';
    const kubeconfig = /^export KUBECONFIG=(.*)$/.exec(said[1] ?? '')?.[1] ?? '';
    return {
      pid: running.pid,
      url,
      port: Number(new URL(url).port),
      dataDir,
      kubeconfig,
      home,
      said,
      access: readAccess(kubeconfig),
      process: running,
      stop: (signal) => running.stop(signal),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A shell script that becomes the program it is given. */
const limited = (openFiles: number | undefined): string =>
  `${openFiles === undefined ? '' : `ulimit -n ${openFiles}; `}exec "$0" "$@"`;

/** Runs a command of Boathook that ends by itself. */
export const runBoathook = (args: readonly string[]): Promise<Ended> => runProgram(launcher, args);

/** Starts `boathook up` and leaves it to the caller to wait for it. */
export const launchBoathook = (args: readonly string[]): Following => followProgram(launcher, args);

export function readAccess(kubeconfig: string): Access {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const decoded = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString();
  return {
    server: clusters[0].cluster['server'] ?? '',
    ca: decoded(clusters[0].cluster['certificate-authority-data']),
    cert: decoded(users[0].user['client-certificate-data']),
    key: decoded(users[0].user['client-key-data']),
  };
}

async function linesUntilReady(running: Following): Promise<readonly string[]> {
  const said: string[] = [];
  while (said.at(-1)?.startsWith('ready in ') !== true) said.push(await running.line());
  return said;
}
