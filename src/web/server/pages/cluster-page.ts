import { textAt, type Json } from '#base/json.ts';
import { conditionsOf } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { ClusterPage } from '#web/wire/cluster-page.ts';
import { clusterGrid } from './cluster-grid.ts';
import { readEvents, watchEvents } from './page-events.ts';
import { readOutputs } from './cluster-outputs.ts';
import { refusedPage, watchOne, type PageReader } from './page-reader.ts';

/** The page of a Cluster with its Machines. */
export async function readClusterPage(
  { client, askLog, permissions, user }: PageReader,
  { name }: { readonly name: string },
  signal: AbortSignal,
): Promise<ReadPage> {
  const own = watchOne(clusters, { name });
  const outcome = await client.get(clusters, { name }, signal);
  if (outcome.type !== 'ok') return refusedPage(outcome, `Cluster ${name}`, [own]);
  const cluster = outcome.object;
  const about = { kind: 'Cluster', namespace: '', name };
  const [workers, events, mayRetry] = await Promise.all([
    client.list(machines, {}, signal),
    readEvents(client, about, cluster, signal),
    permissions.may({ verb: 'patch', resource: clusters, namespace: '', name }, user, signal),
  ]);
  const joined = workers.type === 'ok' ? workers.items.filter((each) => isOf(each, name)) : [];
  const outputs = await readOutputs(askLog, name, [cluster, ...joined], signal);
  const page: ClusterPage = {
    ...clusterFacts(cluster),
    outputs,
    ...clusterGrid([cluster, ...joined.map((each) => ({ kind: 'Machine', ...each }))]),
    events,
    mayRetry,
  };
  const watch = [own, { resource: machines }, watchEvents(about)];
  return { type: 'object', object: { type: 'cluster', page }, watch };
}

const isOf = (machine: KubeObject, cluster: string): boolean =>
  textAt(machine, 'spec', 'clusterName') === cluster;

function clusterFacts(
  cluster: KubeObject,
): Pick<ClusterPage, 'name' | 'phase' | 'version' | 'message' | 'operation' | 'conditions'> {
  const text = (...path: readonly string[]): string => textAt(cluster, ...path) ?? '';
  return {
    name: text('metadata', 'name'),
    phase: text('status', 'phase') || 'Pending',
    version: text('status', 'version') || text('spec', 'version'),
    message: text('status', 'message'),
    operation: text('status', 'operation', 'type'),
    conditions: conditionsOf(cluster).map(conditionRow),
  };
}

function conditionRow(condition: Json): ClusterPage['conditions'][number] {
  const text = (name: string): string => textAt(condition, name) ?? '';
  return {
    type: text('type'),
    status: text('status'),
    reason: text('reason'),
    message: text('message'),
    time: text('lastTransitionTime'),
  };
}
