import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { apiVersionOfKind } from '#schema/kind/kind.ts';
import { productKinds } from './product-kinds.ts';
import { crdName } from '#schema/kind/crd.ts';
import type { Metrics } from '#base/metrics.ts';
import { seconds, type Millis } from '#base/time.ts';
import { controlLogs } from './control-logs.ts';
import { controlNames, type ControlName } from './install/control-names.ts';
import { startControl } from './start-controllers.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { fencedTransport } from '#edge/kube/fenced-transport.ts';
import { heldBack } from '#edge/kube/held-back.ts';
import { loggedTransport } from '#edge/kube/logged-transport.ts';
import { measuredTransport, measurePace } from '#edge/kube/measured-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { createOutgoing, type ClosableOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import { runLeaderElection, type Term } from '#loop/leader-election.ts';
import { logPlaceOf } from '#command/logs/log-place.ts';
import { machineIo } from '#machines/cli/objects/machine-io.ts';
import { controlAgent, controlClients } from '#command/control-clients.ts';
import { clusterFlagsIn } from '#command/cluster-options.ts';
import { openLog, reportTo, unexpectedTo, type CommandLog } from '#command/command-log.ts';
import { flagsOf } from '#command/flags.ts';
import { ExitError } from '#command/exit.ts';
import { leaseTimes, type LeaseTimes } from '#command/lease-times.ts';
import { ensureLeaseNamespace } from '#command/lease-namespace.ts';
import { metricsPlaceOf, openFigures, type ListenPlace } from '#command/metrics-server.ts';
import { processMetrics } from '#command/process-metrics.ts';
import { leastHookInterval } from '#hooks/cli/hook-interval.ts';
import { outgoingPolicy } from '#command/outgoing-flags.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { clusterDomainHere } from '#registrations/cli/cluster-domain.ts';
import { chosen } from '#command/chosen-names.ts';
import { checkedNamespaces, namespacedControllers } from './namespaces-flag.ts';

const patience = seconds(30);

type ControllerFlags = {
  readonly log: CommandLog;
  readonly names: ReadonlySet<ControlName>;
  /** The only namespaces that the controllers use; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly identity: string;
  readonly isElected: boolean;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly times: LeaseTimes;
  readonly filesRoot: string | undefined;
  readonly dataDir: string;
  readonly clusterDomain: string;
  readonly minHookInterval: Millis;
  /** Where to serve metrics; nowhere unless given. */
  readonly metrics: ListenPlace | undefined;
  /** Where to serve logs. */
  readonly logs: ListenPlace;
};

/** `boathook controller`: Boathook's controllers in a process of their own, for any API server. */
export async function controller(given: Readonly<Record<string, unknown>>): Promise<number> {
  const flags = controllerFlags(given);
  const outgoing = createOutgoing({
    policy: outgoingPolicy(given, { allowLoopback: false }),
    clock: systemClock,
  });
  const cluster = openCluster(clusterFlagsIn(given), controlAgent);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('the command ends')));
  // Keeps the process alive while the API server is away: idle connections alone do not.
  const alive = setInterval(() => undefined, 60_000);
  const state: State = { waitsFor: 'the cluster has not been asked for our kinds yet' };
  const waitsFor = (): string | undefined => state.waitsFor;
  try {
    const report = unexpectedTo(flags.log);
    await using figures = await openFigures(flags.metrics, { waitsFor, report });
    const { metrics, url } = figures;
    if (metrics !== undefined) measurePace(cluster.pace, metrics);
    if (url !== undefined) flags.log.say(`metrics at ${url}/metrics`);
    await check(cluster, flags);
    await serve({ cluster, flags, outgoing, metrics, state }, stop.signal);
    return 0;
  } finally {
    await outgoing.close();
    await cluster.close();
    clearInterval(alive);
  }
}

/** What `/readyz` waits for; undefined when the controllers run, or wait for the Lease. */
type State = { waitsFor: string | undefined };

type Serving = {
  readonly cluster: OpenCluster;
  readonly flags: ControllerFlags;
  readonly outgoing: ClosableOutgoing;
  /** Undefined without `--metrics-address`. */
  readonly metrics: Metrics | undefined;
  readonly state: State;
};

async function serve(serving: Serving, signal: AbortSignal): Promise<void> {
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
function lostFor({ signal }: Pick<Term, 'signal'>, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      if (!stopped.aborted) systemClock.after(closing, resolve);
    });
  });
}

/** Like kube-controller-manager, a process that loses its Lease ends: its caches may be stale. */
const leaseLost = ({ lease, identity }: ControllerFlags, why: unknown): ExitError =>
  new ExitError(
    1,
    `${identity} lost the Lease ${lease.namespace}/${lease.name} (${why instanceof Error ? why.message : 'unknown'}) and ends, so that two never work at once; start it again, or let a Deployment do so`,
  );

/** Runs the controllers until the process is stopped or loses the Lease. */
async function lead(serving: Serving, term: Pick<Term, 'signal' | 'mayWrite'>): Promise<void> {
  const { cluster, flags, outgoing, metrics, state } = serving;
  const { signal } = term;
  const mayWrite = (): boolean => term.mayWrite();
  const transport = observed(fencedTransport(cluster.transport, mayWrite), serving);
  const leading = metrics?.gauge(processMetrics.leader);
  leading?.set({}, 1);
  state.waitsFor = 'the controllers have not looked at everything yet';
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
  const control = startControl({
    ...controlClients(transport, systemClock),
    outgoing: (request, ended) => (mayWrite() ? outgoing(request, ended) : Promise.reject(heldBack())),
    metrics,
    hmac: hmacSha256Hex,
    machines: machineIo({ ...flags, outputs: logs.outputs }),
    calls: logs.calls,
    logs,
    minHookInterval: flags.minHookInterval,
    environment: { namespace: flags.lease.namespace, clusterDomain: flags.clusterDomain },
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    report: reportTo(flags.log),
    streamsLists: true,
    names: flags.names,
    namespaces: flags.namespaces,
  });
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([control.synced, ended]);
  state.waitsFor = undefined;
  if (!signal.aborted) flags.log.say(`running ${[...flags.names].join(', ')} on ${cluster.server}`);
  await ended;
  leading?.set({}, 0);
  await logs.close();
  await control.close();
}

/** Counts requests when metrics are served, and logs them at level debug. */
function observed(transport: Transport, { metrics, flags: { log } }: Serving): Transport {
  const measured = metrics === undefined ? transport : measuredTransport(transport, metrics, systemClock);
  return log.level === 'debug' ? loggedTransport(measured, log, systemClock) : measured;
}

/** Checks the cluster before the controllers start. */
async function check({ client, server }: OpenCluster, { isElected, lease }: ControllerFlags): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  try {
    mustBe(await client.raw('/version', signal), 'the version of the server');
    for (const kind of productKinds) {
      const found = await client.resourceOf({ apiVersion: apiVersionOfKind(kind), kind: kind.kind }, signal);
      if (found.type === 'ok') continue;
      if (found.type !== 'not-found') mustBe(found, crdName(kind));
      throw new ExitError(
        1,
        `the cluster at ${server} does not know ${crdName(kind)}; run: boathook crds | kubectl apply -f -`,
      );
    }
    if (isElected) await ensureLeaseNamespace(client, lease.namespace, signal);
  } catch (error) {
    throw explainedOutage(error, server);
  }
}

/** The controllers, and the namespaces that they use. */
function whatToRun(given: Readonly<Record<string, unknown>>): Pick<ControllerFlags, 'names' | 'namespaces'> {
  const { text, texts } = flagsOf(given);
  const listed = texts('controllers');
  const isAll = listed.length === 0 || listed.includes('all');
  const names = chosen('--controllers', isAll ? 'all' : listed.join(','), controlNames);
  if (names.size === 0)
    throw new ExitError(2, `--controllers none leaves nothing to do: choose from ${controlNames.join(', ')}`);
  const list = text('namespaces');
  if (list === undefined) return { names, namespaces: undefined };
  return {
    names: namespacedControllers(names, isAll),
    namespaces: checkedNamespaces('--namespaces', list),
  };
}

function controllerFlags(given: Readonly<Record<string, unknown>>): ControllerFlags {
  const { text, path } = flagsOf(given);
  const metricsAddress = text('metricsAddress');
  return {
    ...whatToRun(given),
    log: openLog(given),
    times: leaseTimes(given),
    identity: text('identity') ?? `${hostname()}-${process.pid}-${systemRandom.uuid().slice(0, 8)}`,
    isElected: given['leaderElection'] !== false,
    lease: { namespace: text('leaseNamespace') ?? '', name: text('leaseName') ?? '' },
    filesRoot: path('filesRoot'),
    dataDir: path('dataDir') ?? resolve(''),
    clusterDomain: clusterDomainHere(text('clusterDomain')),
    minHookInterval: leastHookInterval(text('minHookInterval')),
    metrics: metricsAddress === undefined ? undefined : metricsPlaceOf(metricsAddress),
    logs: logPlaceOf(text('logAddress')),
  };
}
