import { listAt, objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Cluster } from './kinds/cluster.ts';
import type { Machine } from './kinds/machine.ts';
import type { GateStatus, OperationStatus } from './kinds/operation-status.ts';

/** A stored Cluster, which has passed the schema that the type is derived from. */
export const clusterOf = (object: KubeObject): Cluster => object as unknown as Cluster;

/** A stored Machine, which has passed the schema that the type is derived from. */
export const machineOf = (object: KubeObject): Machine => object as unknown as Machine;

/** The operation in the status of a Cluster or Machine. */
export const operationOf = (object: KubeObject): OperationStatus | undefined =>
  objectAt(object, 'status', 'operation') as OperationStatus | undefined;

/** The gates of the operation in the status of a Cluster or Machine. */
export const gatesOf = (object: KubeObject): readonly GateStatus[] =>
  listAt(object, 'status', 'operation', 'gates') as unknown as readonly GateStatus[];
