import type { Metrics } from '#base/metrics.ts';
import { seconds, type Millis } from '#base/time.ts';
import type { CommandLog } from '#command/command-log.ts';
import { reportTo } from '#command/command-log.ts';
import { controlClients } from '#command/control-clients.ts';
import { ExitError } from '#command/exit.ts';
import type { LeaseTimes } from '#command/lease-times.ts';
import type { ListenPlace } from '#command/metrics-server.ts';
import type { OpenCluster } from '#command/open-cluster.ts';
import { processMetrics } from '#command/process-metrics.ts';
import { systemClock } from '#edge/clock.ts';
import { limitHeapGrowth } from '#edge/heap-growth.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { fencedTransport } from '#edge/kube/fenced-transport.ts';
import { heldBack } from '#edge/kube/held-back.ts';
import { loggedTransport } from '#edge/kube/logged-transport.ts';
import { measuredTransport } from '#edge/kube/measured-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { ClosableOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import { runLeaderElection } from '#loop/leader-election.ts';
import type { Term } from '#loop/lease-term.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { machineIo } from '#machines/cli/objects/machine-io.ts';
import type { MachineIo } from '#machines/controller/machine-io.ts';
import { controlLogs, type ControlLogs } from './control-logs.ts';
import type { ControlName } from './install/control-names.ts';
import { startControl, type Control, type StartControlDeps } from './start-controllers.ts';

export type ControllerFlags = {
  readonly log: CommandLog;
  readonly names: ReadonlySet<ControlName>;
  /** The only namespaces that the controllers use; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly identity: string;
  readonly isElected: boolean;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly times: LeaseTimes;
  /** 1: one leader does everything. */
  readonly shards: number;
  readonly filesRoot: string | undefined;
  readonly dataDir: string;
  readonly clusterDomain: string;
  readonly minHookInterval: Millis;
  /** Where to serve metrics; nowhere unless given. */
  readonly metrics: ListenPlace | undefined;
  /** Where to serve logs. */
  readonly logs: ListenPlace;
};

/** What `/readyz` waits for; undefined when the controllers run, or wait for a Lease. */
export type ServingState = { waitsFor: string | undefined };

export type Serving = {
  readonly cluster: OpenCluster;
  readonly flags: ControllerFlags;
  readonly outgoing: ClosableOutgoing;
  /** Undefined without `--metrics-address`. */
  readonly metrics: Metrics | undefined;
  readonly state: ServingState;
};

/** Runs the controllers whenever this process is the leader, or all the time without leader election. */
export async function serveControllers(serving: Serving, signal: AbortSignal): Promise<void> {
  const { cluster, flags, metrics } = serving;
  metrics?.gauge(processMetrics.leader).set({}, 0);
  if (!flags.isElected) return lead(serving, { signal, mayWrite: () => true });
  const { lease, identity, log, times } = flags;
  serving.state.waitsFor = undefined;
  log.say(
    `${identity} stands for election by the Lease ${lease.namespace}/${lease.name} on ${cluster.server}`,
  );
  const over = new AbortController();
  await runLeaderElection(
    {
      client: cluster.client,
      clock: systemClock,
      random: systemRandom,
      lease,
      identity,
      ...times,
      report: reportTo(log),
      async lead(term) {
        await Promise.race([lead(serving, term), lostFor(term, signal)]);
        if (!signal.aborted) over.abort(term.signal.reason);
      },
    },
    AbortSignal.any([signal, over.signal]),
  );
  if (over.signal.aborted) throw leaseLost(flags, over.signal.reason);
}

/** After the Lease is lost, work in progress gets this long to end. */
const closing = seconds(5);

/** Settles some time after the Lease was lost; never when the process itself is stopped. */
export function lostFor({ signal }: Pick<Term, 'signal'>, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      if (!stopped.aborted) systemClock.after(closing, resolve);
    });
  });
}

/** Like kube-controller-manager, a process that loses its Lease ends: its caches may be stale. */
export const leaseLost = (
  { lease, identity }: Pick<ControllerFlags, 'lease' | 'identity'>,
  why: unknown,
): ExitError =>
  new ExitError(
    1,
    `${identity} lost the Lease ${lease.namespace}/${lease.name} (${why instanceof Error ? why.message : 'unknown'}) and ends, so that two never work at once; start it again, or let a Deployment do so`,
  );

/** What all controllers of a process share. */
export type ControllerParts = { readonly logs: ControlLogs; readonly machines: MachineIo };

export function openParts({ flags }: Serving): ControllerParts {
  const logs = controlLogs({
    dataDir: flags.dataDir,
    at: flags.logs,
    names: flags.names,
    namespace: flags.lease.namespace,
    holder: flags.identity,
    clock: systemClock,
    inform: (message, fields) => flags.log.info(message, fields),
    report: (problem) => flags.log.error('logs cannot be served', { error: String(problem) }),
  });
  return { logs, machines: machineIo({ ...flags, outputs: logs.outputs }) };
}

/** Runs all controllers until the process is stopped or loses the Lease. */
async function lead(serving: Serving, term: Pick<Term, 'signal' | 'mayWrite'>): Promise<void> {
  const { cluster, flags, metrics, state } = serving;
  const { signal } = term;
  const leading = metrics?.gauge(processMetrics.leader);
  leading?.set({}, 1);
  state.waitsFor = notLookedYet;
  const parts = openParts(serving);
  const control = startTerm(serving, { term, parts });
  const ended = whenAborted(signal);
  await Promise.race([control.synced, ended]);
  state.waitsFor = undefined;
  limitHeapGrowth(heapGrowthPercent);
  if (!signal.aborted) flags.log.say(`running ${[...flags.names].join(', ')} on ${cluster.server}`);
  await ended;
  leading?.set({}, 0);
  await parts.logs.close();
  await control.close();
}

/** Measured with 10,000 workloads: a quarter less memory than without a limit, and no more CPU time. */
export const heapGrowthPercent = 60;

export const notLookedYet = 'the controllers have not looked at everything yet';

export type ControlledTerm = {
  readonly term: Pick<Term, 'mayWrite'>;
  readonly parts: ControllerParts;
  /** What the controllers reconcile; everything unless given. */
  readonly scope?: Pick<StartControlDeps, 'names' | 'owns' | 'keeps'>;
  /** Where the beginning of logs is announced; the logs of the process unless given. */
  readonly logs?: StartControlDeps['logs'];
};

/** Starts the controllers of a term. Nothing of them leaves the process when the term is over. */
export function startTerm(serving: Serving, { term, parts, scope, logs }: ControlledTerm): Control {
  const { cluster, flags, outgoing, metrics } = serving;
  const mayWrite = (): boolean => term.mayWrite();
  const transport = observed(fencedTransport(cluster.transport, mayWrite), serving);
  return startControl({
    ...controlClients(transport, systemClock),
    outgoing: (request, ended) => (mayWrite() ? outgoing(request, ended) : Promise.reject(heldBack())),
    metrics,
    hmac: hmacSha256Hex,
    machines: parts.machines,
    calls: parts.logs.calls,
    logs: logs ?? parts.logs,
    minHookInterval: flags.minHookInterval,
    environment: { namespace: flags.lease.namespace, clusterDomain: flags.clusterDomain },
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    report: reportTo(flags.log),
    streamsLists: true,
    names: flags.names,
    namespaces: flags.namespaces,
    ...scope,
  });
}

/** Counts requests when metrics are served, and logs them at level debug. */
function observed(transport: Transport, { metrics, flags: { log } }: Serving): Transport {
  const measured = metrics === undefined ? transport : measuredTransport(transport, metrics, systemClock);
  return log.level === 'debug' ? loggedTransport(measured, log, systemClock) : measured;
}
