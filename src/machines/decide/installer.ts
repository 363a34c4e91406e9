import type { HookVariable } from './environment.ts';
import type { DeclaredCluster, ClusterNode, Facts, OperationKind } from './model.ts';
import type { Attachment, StepProgram, UnchangedExits } from './plan.ts';

/**
 * An installer turns an operation into stages of named steps, which run between the hooks. Each step is a
 * script or a file to fetch, with the job mechanics of a hook; all of them may be run again without harm.
 */
export type Installer = {
  readonly name: 'kubeadm' | 'commands' | 'none';
  readonly stages: (request: InstallRequest) => readonly InstallStage[];
  /** Installs Boathook's CRDs on the new cluster, between the second and third hook of bootstrap. */
  readonly platform?: (request: InstallRequest) => readonly InstallStage[];
};

export type InstallRequest = {
  /** `build` of bootstrap is cluster.create. */
  readonly operation: Exclude<OperationKind, 'bootstrap'>;
  readonly cluster: DeclaredCluster;
  /** The nodes that are added, changed or removed; none before the nodes of a cluster upgrade. */
  readonly nodes: readonly ClusterNode[];
  readonly facts: Facts;
  /** A rollback: removes only what this operation has created. */
  readonly undoes?: string;
};

export type InstallStage = {
  /** The name in `before:<name>` and `after:<name>`. */
  readonly name: string;
  readonly steps: readonly InstallStep[];
  /** Runs after the post hooks of the node: pods are scheduled on it again when its hooks have passed. */
  readonly afterPost?: boolean;
  /** Runs before everything else of a creation, hooks and files included. */
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
      /** Variables beside those of every step. */
      readonly variables?: readonly HookVariable[];
      /** How many nodes at a time; undefined: as many as the operation may. */
      readonly parallel?: number;
      /** The node that the step is about, if other nodes run it. */
      readonly about?: string;
      /** The condition that reports its state. */
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
