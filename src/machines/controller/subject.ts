import type { JsonObject } from '#base/json.ts';
import type { Due, Wanted } from '#machines/decide/objects/due.ts';
import type { Planned } from '#machines/decide/objects/plan-object.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** An object whose operations are worked on: a Cluster, or a Machine with its Cluster behind it. */
export type Subject = {
  readonly isCluster: boolean;
  readonly name: string;
  readonly resource: Resource;
  /** As it is now; undefined when it is gone. */
  object(): KubeObject | undefined;
  cluster(): KubeObject | undefined;
  /** Workers that take part in such an operation. */
  workers(wanted: Wanted): readonly KubeObject[];
  /** Another number whenever a person has changed the spec of anything that counts. */
  generation(): number;
  /** Another text whenever a person has changed anything that its plan is made from: labels are arguments of hooks. */
  edition(wanted: Wanted): string;
  due(): Due;
  /** Addresses of masters that an operation leaves out: their hosts are another's. */
  held(wanted: Wanted): readonly string[];
  /** What the end of an operation means for the status. */
  finished(wanted: Wanted, planned: Planned, signal: AbortSignal): Promise<JsonObject>;
};
