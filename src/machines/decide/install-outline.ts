import type { InstallRequest } from './installer.ts';
import type { DeclaredCluster, ClusterNode } from './model.ts';
import { firstWith } from './roles.ts';

/** The steps of installers, by the names that hooks, logs and the display use. */
export type StepName =
  | 'identify'
  | 'check'
  | 'init'
  | 'invite'
  | 'join-master'
  | 'join-worker'
  | 'mark'
  | 'complete'
  | 'plan-upgrade'
  | 'drain'
  | 'upgrade-first'
  | 'upgrade'
  | 'uncordon'
  | 'reset'
  | 'forget';

export type OutlineStep = {
  readonly name: StepName;
  /** Where it runs. */
  readonly on: ClusterNode;
  /** The node that the step changes; another than where it runs if the first master acts for it. */
  readonly about: ClusterNode;
};

export type OutlineStage = {
  readonly name: string;
  readonly steps: readonly OutlineStep[];
  readonly afterPost?: boolean;
  readonly beforePre?: boolean;
};

/** The steps that make a node a member of the cluster. */
export const makingSteps: ReadonlySet<StepName> = new Set(['init', 'join-master', 'join-worker']);

/** Which step runs where and in which order, whatever the steps consist of. */
export function outlineOf(request: InstallRequest): readonly OutlineStage[] {
  const first = firstWith(request.cluster.nodes, 'master');
  if (first === undefined) return [];
  return outlines[request.operation](first, request.nodes.filter(isKubernetes), request.cluster).filter(
    ({ steps }) => steps.length > 0,
  );
}

type Nodes = readonly ClusterNode[];

const outlines: Readonly<
  Record<
    InstallRequest['operation'],
    (first: ClusterNode, nodes: Nodes, cluster: DeclaredCluster) => readonly OutlineStage[]
  >
> = {
  'cluster.create': (first, nodes) => {
    const others = nodes.filter((node) => node !== first);
    return [
      { name: 'identify', steps: onEach('identify', nodes), beforePre: true },
      { name: 'check', steps: onEach('check', nodes) },
      { name: 'init', steps: onEach('init', [first]) },
      { name: 'invite', steps: others.length === 0 ? [] : onEach('invite', [first]) },
      // etcd takes one new member at a time.
      ...others.filter(isMaster).map((node) => ({
        name: `join-master/${node.name}`,
        steps: onEach('join-master', [node]),
      })),
      { name: 'join-workers', steps: onEach('join-worker', others.filter(isWorkerOnly)) },
      { name: 'mark', steps: byFirst('mark', first, nodes.filter(isMarked)) },
      { name: 'complete', steps: onEach('complete', [first]), afterPost: true },
    ];
  },
  'node.join': (first, nodes) => [
    { name: 'identify', steps: onEach('identify', [first, ...nodes.filter((node) => node !== first)]) },
    { name: 'invite', steps: onEach('invite', [first]) },
    {
      name: 'join',
      steps: nodes.flatMap((node) => [
        ...onEach('check', [node]),
        ...onEach(isMaster(node) ? 'join-master' : 'join-worker', [node]),
        ...byFirst('mark', first, [node].filter(isMarked)),
      ]),
    },
  ],
  'cluster.upgrade': (first) => [{ name: 'plan-upgrade', steps: onEach('plan-upgrade', [first]) }],
  'node.upgrade': (first, nodes, { drainsForUpgrade = true }) => [
    { name: 'drain', steps: byFirst('drain', first, drainsForUpgrade ? nodes : []) },
    {
      name: 'upgrade',
      steps: nodes.flatMap((node) => onEach(node === first ? 'upgrade-first' : 'upgrade', [node])),
    },
    // Also without a drain: an earlier try may have left the node cordoned.
    { name: 'uncordon', steps: byFirst('uncordon', first, nodes), afterPost: true },
  ],
  'node.delete': (first, nodes) => [
    { name: 'drain', steps: byFirst('drain', first, nodes) },
    { name: 'reset', steps: onEach('reset', nodes) },
    { name: 'forget', steps: byFirst('forget', first, nodes) },
  ],
  'cluster.delete': (first, nodes) => [
    { name: 'reset-workers', steps: onEach('reset', nodes.filter(isWorkerOnly)) },
    ...nodes
      .filter((node) => isMaster(node) && node !== first)
      .toReversed()
      .map((node) => ({ name: `reset-master/${node.name}`, steps: onEach('reset', [node]) })),
    { name: 'reset-first', steps: onEach('reset', nodes.includes(first) ? [first] : []) },
  ],
};

const onEach = (name: StepName, nodes: Nodes): readonly OutlineStep[] =>
  nodes.map((node) => ({ name, on: node, about: node }));

const byFirst = (name: StepName, first: ClusterNode, nodes: Nodes): readonly OutlineStep[] =>
  nodes.map((node) => ({ name, on: first, about: node }));

const isMarked = ({ marks }: ClusterNode): boolean => marks !== undefined;
const isMaster = ({ roles }: ClusterNode): boolean => roles.includes('master');
const isWorkerOnly = (node: ClusterNode): boolean => !isMaster(node);
/** Machines that hold only etcd or balance load run no kubelet. */
const isKubernetes = ({ roles }: ClusterNode): boolean =>
  roles.includes('master') || roles.includes('worker');
