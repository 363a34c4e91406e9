import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { apiVersionOfKind } from '#schema/kind/kind.ts';
import { productKinds } from './product-kinds.ts';
import { crdName } from '#schema/kind/crd.ts';
import { seconds } from '#base/time.ts';
import { controlNames } from './install/control-names.ts';
import { systemClock } from '#edge/clock.ts';
import { measurePace } from '#edge/kube/measured-transport.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { logPlaceOf } from '#command/logs/log-place.ts';
import { controlAgent } from '#command/control-clients.ts';
import { clusterFlagsIn } from '#command/cluster-options.ts';
import { openLog, unexpectedTo } from '#command/command-log.ts';
import { flagsOf } from '#command/flags.ts';
import { ExitError } from '#command/exit.ts';
import { leaseTimes } from '#command/lease-times.ts';
import { ensureLeaseNamespace } from '#command/lease-namespace.ts';
import { metricsPlaceOf, openFigures } from '#command/metrics-server.ts';
import { leastHookInterval } from '#hooks/cli/hook-interval.ts';
import { outgoingPolicy } from '#command/outgoing-flags.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { clusterDomainHere } from '#registrations/cli/cluster-domain.ts';
import { chosen } from '#command/chosen-names.ts';
import { checkedNamespaces, namespacedControllers } from './namespaces-flag.ts';
import { serveControllers, type ControllerFlags, type ServingState } from './serve-controllers.ts';
import { shardsOf } from '#command/shards-flag.ts';

const patience = seconds(30);
/** The Leases of shards have its name as a label. */
const mostLabel = 63;

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
  const state: ServingState = { waitsFor: 'the cluster has not been asked for our kinds yet' };
  const waitsFor = (): string | undefined => state.waitsFor;
  try {
    const report = unexpectedTo(flags.log);
    await using figures = await openFigures(flags.metrics, { waitsFor, report });
    const { metrics, url } = figures;
    if (metrics !== undefined) measurePace(cluster.pace, metrics);
    if (url !== undefined) flags.log.say(`metrics at ${url}/metrics`);
    await check(cluster, flags);
    const serving = { cluster, flags, outgoing, metrics, state };
    if (flags.shards === 1) await serveControllers(serving, stop.signal);
    else {
      const { serveShards } = await import('./serve-shards.ts');
      await serveShards(serving, stop.signal);
    }
    return 0;
  } finally {
    await outgoing.close();
    await cluster.close();
    clearInterval(alive);
  }
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
  const shards = shardsOf(text('shards') ?? '1');
  const isElected = given['leaderElection'] !== false;
  if (shards > 1 && !isElected)
    throw new ExitError(2, '--shards needs Leases: leave out --no-leader-election');
  const leaseName = text('leaseName') ?? '';
  if (shards > 1 && leaseName.length > mostLabel)
    throw new ExitError(
      2,
      `--lease-name ${leaseName} is too long for --shards: at most ${mostLabel} characters`,
    );
  return {
    ...whatToRun(given),
    log: openLog(given),
    times: leaseTimes(given),
    identity: text('identity') ?? `${hostname()}-${process.pid}-${systemRandom.uuid().slice(0, 8)}`,
    isElected,
    lease: { namespace: text('leaseNamespace') ?? '', name: leaseName },
    shards,
    filesRoot: path('filesRoot'),
    dataDir: path('dataDir') ?? resolve(''),
    clusterDomain: clusterDomainHere(text('clusterDomain')),
    minHookInterval: leastHookInterval(text('minHookInterval')),
    metrics: metricsAddress === undefined ? undefined : metricsPlaceOf(metricsAddress),
    logs: logPlaceOf(text('logAddress')),
  };
}
