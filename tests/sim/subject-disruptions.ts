import { textAt } from '#base/json.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { isDeleting, nameOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { claims, pods } from '#loop/owned/resources.ts';
import { breakGlassAnnotation } from '#releases/model/well-known.ts';
import { claimsOf } from './judges/claim-judge.ts';
import type { HappeningPlan } from './plan-happenings.ts';
import type { SimCluster } from './sim-cluster.ts';
import { resources } from './subject-objects.ts';

const never = new AbortController().signal;

export type Disruption = Extract<
  HappeningPlan,
  { readonly type: 'evict-pod' | 'delete-claim' | 'break-workload-glass' }
>;

type Place = {
  readonly cluster: SimCluster;
  readonly namespace: string;
  readonly workload: KubeObject | undefined;
};

/** What users do to the pods and claims of a workload. */
export async function disrupt(place: Place, disruption: Disruption): Promise<void> {
  const { cluster, namespace } = place;
  if (disruption.type === 'break-workload-glass') return breakGlass(place, disruption.isReadable);
  const there = cluster.server.stored('/pods', namespace).filter((pod) => !isDeleting(pod));
  const pod = there[disruption.which % Math.max(1, there.length)];
  switch (disruption.type) {
    case 'evict-pod':
      if (pod !== undefined) await evictPod(cluster, pod);
      return;
    case 'delete-claim':
      await deleteClaim(place, disruption, pod);
  }
}

/** A budget that allows no disruption refuses it. */
async function evictPod(cluster: SimCluster, pod: KubeObject): Promise<void> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: objectKeyOf(pod) };
  try {
    await cluster.asked(cluster.client.create(pods, eviction, never, { subresource: 'eviction' }));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/** The hook of a workload in deletion does not let its pods go, and a user wants them gone. */
async function breakGlass({ cluster, namespace, workload }: Place, isReadable: boolean): Promise<void> {
  if (workload === undefined || !isDeleting(workload)) return;
  const value = isReadable ? 'alice: the region is gone' : 'please';
  const body = { metadata: { annotations: { [breakGlassAnnotation]: value } } };
  const resource =
    resources[textAt(workload, 'kind') === 'GameDeployment' ? 'GameDeployment' : 'GameStatefulSet'];
  const key = { namespace, name: nameOf(workload) };
  await cluster.asked(cluster.client.patch(resource, key, { type: 'merge', body }, never));
}

/** A claim and perhaps the pod that uses it: then the claim is gone when the pod is. */
async function deleteClaim(
  { cluster, namespace }: Place,
  { which, hasPod }: Extract<Disruption, { readonly type: 'delete-claim' }>,
  pod: KubeObject | undefined,
): Promise<void> {
  const all = cluster.server.stored('/persistentvolumeclaims', namespace);
  const used = pod === undefined ? [] : claimsOf(pod);
  const claim = all.find((each) => used.includes(nameOf(each))) ?? all[which % Math.max(1, all.length)];
  if (claim === undefined || isDeleting(claim)) return;
  cluster.disruptions.claims.give(namespace, nameOf(claim));
  const key = (object: KubeObject) => ({ namespace, name: nameOf(object) });
  await cluster.asked(cluster.client.remove(claims, key(claim), never));
  if (!hasPod || pod === undefined) return;
  cluster.userDeletes(pod);
  await cluster.asked(cluster.client.remove(pods, key(pod), never));
}

/** The pod that a user of OnDelete has to delete, as the status says. */
export const awaitedDeletion = (workload: KubeObject): string | undefined =>
  textAt(workload, 'status', 'reason') === 'WaitingForDeletion'
    ? /delete pod (\S+),/.exec(textAt(workload, 'status', 'message') ?? '')?.[1]
    : undefined;
