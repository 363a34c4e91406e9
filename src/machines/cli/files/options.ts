import { resolve } from 'node:path';
import { parseDuration } from '#base/duration.ts';
import { seconds, type Millis } from '#base/time.ts';
import type { HookFlag, HookFlagName } from '#machines/decide/hook-flags.ts';
import { usualRetries } from '#machines/decide/retries.ts';
import { ExitError } from '#command/exit.ts';
import type { Given } from '#command/given.ts';
import type { Verb } from './verbs.ts';

export type InstallerName = 'kubeadm' | 'commands' | 'none';
const installers: readonly InstallerName[] = ['kubeadm', 'commands', 'none'];

/** What shapes a plan: kept in the journal, so that `resume` plans the same again. No secrets. */
export type OperationRequest = {
  readonly verb: Verb;
  /** Absolute paths; the first is the cluster's. */
  readonly files: readonly string[];
  readonly nodes: readonly string[];
  /** `name=value`, in the order given. */
  readonly hooks: readonly string[];
  readonly hooksDir: string;
  readonly folder: string;
  /** Journals and kubeconfigs, which never go to machines. Absent in records of earlier versions. */
  readonly dataDir?: string;
  readonly installer: InstallerName;
  readonly commandsDir: string;
  readonly parallel: number;
  readonly timeout: number;
  /** Absent in records of earlier versions. */
  readonly retries?: number;
  readonly force: boolean;
  readonly agent: boolean;
  readonly type: string;
  readonly name: string;
  readonly arch: string;
  readonly port: number;
  /** Digests of CAs whose machines count as the cluster's: recognised, or taken over. */
  readonly accepts: readonly string[];
  /** The operation that this one takes back, and where; empty: it is no rollback. */
  readonly undoes: string;
  readonly undoTouched: readonly string[];
  readonly undoMade: readonly string[];
};

/** What shapes a run. */
export type RunOptions = {
  readonly dataDir: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly rollback: boolean;
  readonly insecure: boolean;
  readonly knownHosts: string;
  readonly stateDir: string;
  /** After a removal: what is kept on the machines goes too. */
  readonly purge: boolean;
  readonly leaseTouch: Millis;
  readonly leaseStale: Millis;
  readonly connectTimeout: Millis;
  /** What would be asked on a terminal is meant. */
  readonly yes: boolean;
  /** Take a cluster over that bears another name. */
  readonly adopt: boolean;
};

const text = (given: Given, name: string): string => (typeof given[name] === 'string' ? given[name] : '');
const texts = (given: Given, name: string): readonly string[] =>
  Array.isArray(given[name]) ? given[name].map(String) : [];

export function requestOf(verb: Verb, given: Given, nodes: readonly string[]): OperationRequest {
  const files = texts(given, 'file').map((file) => resolve(file));
  if (files.length === 0) throw new ExitError(2, `-f FILE is required: a TKEStack object or an eggo file`);
  const hooks: readonly (readonly [string, HookFlagName])[] = [
    ['clusterPrehook', 'cluster-prehook'],
    ['clusterPosthook', 'cluster-posthook'],
    ['prehook', 'prehook'],
    ['posthook', 'posthook'],
  ];
  return {
    verb,
    files,
    nodes,
    hooks: hooks.flatMap(([key, name]) => texts(given, key).map((value) => `${name}=${value}`)),
    hooksDir: text(given, 'hooksDir') === '' ? '' : resolve(text(given, 'hooksDir')),
    folder: process.cwd(),
    dataDir: resolve(text(given, 'dataDir') || '.boathook'),
    installer: installerOf(text(given, 'installer')),
    commandsDir: text(given, 'commandsDir') === '' ? '' : resolve(text(given, 'commandsDir')),
    parallel: wholeNumber('--parallel', text(given, 'parallel'), 1),
    timeout: text(given, 'timeout') === '' ? 0 : span('--timeout', text(given, 'timeout')),
    retries: wholeNumber('--retries', text(given, 'retries') || String(usualRetries), 0),
    force: given['force'] === true,
    agent: given['sshAgent'] === true,
    type: text(given, 'type'),
    name: text(given, 'name'),
    arch: text(given, 'arch'),
    port: text(given, 'port') === '' ? 0 : wholeNumber('--port', text(given, 'port'), 1),
    accepts: [],
    undoes: '',
    undoTouched: [],
    undoMade: [],
  };
}

export const runOptionsOf = (given: Given): RunOptions => ({
  dataDir: resolve(text(given, 'dataDir') || '.boathook'),
  json: isJson(text(given, 'output')),
  dryRun: given['dryRun'] === true,
  strict: given['strict'] === true,
  rollback: given['rollback'] !== false && given['rollback'] !== 'false',
  insecure: given['insecureIgnoreHostKey'] === true,
  knownHosts: text(given, 'knownHosts') === '' ? '' : resolve(text(given, 'knownHosts')),
  stateDir: text(given, 'stateDir') || '/var/lib/boathook',
  purge: given['purge'] === true,
  leaseTouch: span('--lease-touch', text(given, 'leaseTouch') || '10s'),
  leaseStale: span('--lease-stale', text(given, 'leaseStale') || '30s'),
  connectTimeout:
    text(given, 'connectTimeout') === ''
      ? seconds(20)
      : span('--connect-timeout', text(given, 'connectTimeout')),
  yes: given['yes'] === true,
  adopt: given['adopt'] === true,
});

/** The hook flags as they were given. */
export const hookFlags = ({ hooks }: OperationRequest): readonly HookFlag[] =>
  hooks.map((hook) => {
    const cut = hook.indexOf('=');
    return { name: hook.slice(0, cut) as HookFlagName, value: hook.slice(cut + 1) };
  });

function installerOf(name: string): InstallerName {
  const found = installers.find((each) => each === name);
  if (found === undefined)
    throw new ExitError(2, `--installer=${name} is not known. Valid are: ${installers.join(', ')}`);
  return found;
}

function isJson(output: string): boolean {
  if (output !== '' && output !== 'json') throw new ExitError(2, `-o ${output} is not known. Valid is: json`);
  return output === 'json';
}

function wholeNumber(flag: string, value: string, least: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least)
    throw new ExitError(2, `${flag}=${value} must be a whole number of at least ${least}`);
  return number;
}

function span(flag: string, value: string): Millis {
  const parsed = parseDuration(value);
  if (parsed === undefined || parsed === 0)
    throw new ExitError(2, `${flag}=${value} is no span of time such as 30s or 1m30s`);
  return parsed;
}
