import type { JsonObject } from '#base/json.ts';
import type { NamespacedFlags } from '#command/in-cluster.ts';
import { openCluster, patienceMillis, refusedExit, type OpenCluster } from '#command/open-cluster.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import {
  definitions,
  instanceResource,
  registrations,
  services,
} from '#registrations/controller/resources.ts';
import { inspectCrd } from '#registrations/decide/inspect-crd.ts';
import { textAt } from '#base/json.ts';

const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };

/** The registrations of a cluster, and the instances in a namespace. Nothing is written there, and no Secret is read. */
export async function readLiveRegistrations(
  flags: NamespacedFlags,
  namespace: string,
): Promise<readonly JsonObject[]> {
  const cluster = openCluster(flags, 'boathook-rehearse');
  try {
    const all = await listed(cluster, registrations, 'CRDRegistration', undefined);
    const wanted = new Set(all.map((each) => textAt(each, 'spec', 'crd')));
    const crds = (await listed(cluster, definitions, 'CustomResourceDefinition', undefined)).filter((each) =>
      wanted.has(nameOf(each)),
    );
    const instances: KubeObject[] = [];
    for (const crd of crds) {
      const inspected = inspectCrd(crd);
      if (inspected.type === 'usable')
        instances.push(
          ...(await listed(cluster, instanceResource(inspected.kind), inspected.kind.kind, namespace)),
        );
    }
    const others = [
      ...(await listed(cluster, configMaps, 'ConfigMap', namespace)),
      ...(await listed(cluster, services, 'Service', namespace)),
      ...(await listed(cluster, hookTemplates, 'HookTemplate', namespace)),
    ];
    return [...crds, ...all, ...others.filter(isOwn), ...instances];
  } finally {
    await cluster.close();
  }
}

async function listed(
  { client }: OpenCluster,
  resource: Resource,
  kind: string,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  const where = namespace === undefined ? {} : { namespace };
  const found = await client.list(resource, where, AbortSignal.timeout(patienceMillis));
  if (found.type === 'not-found') return [];
  if (found.type !== 'ok') throw refusedExit(found, resource.plural);
  const { group, version } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return found.items.map((object) => ({ ...object, kind, apiVersion }));
}

/** The server, or the controller of a registration, makes these itself. */
const isOwn = (object: KubeObject): boolean =>
  nameOf(object) !== 'kube-root-ca.crt' &&
  nameOf(object) !== 'kubernetes' &&
  textAt(object, 'metadata', 'labels', 'app.kubernetes.io/managed-by') !== 'scoby-controller';
