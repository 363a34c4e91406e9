import type { JsonObject } from '#base/json.ts';
import type { Due, Wanted } from '#machines/decide/objects/due.ts';
import type { ObjectPlan } from '#machines/decide/objects/plan-object.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** The object of an operation: a Cluster, or a Machine with its Cluster. */
export type Subject = {
  readonly isCluster: boolean;
  readonly name: string;
  readonly resource: Resource;
  /** The current object; undefined when it is gone. */
  object(): KubeObject | undefined;
  cluster(): KubeObject | undefined;
  /** Workers that take part in the operation. */
  workers(wanted: Wanted): readonly KubeObject[];
  /** Changes whenever a user changes the spec of an object that takes part. */
  generation(): number;
  /** Changes whenever a user changes an input of the plan: a spec, or labels that hooks get as arguments. */
  planInputsHash(wanted: Wanted): string;
  due(): Due;
  /** Addresses of masters that the operation leaves out, because another object has their hosts. */
  held(wanted: Wanted): readonly string[];
  /** Changes of the status when the operation is completed. */
  finished(wanted: Wanted, planned: ObjectPlan, signal: AbortSignal): Promise<JsonObject>;
};
