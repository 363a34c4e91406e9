import type { Binding, Cluster, FileEntry } from './model.ts';
import type { PlanNote } from './plan.ts';
import type { Problem } from './problem.ts';

/** What a user's file says, in our words. With problems in it nothing else counts. */
export type Declaration = {
  readonly cluster: Cluster;
  readonly bindings: readonly Binding[];
  readonly files: readonly FileEntry[];
  readonly problems: readonly Problem[];
  readonly notes: readonly PlanNote[];
};
