import type { JsonObject } from '#base/json.ts';
import { openCluster, refusedExit, patienceMillis } from '#command/open-cluster.ts';
import type { NamespacedFlags } from '#command/in-cluster.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { workloadKinds } from '#releases/cli/workload-name.ts';

const core = (plural: string): Resource => ({ group: '', version: 'v1', plural, namespaced: true });
const budgets: Resource = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

/** What a release depends on. Secrets are not read: hooks get recorded replies. */
const read: readonly { readonly resource: Resource; readonly kind: string; readonly apiVersion: string }[] = [
  ...workloadKinds.map(({ resource, kind }) => ({ resource, kind, apiVersion: versionOf(resource) })),
  { resource: hookTemplates, kind: 'HookTemplate', apiVersion: versionOf(hookTemplates) },
  { resource: core('configmaps'), kind: 'ConfigMap', apiVersion: 'v1' },
  { resource: core('services'), kind: 'Service', apiVersion: 'v1' },
  { resource: budgets, kind: 'PodDisruptionBudget', apiVersion: 'policy/v1' },
];

function versionOf({ group, version }: Resource): string {
  return `${group}/${version}`;
}

/** The objects of a namespace of a cluster. Nothing is written there. */
export async function readLiveObjects(
  flags: NamespacedFlags,
  namespace: string,
): Promise<readonly JsonObject[]> {
  const cluster = openCluster(flags, 'boathook-rehearse');
  try {
    const found: KubeObject[] = [];
    for (const { resource, kind, apiVersion } of read) {
      const listed = await cluster.client.list(resource, { namespace }, AbortSignal.timeout(patienceMillis));
      if (listed.type === 'not-found') continue;
      if (listed.type !== 'ok') throw refusedExit(listed, `${resource.plural} in namespace ${namespace}`);
      found.push(...listed.items.filter(isOwn).map((object) => ({ ...object, kind, apiVersion })));
    }
    return found;
  } finally {
    await cluster.close();
  }
}

/** The server creates this ConfigMap in every namespace. */
const isOwn = ({ metadata }: KubeObject): boolean =>
  (metadata as { readonly name?: string } | undefined)?.name !== 'kube-root-ca.crt';
