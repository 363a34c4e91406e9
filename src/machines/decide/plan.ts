import type { Millis } from '#base/time.ts';
import type { FileDelivery, OperationKind, Origin, Point, Policy, SecretRef } from './model.ts';

/*
 * The contract between those who plan and the engine that executes.
 *
 * A plan is a list of stages; a stage is a list of steps; a step is one piece of work on one or more nodes. The unit
 * of execution is a task: one step on one node, known by `taskKey(step.id, node)`. Step ids are the same whenever the
 * same file is planned for the same operation, so that a journal finds its place again.
 *
 * The engine keeps a `Progress` (progress.ts): it is the fold of the journal's records, in memory and after a crash
 * alike. In a loop it calls `nextActions` (next-actions.ts), starts exactly these actions, and appends records: for
 * `run` first `staging` (a step that is no job needs nothing more), then, when all files are in place and before the
 * job is started, `intent`, fsynced; for `ask` first `asked`; and always `result` at the end. It decides nothing
 * itself: order, parallelism, retries, what is skipped and when the operation is over are all answers of `nextActions`
 * and `verdictOf` (verdict.ts). It reports its work with the events of events.ts.
 *
 * Secrets are references in a plan. The engine resolves them when it writes a job's files, never into arguments.
 */

/** A value of an environment variable, or a piece of a generated file. */
export type ValuePiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'secret'; readonly ref: SecretRef }
  /** Facts that the node reports when it is connected; the architecture as eggo and Kubernetes name it. */
  | { readonly type: 'node'; readonly fact: 'arch' }
  /** What an earlier `fetch` step of this cluster has brought home. */
  | {
      readonly type: 'artifact';
      readonly name: string;
      readonly encoding: 'plain' | 'base64';
      /** Nothing where it was never fetched, instead of a failure. */
      readonly optional?: true;
    };

/** A file put into the job's own folder, mode 0600. */
export type Attachment = { readonly name: string; readonly content: readonly ValuePiece[] };

export type StepProgram =
  /**
   * Already on the node, delivered by a `files` step. A copy of its folder runs, since others may write where it was
   * delivered; without `folder`, on the operator's own machine, it runs in place.
   */
  | { readonly type: 'delivered'; readonly path: string; readonly folder?: DeliveredFolder }
  /** A local file, sent into the job's folder with mode 0700 and its digest checked. */
  | { readonly type: 'source'; readonly path: string; readonly digest: string }
  /** One of the step's materials; `path` is where it comes from. */
  | { readonly type: 'material'; readonly name: string; readonly path: string }
  /** A text we generated, put into the job's folder with mode 0700. */
  | { readonly type: 'text'; readonly name: string; readonly text: string };

/** A local file put into the job's folder under its name, which may have folders of its own. */
export type Material = {
  readonly src: string;
  readonly name: string;
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
};

/** Delivered files that belong together, by their paths on the node; all lie below `root`. */
export type DeliveredFolder = {
  readonly root: string;
  readonly files: readonly Pick<FileDelivery, 'dst' | 'digest' | 'size' | 'mode'>[];
};

/** One node of a step, with what differs between nodes. */
export type TaskTarget = {
  readonly node: string;
  /** One piece per name of the step's `envNames`, in that order. */
  readonly env: readonly ValuePiece[];
  /** Digest of script, arguments and environment (secrets by reference). */
  readonly fingerprint: string;
};

type StepBase = {
  /** Unique in the plan and stable from plan to plan. */
  readonly id: string;
  /** For people: `PreInstall`, `kubeadm init`. */
  readonly title: string;
  readonly targets: readonly TaskTarget[];
  readonly policy: Policy;
  /** A node for which another one does it: its step runs among the steps of that one, and is skipped with it. */
  readonly about?: string;
  /** TKEStack's condition type, where there is one. */
  readonly condition?: string;
  readonly origin?: Origin;
};

/** Files to be in place; present ones with the right digest are left alone. */
export type FilesStep = StepBase & {
  readonly kind: 'files';
  readonly files: readonly FileDelivery[];
};

/** Files and empty folders to be gone; what is not there is no fault. */
export type RemoveStep = StepBase & { readonly kind: 'remove'; readonly paths: readonly string[] };

/** Brings a file of the node to the operator, where it is kept as an artifact of the cluster, mode 0600. */
export type FetchStep = StepBase & {
  readonly kind: 'fetch';
  readonly path: string;
  readonly artifact: string;
  /** A file that is not there is no fault: the artifact is empty then. */
  readonly optional?: true;
};

/** A script as a detached job: a hook, or a step of the installer. */
export type JobStep = StepBase & {
  readonly kind: 'hook' | 'install';
  readonly point?: Point;
  readonly program: StepProgram;
  /** Digest of the script. */
  readonly digest: string;
  readonly argv: readonly string[];
  readonly envNames: readonly string[];
  readonly attachments: readonly Attachment[];
  /** Files that the script reads, sent before it starts. */
  readonly materials?: readonly Material[];
  /** Working directory; undefined: the job's folder. */
  readonly cwd?: string;
  /** Makes its node a member of the cluster: a rollback takes it back where this operation did it. */
  readonly makes?: true;
  /** Exit codes of a script that changed nothing: it found its work done, or refused to begin. */
  readonly unchanged?: UnchangedExits;
};

export type UnchangedExits = { readonly done: number; readonly refused: number };

export type PlanStep = FilesStep | RemoveStep | FetchStep | JobStep;

/** A job leaves traces on the node; everything else is simply done again. */
export const isJobStep = (step: PlanStep): step is JobStep => step.kind === 'hook' || step.kind === 'install';

/**
 * All of a stage is settled before the next one begins. Within a stage the steps run in their order on each node,
 * and no node waits for another. A step about another node counts as one of that node's.
 */
export type PlanStage = { readonly id: string; readonly title: string; readonly steps: readonly PlanStep[] };

/** The node name of the operator's own machine, for steps of scope `local`. */
export const localNode = '@local';

export type MachinePlan = {
  readonly cluster: string;
  readonly operation: OperationKind;
  readonly stages: readonly PlanStage[];
  /** Nodes at a time. */
  readonly parallel: number;
  /** What the operation does when a node cannot be reached at the start. */
  readonly onUnreachable: 'refuse' | 'isolate-node';
  readonly notes: readonly PlanNote[];
};

/** A warning or notice before the start: a hook that matches no node, a script that is not sent. */
export type PlanNote = {
  readonly type: 'warning' | 'notice';
  readonly message: string;
  readonly origin?: Origin;
};

export const taskKey = (step: string, node: string): string => `${step}@${node}`;

const localEnd = `@${localNode}`;

/** The inverse of `taskKey`: nodes have no @ in their names, but for the operator's own machine. */
export function taskOfKey(key: string): { readonly step: string; readonly node: string } {
  const cut = key.endsWith(localEnd) ? key.length - localEnd.length : key.lastIndexOf('@');
  return { step: key.slice(0, cut), node: key.slice(cut + 1) };
}

/** Whose turn a task is part of. */
export const turnOf = ({ about }: Pick<PlanStep, 'about'>, node: string): string => about ?? node;

export const stepsOf = (plan: MachinePlan): readonly PlanStep[] => plan.stages.flatMap(({ steps }) => steps);

/** Every node the plan works on, in the order of first use; the operator's own machine is not among them. */
export function nodesOf(plan: MachinePlan): readonly string[] {
  const names = stepsOf(plan).flatMap(({ targets }) => targets.map(({ node }) => node));
  return [...new Set(names)].filter((name) => name !== localNode);
}

/** How long to wait after so many failed attempts. */
export function pauseAfter(policy: Policy, failures: number): Millis {
  const { initial, factor, cap } = policy.retry;
  return Math.min(initial * factor ** Math.min(failures - 1, 60), cap) as Millis;
}
