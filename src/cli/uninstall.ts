import { setTimeout as delay } from 'node:timers/promises';
import { ExitError } from '#command/exit.ts';
import { explainedOutage, openCluster, type ClusterFlags, type OpenCluster } from '#command/open-cluster.ts';
import { packageVersion } from '#command/package-version.ts';
import { printJson, printLine, wantsJson } from '#command/print.ts';
import { systemClock } from '#edge/clock.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import { defaultPlace } from './install/install-place.ts';
import { yamlOf } from './install/kustomize-files.ts';
import { kinds } from './kinds.ts';
import { checkedNamespaces } from './namespaces-flag.ts';
import { findTraces, leaderIn } from './uninstall/find-traces.ts';
import { releaseFinalizers } from './uninstall/release-finalizers.ts';
import { removedObjects } from './uninstall/removed-objects.ts';
import { placeOf, traceLines } from './uninstall/trace-lines.ts';
import type { LeaderTrace, Traces } from './uninstall/traces.ts';

export type UninstallFlags = ClusterFlags & {
  readonly print?: boolean;
  readonly release?: boolean;
  readonly namespace: string;
  readonly namespaces?: string;
  readonly serviceMonitor?: boolean;
  readonly output?: string;
};

/** How long a cluster may take to answer, in milliseconds. */
const patience = 60_000;
const betweenLooks = 500;

/** `boathook uninstall`: what Boathook has in a cluster, and how it is removed without stopping pods. */
export async function uninstall(flags: UninstallFlags): Promise<number> {
  if (flags.print === true && flags.release === true)
    throw new ExitError(2, '--print and --release cannot be combined: run one after the other');
  if (flags.print === true) {
    process.stdout.write(yamlOf(printed(flags)));
    return 0;
  }
  const cluster = openCluster(flags, 'boathook-uninstall');
  try {
    const signal = AbortSignal.timeout(patience);
    const looking = { client: cluster.client, now: systemClock.now(), signal, kinds };
    const traces = await findTraces(looking, flags.namespace);
    if (flags.release === true) await release(cluster, traces, signal);
    else if (wantsJson(flags)) printJson(jsonOf(cluster.server, traces));
    else for (const line of traceLines(cluster.server, traces)) printLine(line);
    return 0;
  } catch (error) {
    throw explainedOutage(error, cluster.server);
  } finally {
    await cluster.close();
  }
}

function printed({
  namespace,
  namespaces,
  serviceMonitor,
}: UninstallFlags): ReturnType<typeof removedObjects> {
  const place = {
    ...defaultPlace(packageVersion()),
    namespace,
    ...(namespaces === undefined ? {} : { namespaces: checkedNamespaces('--namespaces', namespaces) }),
  };
  return removedObjects(place, serviceMonitor === true);
}

async function release(cluster: OpenCluster, traces: Traces, signal: AbortSignal): Promise<void> {
  const { client } = cluster;
  if (traces.leader !== undefined) await untilExpired(cluster, traces.namespace, traces.leader, signal);
  for (const each of traces.finalized) {
    await releaseFinalizers(client, each, signal);
    printLine(`${each.resource.plural} ${placeOf(each.object)}: removed ${each.finalizers.join(', ')}`);
  }
  printLine(`${traces.finalized.length} objects released`);
}

/** A process that lost its rights before it ended could not release its Lease. One that renews it still runs. */
async function untilExpired(
  { client }: OpenCluster,
  namespace: string,
  first: LeaderTrace,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const leader = await leaderIn({ client, now: systemClock.now(), signal }, namespace);
    if (leader === undefined) return;
    if (leader.renewTime !== first.renewTime)
      throw new ExitError(
        3,
        `the controllers still run (the leader is ${leader.holder}), and would add the finalizers again: remove them first, boathook uninstall --print | kubectl delete --ignore-not-found -f -`,
      );
    await delay(betweenLooks, undefined, { signal });
  }
}

const jsonOf = (server: string, { finalized, ...traces }: Traces) => ({
  server,
  ...traces,
  leader: traces.leader?.holder ?? null,
  kinds: traces.kinds.map((each) => ({ ...each })),
  finalized: finalized.map(({ resource, object, finalizers }) => ({
    resource: `${resource.plural}.${resource.group}`,
    namespace: namespaceOf(object),
    name: nameOf(object),
    finalizers,
  })),
});
