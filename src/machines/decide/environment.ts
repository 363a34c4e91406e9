import { localNode, type ValuePiece } from './plan.ts';
import type { Binding, DeclaredCluster, ClusterNode, Facts, OperationKind } from './model.ts';
import { rolesText } from './roles.ts';

export type HookVariable = { readonly name: string; readonly value: string | ValuePiece };

type Pair = readonly [string, string | ValuePiece];

export type HookPlace = {
  readonly cluster: DeclaredCluster;
  readonly operation: OperationKind;
  readonly facts: Pick<Facts, 'nodes'>;
};

/** eggo's names of the operations. */
const operators: Readonly<Record<OperationKind, string>> = {
  bootstrap: 'deploy',
  'cluster.create': 'deploy',
  'cluster.upgrade': 'upgrade',
  'cluster.delete': 'cleanup',
  'node.join': 'join',
  'node.upgrade': 'upgrade',
  'node.delete': 'delete',
};

/** Variables that the engine adds to every job: they are not known when the plan is made. */
export const engineVariables = ['BOATHOOK_RUN_ID', 'BOATHOOK_ATTEMPT'] as const;

/** Environment variables of a hook beside `engineVariables`. */
export function variablesOf(
  binding: Binding,
  node: ClusterNode | undefined,
  place: HookPlace,
): readonly HookVariable[] {
  const ours: readonly Pair[] = [
    ...commonVariables(node, place),
    ['BOATHOOK_POINT', binding.point],
    [
      'BOATHOOK_SCOPE',
      binding.scope.type === 'each' ? 'node' : binding.scope.type === 'once' ? 'cluster' : 'local',
    ],
    ['BOATHOOK_HOOK', binding.name],
  ];
  const eggo = binding.dialect === 'eggo' && node !== undefined ? eggoVariables(binding, node, place) : [];
  return [...eggo, ...ours].map(([name, value]) => ({ name, value }));
}

/** Environment variables of an installer's step. */
export const installVariables = (node: ClusterNode | undefined, place: HookPlace): readonly HookVariable[] =>
  commonVariables(node, place).map(([name, value]) => ({ name, value }));

function commonVariables(
  node: ClusterNode | undefined,
  { cluster, operation, facts }: HookPlace,
): readonly Pair[] {
  return [
    ['BOATHOOK_CLUSTER', cluster.id],
    ['BOATHOOK_API_ENDPOINT', endpointText(cluster)],
    ['BOATHOOK_CONFIG_DIR', cluster.configDir],
    ['BOATHOOK_OPERATION', operation],
    ['BOATHOOK_NODE', node?.name ?? localNode],
    ...(node === undefined
      ? []
      : ([
          ['BOATHOOK_NODE_IP', node.address],
          ['BOATHOOK_NODE_ARCH', archOf(node, facts)],
          ['BOATHOOK_NODE_ROLES', rolesText(node)],
        ] as const)),
  ];
}

/** The nine variables that eggo documents. */
function eggoVariables(
  { point }: Binding,
  node: ClusterNode,
  { cluster, operation, facts }: HookPlace,
): readonly Pair[] {
  return [
    ['EGGO_CLUSTER_ID', cluster.id],
    ['EGGO_CLUSTER_API_ENDPOINT', endpointText(cluster)],
    ['EGGO_CLUSTER_CONFIG_DIR', cluster.configDir],
    ['EGGO_NODE_IP', node.address],
    ['EGGO_NODE_NAME', node.name],
    ['EGGO_NODE_ARCH', archOf(node, facts)],
    ['EGGO_NODE_ROLE', rolesText(node)],
    ['EGGO_HOOK_TYPE', point === 'pre' ? 'prehook' : 'posthook'],
    ['EGGO_OPERATOR', operators[operation]],
  ];
}

export const endpointText = ({ endpoint: { host, port } }: Pick<DeclaredCluster, 'endpoint'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The architecture in the file, else that of the node, which the engine reads before the script starts. */
const archOf = (node: ClusterNode, { nodes }: Pick<Facts, 'nodes'>): string | ValuePiece =>
  node.arch ?? nodes.get(node.name)?.arch ?? { type: 'node', fact: 'arch' };

export const piece = ({ value }: HookVariable): ValuePiece =>
  typeof value === 'string' ? { type: 'text', text: value } : value;
