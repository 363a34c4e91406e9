import { join, resolve } from 'node:path';
import type { AuthorizationMode } from '#embedded/server/rbac/access.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import { controlNames, type ControlName } from './install/control-names.ts';
import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import type { OutgoingPolicy } from '#edge/outgoing/policy.ts';
import { profileNames } from '#embedded/nodes/tuning/profiles.ts';
import type { NodeOptions } from '#embedded/start.ts';
import { chosen, oneOf } from '#command/chosen-names.ts';
import { flagsOf } from '#command/flags.ts';
import { ExitError } from '#command/exit.ts';
import { logPlaceOf } from '#command/logs/log-place.ts';
import { metricsPlaceOf, type ListenPlace } from '#command/metrics-server.ts';
import { openLog, type CommandLog } from '#command/command-log.ts';
import { leastHookInterval } from '#hooks/cli/hook-interval.ts';
import { outgoingPolicy } from '#command/outgoing-flags.ts';

export type UpOptions = {
  readonly log: CommandLog;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  readonly host: string;
  readonly port: number;
  /** 0: any free one. Undefined: no dashboard. */
  readonly dashboardPort: number | undefined;
  /** Whether the dashboard is opened in a browser. */
  readonly opensBrowser: boolean;
  readonly kubeconfig: string;
  readonly tokenFile: string | undefined;
  readonly authorization: AuthorizationMode;
  /** How long events are kept; 0 for ever. */
  readonly eventTtl: Millis;
  readonly controllers: ReadonlySet<ControlName>;
  readonly outgoing: OutgoingPolicy;
  readonly kubeControllers: ReadonlySet<ControllerName>;
  readonly nodes: NodeOptions;
  /** How many simulated machines with SSH servers. */
  readonly machines: number;
  /** Where to serve metrics; nowhere unless given. */
  readonly metrics: ListenPlace | undefined;
  /** Where to serve logs. */
  readonly logs: ListenPlace;
  readonly minHookInterval: Millis;
  /** Where sources of Clusters are; none unless given. */
  readonly filesRoot: string | undefined;
};

/** Flags as commander gives them, checked. */
export function upOptions(given: Readonly<Record<string, unknown>>): UpOptions {
  const flags = flagsOf(given);
  const text = (name: string): string => flags.text(name) ?? '';
  const dataDir = resolve(text('dataDir'));
  const port = portOf('--port', text('port'));
  const metricsAddress = flags.text('metricsAddress');
  return {
    log: openLog(given),
    dataDir,
    ephemeral: flags.isOn('ephemeral'),
    host: text('host'),
    port,
    dashboardPort: dashboardPortOf(given, port),
    opensBrowser: flags.isOn('open'),
    kubeconfig: flags.path('kubeconfig') ?? join(dataDir, 'kubeconfig'),
    authorization: authorizationOf(text('authorization')),
    eventTtl: ttlOf(text('eventTtl')),
    tokenFile: flags.path('tokenFile'),
    filesRoot: flags.path('filesRoot'),
    metrics: metricsAddress === undefined ? undefined : metricsPlaceOf(metricsAddress),
    logs: logPlaceOf(flags.text('logAddress')),
    minHookInterval: leastHookInterval(flags.text('minHookInterval')),
    controllers: chosen('--controllers', text('controllers'), controlNames),
    // The user of an embedded control plane also runs its hooks, often on the same machine.
    outgoing: outgoingPolicy(given, { allowLoopback: true }),
    kubeControllers: chosen('--kube-controllers', text('kubeControllers'), controllerNames),
    nodes: nodeFlags(given),
    machines: numberOf('--machines', text('machines'), { least: 0, most: 200, whole: true }),
  };
}

/** The flags about simulated nodes, which `up` and `nodes` share. */
export function nodeFlags(given: Readonly<Record<string, unknown>>): NodeOptions {
  const flags = flagsOf(given);
  const text = (name: string): string => flags.text(name) ?? '';
  return {
    count: numberOf('--nodes', text('nodes'), { least: 0, most: 5000, whole: true }),
    profile: oneOf('--profile', text('profile'), profileNames),
    timeScale: numberOf('--time-scale', text('timeScale'), { least: 0.0001, most: 1000, whole: false }),
    seed: numberOf('--seed', text('seed'), { least: 0, most: 4_294_967_295, whole: true }),
  };
}

export function portOf(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new ExitError(2, `${flag} ${text} is not a port: give a number from 0 to 65535 (0 picks a free one)`);
}

/** Where the dashboard is unless `--dashboard-port` is given. */
const usualDashboardPort = 7080;

/** With `--port 0` any free one, so that several clusters can run beside each other. */
function dashboardPortOf(given: Readonly<Record<string, unknown>>, port: number): number | undefined {
  if (given['dashboard'] === false) return undefined;
  const chosen = flagsOf(given).text('dashboardPort');
  if (chosen !== undefined) return portOf('--dashboard-port', chosen);
  return port === 0 ? 0 : usualDashboardPort;
}

function authorizationOf(text: string): AuthorizationMode {
  if (text === 'allow' || text === 'rbac') return text;
  throw new ExitError(2, `--authorization ${text} does not exist: use rbac or allow`);
}

function ttlOf(text: string): Millis {
  const ttl = parseDuration(text);
  if (ttl !== undefined) return ttl;
  throw new ExitError(
    2,
    `--event-ttl ${text} is not a duration: use one such as 30m or 1h, or 0 to keep events for ever`,
  );
}

type Bounds = { readonly least: number; readonly most: number; readonly whole: boolean };

function numberOf(flag: string, text: string, { least, most, whole }: Bounds): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new ExitError(
    2,
    `${flag} ${text} is not ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}`,
  );
}
