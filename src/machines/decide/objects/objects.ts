import type { Cluster } from '#machines/kinds/cluster.ts';
import type { Machine } from '#machines/kinds/machine.ts';
import type { KubeObject } from '#kube/object.ts';

/** The server has checked them against the schema that the types were made from. */
export const asCluster = (object: KubeObject): Cluster => object as unknown as Cluster;
export const asMachine = (object: KubeObject): Machine => object as unknown as Machine;
export const asObject = (typed: Cluster | Machine): KubeObject => typed as unknown as KubeObject;
