import { at, listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { addressTaken } from '#machines/decide/objects/address-taken.ts';
import { nodesUnderWay } from '#machines/decide/objects/due.ts';
import { planInputsHash } from '#machines/decide/objects/plan-inputs-hash.ts';
import { machineOf, operationOf } from '#machines/read.ts';

/** Objects that wait for a host which another object has left, or may have left. */
export function waitingForHost(
  delta: Delta,
  atHostsOf: (object: KubeObject) => readonly KubeObject[],
): readonly string[] {
  if (delta.type === 'added' || !differs(delta, hostClaims)) return [];
  const places = delta.type === 'updated' ? [delta.old, delta.object] : [delta.object];
  const waiting = places
    .flatMap(atHostsOf)
    .filter(
      (each) => textAt(each, 'status', 'reason') === addressTaken && uidOf(each) !== uidOf(delta.object),
    );
  return [...new Set(waiting.map(keyOf))];
}

/** Everything but an update counts as a difference. */
const differs = (delta: Delta, view: (object: KubeObject) => string): boolean =>
  delta.type !== 'updated' || view(delta.old) !== view(delta.object);

/** Changes whenever an object may have left a host. */
const hostClaims = (object: KubeObject): string =>
  printJson([
    numberAt(object, 'metadata', 'generation') ?? 0,
    isDeleting(object),
    listAt(object, 'status', 'machines'),
    at(object, 'status', 'joined') ?? false,
    textAt(object, 'status', 'operation', 'id') ?? '',
  ]);

/** Whether a change of a Cluster concerns its Machines; its progress alone does not. */
export const concernsMachines = (delta: Delta): boolean =>
  differs(delta, (object) =>
    printJson([
      objectAt(object, 'metadata')?.['generation'] ?? null,
      isDeleting(object),
      textAt(object, 'status', 'phase') ?? null,
      textAt(object, 'status', 'version') ?? null,
      textAt(object, 'status', 'operation', 'id') ?? null,
      nodesUnderWay(operationOf(object) ?? { id: '', type: '' }),
    ]),
  );

/** The Cluster of a Machine that was changed, has joined, or is gone. */
export function clusterConcerned(delta: Delta): readonly string[] {
  const view = (object: KubeObject): string =>
    JSON.stringify([planInputsHash(object), isDeleting(object), machineOf(object).status?.joined]);
  const isConcerned = delta.type !== 'added' && differs(delta, view);
  return isConcerned ? [textAt(delta.object, 'spec', 'clusterName') ?? ''] : [];
}

export const ownersOf = ({ object }: Delta, kind: string): readonly string[] =>
  listAt(object, 'metadata', 'ownerReferences').flatMap((owner) =>
    textAt(owner, 'kind') === kind ? [textAt(owner, 'name') ?? ''] : [],
  );

/** Clusters that use a HookTemplate: they may wait for it. */
export function usersOf(template: KubeObject, clusters: readonly KubeObject[]): readonly string[] {
  return clusters
    .filter((cluster) => {
      const hooks = Object.values(objectAt(cluster, 'spec', 'features', 'hooks') ?? {});
      const between = objectAt(cluster, 'spec', 'features', 'upgrade', 'betweenBatches') ?? {};
      return [...hooks, between].some(
        (hook) =>
          textAt(hook, 'templateName') === nameOf(template) &&
          (textAt(hook, 'namespace') ?? 'default') === namespaceOf(template),
      );
    })
    .map(keyOf);
}
