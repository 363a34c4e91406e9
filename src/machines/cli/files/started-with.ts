import { ExitError } from '#command/exit.ts';
import type { OperationRequest, RunOptions } from './options.ts';
import { recordedRequest, type PlannedRecord } from './request-record.ts';

type Settings = { readonly request: OperationRequest; readonly options: RunOptions };

/** The options of a run that its journal keeps. */
export function startedWith(options: RunOptions): NonNullable<PlannedRecord['startedWith']> {
  const { strict, rollback, insecure, knownHosts = '', stateDir, purge } = options;
  const { leaseTouch, leaseStale, connectTimeout } = options;
  return { strict, rollback, insecure, knownHosts, stateDir, purge, leaseTouch, leaseStale, connectTimeout };
}

/** Flags that cannot change when an operation is resumed. */
const kept: readonly (readonly [
  string,
  string,
  (settings: Settings) => string | number | boolean | undefined,
])[] = [
  ['installer', '--installer', ({ request }) => request.installer],
  ['commandsDir', '--commands-dir', ({ request }) => request.commandsDir],
  ['timeout', '--timeout', ({ request }) => request.timeout],
  ['sshAgent', '--ssh-agent', ({ request }) => request.agent],
  ['stateDir', '--state-dir', ({ options }) => options.stateDir],
  ['knownHosts', '--known-hosts', ({ options }) => options.knownHosts],
  ['insecureIgnoreHostKey', '--insecure-ignore-host-key', ({ options }) => options.insecure],
  ['rollback', '--rollback', ({ options }) => options.rollback],
];

/**
 * An operation continues as it was started. Numbers and durations of this run may differ; what decides where its jobs
 * are, whom it trusts and what it does may not.
 */
export function settingsAgain(
  planned: PlannedRecord,
  asked: Settings,
  explicit: ReadonlySet<string>,
): Settings {
  const stored = recordedRequest(planned.request);
  const knownHosts = planned.startedWith?.['knownHosts'];
  const options = {
    ...asked.options,
    ...planned.startedWith,
    ...(knownHosts === '' && { knownHosts: undefined }),
  };
  const before: Settings = { request: stored, options };
  for (const [name, flag, value] of kept) {
    if (!explicit.has(name) || value(asked) === value(before)) continue;
    const was = value(before) === undefined ? `without ${flag}` : `with ${flag}=${value(before)}`;
    throw new ExitError(
      2,
      `${flag}=${value(asked)} contradicts operation ${planned.id}, which was started ${was}: leave the flag out. Nothing was changed`,
    );
  }
  const given = <Value>(name: string, now: Value, then: Value): Value => (explicit.has(name) ? now : then);
  const retries = given('retries', asked.request.retries, stored.retries);
  return {
    request: {
      ...stored,
      force: stored.force || asked.request.force,
      parallel: given('parallel', asked.request.parallel, stored.parallel),
      ...(retries !== undefined && { retries }),
    },
    options: {
      ...options,
      purge: given('purge', asked.options.purge, options.purge),
      strict: given('strict', asked.options.strict, options.strict),
      leaseTouch: given('leaseTouch', asked.options.leaseTouch, options.leaseTouch),
      leaseStale: given('leaseStale', asked.options.leaseStale, options.leaseStale),
      connectTimeout: given('connectTimeout', asked.options.connectTimeout, options.connectTimeout),
    },
  };
}
