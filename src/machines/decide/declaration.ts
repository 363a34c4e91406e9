import type { Binding, DeclaredCluster, FileEntry } from './model.ts';
import type { PlanNote } from './plan.ts';
import type { SpecProblem } from './problem.ts';

/** What a user has declared. A declaration with problems is not used. */
export type Declaration = {
  readonly cluster: DeclaredCluster;
  readonly bindings: readonly Binding[];
  readonly files: readonly FileEntry[];
  readonly problems: readonly SpecProblem[];
  readonly notes: readonly PlanNote[];
};
