import type { HookVariable } from './environment.ts';
import type { DeclaredCluster, ClusterNode, Facts, OperationKind } from './model.ts';
import type { Attachment, StepProgram, UnchangedExits } from './plan.ts';

/**
 * What lies between the hooks, as data: an installer turns an operation into stages of named steps. Each step is a
 * script or a file to fetch, with the job mechanics of a hook; all of them may be run again without harm.
 */
export type Installer = {
  readonly name: 'kubeadm' | 'commands' | 'none';
  readonly stages: (request: InstallRequest) => readonly InstallStage[];
  /** What bootstrap puts on the new cluster between its second and third hook. */
  readonly platform?: (request: InstallRequest) => readonly InstallStage[];
};

export type InstallRequest = {
  /** `build` of bootstrap is cluster.create. */
  readonly operation: Exclude<OperationKind, 'bootstrap'>;
  readonly cluster: DeclaredCluster;
  /** The nodes that are made, changed or removed; none for what a cluster upgrade does before its nodes. */
  readonly nodes: readonly ClusterNode[];
  readonly facts: Facts;
  /** A rollback: only what this operation has made is taken back. */
  readonly undoes?: string;
};

export type InstallStage = {
  /** Named: `before:<name>` and `after:<name>` speak of it. */
  readonly name: string;
  readonly steps: readonly InstallStep[];
  /** Comes after the node's post hooks: a node is given work again when its hooks are content. */
  readonly afterPost?: boolean;
  /** Comes before everything else of a creation, hooks and files included. */
  readonly beforePre?: boolean;
};

export type InstallStep =
  | {
      readonly type: 'job';
      readonly name: string;
      readonly nodes: readonly ClusterNode[];
      readonly program: StepProgram;
      readonly argv: readonly string[];
      readonly attachments: readonly Attachment[];
      /** Beside those that every step finds. */
      readonly variables?: readonly HookVariable[];
      /** How many nodes at a time; undefined: as many as the operation may. */
      readonly parallel?: number;
      /** A node for which those do it, in its turn. */
      readonly about?: string;
      /** The condition that reports how it stands. */
      readonly condition: string;
      /** See `JobStep`. */
      readonly makes?: true;
      readonly unchanged?: UnchangedExits;
    }
  /** On the operator's machine. */
  | {
      readonly type: 'local';
      readonly name: string;
      readonly program: StepProgram;
      readonly argv: readonly string[];
      readonly attachments: readonly Attachment[];
      readonly parallel?: number;
      readonly condition: string;
    }
  | {
      readonly type: 'fetch';
      readonly name: string;
      readonly nodes: readonly ClusterNode[];
      readonly path: string;
      readonly artifact: string;
      readonly condition: string;
    };
