import type { Binding, DeclaredCluster, FileEntry } from './model.ts';
import type { PlanNote } from './plan.ts';
import type { SpecProblem } from './problem.ts';

/** What a user's file says, in our words. With problems in it nothing else counts. */
export type Declaration = {
  readonly cluster: DeclaredCluster;
  readonly bindings: readonly Binding[];
  readonly files: readonly FileEntry[];
  readonly problems: readonly SpecProblem[];
  readonly notes: readonly PlanNote[];
};
