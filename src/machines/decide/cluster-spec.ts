import type { DeclaredCluster, ClusterNode, FileEntry, Jump, NodeLogin, Origin } from './model.ts';
import type { Json } from '#base/json.ts';
import type { SpecProblem } from './problem.ts';

/** How to log in to a machine. */
export type MachineCredentials =
  | { readonly type: 'given'; readonly login: NodeLogin }
  | { readonly type: 'missing'; readonly problem: SpecProblem }
  /** Nothing runs on the machine: it has left the spec. */
  | { readonly type: 'unneeded' };

/** A machine of a Cluster. */
export type MachineSpec = Omit<ClusterNode, 'login' | 'jump'> & {
  readonly credentials: MachineCredentials;
  readonly jump?: Omit<Jump, 'login'> & { readonly credentials: MachineCredentials };
};

/** An entry of `features.hooks`. */
export type HookCommand = { readonly key: string; readonly value: Json; readonly origin: Origin };

/** What a Cluster and its Machines declare, whether read from files or from objects. */
export type ClusterSpec = {
  readonly cluster: Omit<DeclaredCluster, 'nodes' | 'endpoint'>;
  /** The masters in the order of the spec, then the workers. */
  readonly machines: readonly MachineSpec[];
  readonly files: readonly FileEntry[];
  readonly hooks: { readonly entries: readonly HookCommand[]; readonly problems: readonly SpecProblem[] };
  /** Annotations and labels: further arguments of hooks that run once in the cluster. */
  readonly hookArguments: readonly string[];
  readonly skipConditions: ReadonlySet<Json>;
  /** `spec` of the Cluster. */
  readonly origin: Origin;
  /** Faults found while reading. */
  readonly problems: readonly SpecProblem[];
};
