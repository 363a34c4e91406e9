import type { Declaration } from './declaration.ts';
import { deliveriesOf } from './file-entries.ts';
import type { Installer } from './installer.ts';
import { fetchedKubeconfig, withKubeconfig } from './kubeconfig-hooks.ts';
import {
  isRemoval,
  type DeclaredCluster,
  type ClusterNode,
  type Facts,
  type OperationKind,
} from './model.ts';
import { cleanPath } from './paths.ts';
import type { MachinePlan, PlanStage } from './plan.ts';
import { notesOf } from './plan-notes.ts';
import {
  additionStage,
  filesStage,
  hooks,
  install,
  installAt,
  joinStages,
  removeStage,
  upgradeStages,
  type StageContext,
  type Undo,
} from './plan-stages.ts';

export type PlanRequest = {
  readonly operation: OperationKind;
  readonly declaration: Omit<Declaration, 'problems'>;
  readonly facts: Facts;
  /** Names of the nodes to join, upgrade or delete; operations on the whole cluster are about all. */
  readonly nodes: readonly string[];
  readonly installer: Installer;
  readonly parallel: number;
  /** A removal continues without nodes that cannot be reached, and after hooks that fail. */
  readonly force: boolean;
  /** The removal is a rollback, and about nothing else. */
  readonly undo?: Undo;
};

/** What will be done, in which order, and where: a value to print, to execute, and to take up again. */
export function planOperation(request: PlanRequest): MachinePlan {
  const { operation, declaration, parallel, force } = request;
  const context = contextOf(request);
  const stages = sequences[operation](context).filter(({ steps }) => steps.length > 0);
  const removal = isRemoval(operation);
  return {
    cluster: declaration.cluster.id,
    operation,
    stages,
    parallel,
    onUnreachable: operation === 'node.join' || (removal && force) ? 'isolate-node' : 'refuse',
    notes: [...declaration.notes, ...notesOf(context, stages)],
  };
}

/** The stages of each operation in their order. */
const sequences: Readonly<Record<OperationKind, (context: StageContext) => readonly PlanStage[]>> = {
  bootstrap: (context) => [
    hooks('local', 'pre', context),
    ...createStages({ ...context, operation: 'cluster.create' }),
    ...(context.installer.name === 'commands' ? [fetchedKubeconfig(context.cluster)] : []),
    afterMaking('ready', context),
    ...platformStages(context),
    afterMaking('post', context),
  ],
  'cluster.create': createStages,
  'cluster.upgrade': (context) => [
    filesStage(context),
    hooks('cluster', 'pre', context),
    ...install({ ...context, concerned: [] }),
    ...upgradeStages(context, mastersFirst(context.concerned)),
    hooks('cluster', 'post', context),
  ],
  'cluster.delete': (context) => [
    filesStage(context),
    hooks('cluster', 'pre', context),
    hooks('node', 'pre', context),
    ...install(context),
    hooks('node', 'post', context),
    hooks('cluster', 'post', context),
    removeStage(context),
  ],
  'node.join': joinStages,
  'node.upgrade': (context) => [
    filesStage(context),
    ...upgradeStages(context, mastersFirst(context.concerned)),
  ],
  'node.delete': (context) => [
    filesStage(context),
    hooks('node', 'pre', context),
    ...install(context),
    hooks('node', 'post', context),
    removeStage(context),
  ],
};

function createStages(context: StageContext): readonly PlanStage[] {
  return [
    ...installAt('beforePre', context),
    filesStage(context),
    additionStage('addition', context),
    hooks('cluster', 'pre', context),
    hooks('node', 'pre', context),
    ...install(context),
    additionStage('addons', context),
    hooks('node', 'post', context),
    hooks('cluster', 'post', context),
    ...installAt('afterPost', context),
  ];
}

/** Hooks of bootstrap that find a cluster: they are given its kubeconfig. Without an installer there is none of ours. */
function afterMaking(point: 'ready' | 'post', context: StageContext): PlanStage {
  const stage = hooks('local', point, context);
  return context.installer.name === 'none' ? stage : withKubeconfig(stage, context.facts);
}

const platformStages = (context: StageContext): readonly PlanStage[] => {
  const { installer } = context;
  if (installer.platform === undefined) return [];
  const own: StageContext = { ...context, installer: { ...installer, stages: installer.platform } };
  return install({ ...own, operation: 'cluster.create' }, 'platform/');
};

const mastersFirst = (nodes: readonly ClusterNode[]): readonly ClusterNode[] => {
  const isMaster = ({ roles }: ClusterNode): boolean => roles.includes('master');
  // A node that is neither master nor worker runs no kubelet of ours: etcd and load balancers are not upgraded here.
  const kubernetes = nodes.filter(({ roles }) => roles.includes('master') || roles.includes('worker'));
  return [...kubernetes.filter(isMaster), ...kubernetes.filter((node) => !isMaster(node))];
};

function contextOf(request: PlanRequest): StageContext {
  const { operation, declaration, facts, nodes, installer, force, undo } = request;
  const { cluster, bindings, files } = declaration;
  const wanted = new Set(nodes);
  const isTouched = ({ name }: ClusterNode): boolean => undo === undefined || undo.touched.includes(name);
  const wholeCluster = operation === 'bootstrap' || operation.startsWith('cluster.');
  const scripts = new Set(
    bindings.flatMap(({ action }) => (action.type === 'delivered' ? [cleanPath(action.path)] : [])),
  );
  const [first] = files;
  return {
    cluster,
    operation,
    facts,
    bindings,
    installer,
    force,
    concerned: wholeCluster
      ? allConcerned(operation, cluster).filter(isTouched)
      : cluster.nodes.filter(({ name }) => wanted.has(name)),
    ...(undo !== undefined && { undo }),
    deliveries: deliveriesOf(files, facts, scripts),
    ...(first !== undefined && { filesOrigin: first.origin }),
  };
}

const allConcerned = (operation: OperationKind, cluster: DeclaredCluster): readonly ClusterNode[] =>
  operation === 'cluster.upgrade' && cluster.upgradesWorkers === false
    ? cluster.nodes.filter(({ roles }) => roles.includes('master'))
    : cluster.nodes;
