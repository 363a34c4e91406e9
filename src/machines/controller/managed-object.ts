import type { JsonObject } from '#base/json.ts';
import type { DueOperation, WantedOperation } from '#machines/decide/objects/due.ts';
import type { ObjectPlan } from '#machines/decide/objects/plan-object.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** The object of an operation: a Cluster, or a Machine with its Cluster. */
export type ManagedObject = {
  readonly isCluster: boolean;
  readonly name: string;
  readonly resource: Resource;
  /** The current object; undefined when it is gone. */
  object(): KubeObject | undefined;
  cluster(): KubeObject | undefined;
  /** Workers that take part in the operation. */
  workers(wanted: WantedOperation): readonly KubeObject[];
  /** Changes whenever a user changes the spec of an object that takes part. */
  generation(): number;
  /** Changes whenever a user changes an input of the plan: a spec, or labels that hooks get as arguments. */
  planInputsHash(wanted: WantedOperation): string;
  due(): DueOperation;
  /** Addresses of masters that the operation leaves out, because another object has their hosts. */
  held(wanted: WantedOperation): readonly string[];
  /** Changes of the status when the operation is completed. */
  finished(wanted: WantedOperation, planned: ObjectPlan, signal: AbortSignal): Promise<JsonObject>;
};
