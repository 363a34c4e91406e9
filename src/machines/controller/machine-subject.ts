import { numberAt } from '#base/json.ts';
import { dueForMachine } from '#machines/decide/objects/due.ts';
import { asCluster, asMachine } from '#machines/decide/objects/objects.ts';
import type { KubeObject } from '#kube/object.ts';
import { planInputsHash } from '#machines/decide/objects/plan-inputs-hash.ts';
import { machines } from '#machines/kinds/resources.ts';
import type { Sight } from './sight.ts';
import type { Subject } from './subject.ts';

/** A worker. Its hooks are its Cluster's, so that a change of either counts. */
export function machineSubject(sight: Sight, name: string): Subject {
  const object = (): KubeObject | undefined => sight.machine(name);
  const cluster = (): KubeObject | undefined => {
    const found = object();
    return found === undefined ? undefined : sight.cluster(asMachine(found).spec.clusterName);
  };
  const generationOf = (of: KubeObject | undefined): number => numberAt(of, 'metadata', 'generation') ?? 0;
  return {
    isCluster: false,
    name,
    resource: machines,
    object,
    cluster,
    workers: () => {
      const found = object();
      return found === undefined ? [] : [found];
    },
    generation: () => generationOf(object()) + generationOf(cluster()),
    planInputsHash: () => `${planInputsHash(object())} ${planInputsHash(cluster())}`,
    due: () => {
      const [found, behind] = [object(), cluster()];
      if (found === undefined) return { type: 'nothing' };
      if (behind === undefined) return dueForMachine(asMachine(found), undefined);
      return dueForMachine(asMachine(found), asCluster(behind), sight.near(found));
    },
    held: () => [],
    finished: ({ kind, version }) =>
      Promise.resolve(
        kind === 'node.delete'
          ? { joined: false }
          : { joined: true, ...(version !== undefined && { version }) },
      ),
  };
}
