import { resolve } from 'node:path';
import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import type { HookFlag, HookFlagName } from '#machines/decide/hook-flags.ts';
import type { Undo } from '#machines/decide/plan-stages.ts';
import { usualRetries } from '#machines/decide/retries.ts';
import { ExitError } from '#command/exit.ts';
import { flagsOf } from '#command/flags.ts';
import type { Given } from '#command/given.ts';
import type { Verb } from './verbs.ts';

export type InstallerName = 'kubeadm' | 'commands' | 'none';
const installers: readonly InstallerName[] = ['kubeadm', 'commands', 'none'];

/** What shapes a plan. The journal keeps it, so that `resume` makes the same plan again. No secrets. */
export type OperationRequest = {
  readonly verb: Verb;
  /** Absolute paths; the first is the cluster's. */
  readonly files: readonly string[];
  readonly nodes: readonly string[];
  /** `name=value`, in the order given. */
  readonly hooks: readonly string[];
  readonly hooksDir: string | undefined;
  readonly folder: string;
  /** Journals and kubeconfigs, which are never copied to machines. Absent in records of earlier versions. */
  readonly dataDir?: string;
  readonly installer: InstallerName;
  readonly commandsDir: string | undefined;
  readonly parallel: number;
  readonly timeout: Millis | undefined;
  /** Absent in records of earlier versions. */
  readonly retries?: number;
  readonly force: boolean;
  readonly agent: boolean;
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly arch: string | undefined;
  readonly port: number | undefined;
  /** Digests of CAs whose machines count as the cluster's: recognised, or taken over. */
  readonly accepts: readonly string[];
  /** Of a rollback: the operation that it undoes, and where. */
  readonly undo: Undo | undefined;
};

/** What shapes a run. */
export type RunOptions = {
  readonly dataDir: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly rollback: boolean;
  readonly insecure: boolean;
  readonly knownHosts: string | undefined;
  readonly stateDir: string;
  /** After a removal: also remove what Boathook keeps on the machines. */
  readonly purge: boolean;
  readonly leaseTouch: Millis;
  readonly leaseStale: Millis;
  readonly connectTimeout: Millis;
  /** Confirms every question. */
  readonly yes: boolean;
  /** Take over a cluster that has another name. */
  readonly adopt: boolean;
};

const hookNames: readonly (readonly [string, HookFlagName])[] = [
  ['clusterPrehook', 'cluster-prehook'],
  ['clusterPosthook', 'cluster-posthook'],
  ['prehook', 'prehook'],
  ['posthook', 'posthook'],
];

export function requestOf(verb: Verb, given: Given, nodes: readonly string[]): OperationRequest {
  const flags = flagsOf(given);
  const files = flags.texts('filename').map((file) => resolve(file));
  if (files.length === 0) throw new ExitError(2, `-f FILE is required: a TKEStack object or an eggo file`);
  const [timeout, port] = [flags.text('timeout'), flags.text('port')];
  return {
    verb,
    files,
    nodes,
    hooks: hookNames.flatMap(([key, name]) => flags.texts(key).map((value) => `${name}=${value}`)),
    hooksDir: flags.path('hooksDir'),
    folder: process.cwd(),
    dataDir: flags.path('dataDir') ?? resolve('.boathook'),
    installer: installerOf(flags.text('installer') ?? ''),
    commandsDir: flags.path('commandsDir'),
    parallel: wholeNumber('--parallel', flags.text('parallel') ?? '', 1),
    timeout: timeout === undefined ? undefined : span('--timeout', timeout),
    retries: wholeNumber('--retries', flags.text('retries') ?? String(usualRetries), 0),
    force: flags.isOn('force'),
    agent: flags.isOn('sshAgent'),
    type: flags.text('type'),
    name: flags.text('name'),
    arch: flags.text('arch'),
    port: port === undefined ? undefined : wholeNumber('--port', port, 1),
    accepts: [],
    undo: undefined,
  };
}

export function runOptionsOf(given: Given): RunOptions {
  const flags = flagsOf(given);
  return {
    dataDir: flags.path('dataDir') ?? resolve('.boathook'),
    json: isJson(flags.text('output')),
    dryRun: flags.isOn('dryRun'),
    strict: flags.isOn('strict'),
    rollback: given['rollback'] !== false && given['rollback'] !== 'false',
    insecure: flags.isOn('insecureIgnoreHostKey'),
    knownHosts: flags.path('knownHosts'),
    stateDir: flags.text('stateDir') ?? '/var/lib/boathook',
    purge: flags.isOn('purge'),
    leaseTouch: span('--lease-touch', flags.text('leaseTouch') ?? '10s'),
    leaseStale: span('--lease-stale', flags.text('leaseStale') ?? '30s'),
    connectTimeout: span('--connect-timeout', flags.text('connectTimeout') ?? '20s'),
    yes: flags.isOn('yes'),
    adopt: flags.isOn('adopt'),
  };
}

/** The hook flags as they were given. */
export const hookFlags = ({ hooks }: OperationRequest): readonly HookFlag[] =>
  hooks.map((hook) => {
    const cut = hook.indexOf('=');
    return { name: hook.slice(0, cut) as HookFlagName, value: hook.slice(cut + 1) };
  });

export function installerOf(name: string): InstallerName {
  const found = installers.find((each) => each === name);
  if (found === undefined)
    throw new ExitError(2, `--installer=${name} is not known. Valid values: ${installers.join(', ')}`);
  return found;
}

function isJson(output: string | undefined): boolean {
  if (output !== undefined && output !== 'json')
    throw new ExitError(2, `-o ${output} is not known. Valid value: json`);
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
    throw new ExitError(2, `${flag}=${value} is not a duration such as 30s or 1m30s`);
  return parsed;
}
