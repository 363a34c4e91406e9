import { listAt, objectAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { refusedExit } from '#command/open-cluster.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { deployments, pods } from '#loop/owned/resources.ts';
import { clusterFinalizer, machineFinalizer } from '#machines/kinds/resources.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { finalizer as instanceFinalizer } from '#registrations/model/registration.ts';
import { preDeleteFinalizer } from '#releases/model/well-known.ts';
import { holderOf } from '#cli/doctor/held-lock.ts';
import type { Kind } from '#schema/kind/kind.ts';
import type { FinalizedObject, KindTrace, LeaderTrace, Traces } from './traces.ts';

const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
const bindings: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  namespaced: true,
};
const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const ourFinalizers: ReadonlySet<string> = new Set([
  preDeleteFinalizer,
  clusterFinalizer,
  machineFinalizer,
  instanceFinalizer,
]);

type Looking = {
  readonly client: Pick<KubeClient, 'get' | 'list'>;
  readonly now: Instant;
  readonly signal: AbortSignal;
  /** Every kind that Boathook brings. */
  readonly kinds: readonly Kind[];
};

/** Reads what Boathook has in a cluster. */
export async function findTraces(looking: Looking, namespace: string): Promise<Traces> {
  const { client, kinds, signal } = looking;
  const deployment = await client.get(deployments, { namespace, name: 'boathook-controller' }, signal);
  const ours = await Promise.all(
    kinds.map(async (kind) => ({ kind, objects: await all(looking, resourceOf(kind)) })),
  );
  const everyPod = await all(looking, pods);
  const registrations = ours.find(({ kind }) => kind === crdRegistration)?.objects ?? [];
  return {
    namespace,
    isInstalled: deployment.type === 'ok',
    leader: await leaderIn(looking, namespace),
    kinds: ours
      .filter(({ objects }) => objects.length > 0)
      .map(({ kind, objects }): KindTrace => ({
        name: `${kind.plural}.${kind.group}`,
        kind: kind.kind,
        count: objects.length,
      })),
    podCount: everyPod.filter(isOfWorkload).length,
    finalized: [
      ...ours.flatMap(({ kind, objects }) => finalizedIn(resourceOf(kind), objects)),
      ...finalizedIn(pods, everyPod),
      ...(await instancesOf(looking, registrations)),
    ],
    grants: (await all(looking, bindings))
      .filter((each) => nameOf(each) === 'boathook-controller-secrets')
      .map((each) => `RoleBinding ${namespaceOf(each)}/${nameOf(each)}`),
  };
}

/** The objects of a resource; none when the cluster does not serve it. */
async function all({ client, signal }: Looking, resource: Resource): Promise<readonly KubeObject[]> {
  const listed = await client.list(resource, {}, signal);
  if (listed.type === 'ok') return listed.items;
  if (listed.type === 'not-found') return [];
  throw refusedExit(listed, `${resource.plural} of all namespaces`);
}

const isOfWorkload = (pod: KubeObject): boolean =>
  ['GameDeployment', 'GameStatefulSet'].includes(controllerOf(pod)?.kind ?? '');

const finalizersOf = (object: KubeObject): readonly string[] =>
  listAt(object, 'metadata', 'finalizers').filter(
    (each): each is string => typeof each === 'string' && ourFinalizers.has(each),
  );

const finalizedIn = (resource: Resource, objects: readonly KubeObject[]): readonly FinalizedObject[] =>
  objects
    .map((object) => ({ resource, object, finalizers: finalizersOf(object) }))
    .filter(({ finalizers }) => finalizers.length > 0);

/** Instances of the registered kinds. */
async function instancesOf(
  looking: Looking,
  registrations: readonly KubeObject[],
): Promise<readonly FinalizedObject[]> {
  const found = await Promise.all(
    registrations.map(async (registration) => {
      const name = textAt(registration, 'spec', 'crd') ?? '';
      const definition = await looking.client.get(definitions, { name }, looking.signal);
      if (definition.type !== 'ok') return [];
      const resource = storedResource(definition.object);
      return finalizedIn(resource, await all(looking, resource));
    }),
  );
  return found.flat();
}

function storedResource(definition: KubeObject): Resource {
  const versions = listAt(definition, 'spec', 'versions');
  const stored = versions.find((each) => (each as KubeObject)['storage'] === true) ?? versions[0];
  return {
    group: textAt(definition, 'spec', 'group') ?? '',
    version: textAt(stored, 'name') ?? '',
    plural: textAt(definition, 'spec', 'names', 'plural') ?? '',
    namespaced: textAt(definition, 'spec', 'scope') !== 'Cluster',
  };
}

/** The holder of a Lease of the controllers that is still renewed. */
export async function leaderIn(
  { client, now, signal }: Pick<Looking, 'client' | 'now' | 'signal'>,
  namespace: string,
): Promise<LeaderTrace | undefined> {
  const listed = await client.list(leases, { namespace }, signal);
  if (listed.type !== 'ok') return undefined;
  const leaders = listed.items
    .filter((lease) => nameOf(lease).startsWith('boathook-controller'))
    .flatMap((lease) => {
      const holder = holderOf(objectAt(lease, 'spec'), now);
      return holder === undefined ? [] : [{ holder, renewTime: textAt(lease, 'spec', 'renewTime') ?? '' }];
    });
  // Of several shards the one that was renewed last: it expires last.
  return leaders.toSorted((left, right) => (left.renewTime > right.renewTime ? -1 : 1))[0];
}
