import type { KubeClient } from '#edge/kube/client.ts';
import { isDeleting, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { namespaces } from '#loop/owned/resources.ts';
import type { WorkloadInformers } from './workload-informers.ts';
import { runsOf } from './workload-runs.ts';
import { withoutUpdate, type SnapshotReader } from './workload-snapshot.ts';

export type InformerReaderDeps = {
  readonly informers: WorkloadInformers;
  readonly newest: Newest;
  readonly client: Pick<KubeClient, 'get'>;
};

/** What the controller has claimed and created for a workload just before: the informers may not show it yet. */
export type ClaimedObjects = {
  readonly workload: KubeObject;
  readonly revisions: readonly KubeObject[];
  readonly updateRevision: KubeObject;
  readonly pods: readonly KubeObject[];
};

/** Reads a snapshot from informers. Only a workload that is being deleted needs a request, for its namespace. */
export function informerReader(
  { informers, newest, client }: InformerReaderDeps,
  claimed: ClaimedObjects,
  signal: AbortSignal,
): SnapshotReader {
  const { runs, templates, nodes, claims } = informers;
  return {
    workload: () => Promise.resolve(claimed.workload),
    revisions: () => Promise.resolve(withoutUpdate(claimed.revisions, claimed.updateRevision)),
    pods: () => Promise.resolve(claimed.pods.map((pod) => newest.of(pod))),
    runs: (workload) =>
      Promise.resolve({
        own: runsOf(runs, newest, workload),
        named: (name) => runs.get(namespaceOf(workload), name),
      }),
    templates: (workload) => Promise.resolve((name) => templates.get(namespaceOf(workload), name)),
    nodes: () => Promise.resolve((name) => (nodes === undefined ? unseenNode(name) : nodes.get('', name))),
    claims: (namespace) => Promise.resolve((name) => claims?.get(namespace, name)),
    // The reconciler reads them at the moment of the decision.
    budgets: () => Promise.resolve([]),
    async isNamespaceEnding(name) {
      const found = await client.get(namespaces, { namespace: '', name }, signal);
      return found.type === 'not-found' || (found.type === 'ok' && isDeleting(found.object));
    },
  };
}

/** Without the right to read nodes every node counts as ready: no pod is given up on a guess. */
const unseenNode = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
