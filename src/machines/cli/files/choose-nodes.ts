import { listAt, textAt, type Json } from '#base/json.ts';
import { checkIp } from '#kube/names.ts';
import type { DeclaredCluster, ClusterNode, OperationKind } from '#machines/decide/model.ts';
import type { PlanNote } from '#machines/decide/plan.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';
import { firstWith } from '#machines/decide/roles.ts';
import type { AddedNode, Members } from './members.ts';
import type { OperationRequest } from './options.ts';

export type Chosen = {
  /** Without the nodes that were deleted earlier. */
  readonly cluster: DeclaredCluster;
  readonly nodes: readonly string[];
  readonly problems: readonly SpecProblem[];
  readonly notes: readonly PlanNote[];
};

const types = ['master', 'worker', 'master,worker'];

/** `join 10.0.0.5 --type worker`: a node that no file lists. */
export function joinedByFlags(request: OperationRequest, document: Json): readonly AddedNode[] {
  if (request.verb !== 'join') return [];
  const entries = ['masters', 'workers', 'etcds'].flatMap((key) => listAt(document, key));
  const isListed = (text: string): boolean =>
    entries.some((entry) => textAt(entry, 'ip') === text || textAt(entry, 'name') === text);
  return request.nodes
    .filter((node) => !isListed(node) && checkIp(node).length === 0)
    .map((ip) => ({
      ip,
      roles: (request.type ?? 'worker').split(','),
      ...(request.name !== undefined && { name: request.name }),
      ...(request.arch !== undefined && { arch: request.arch }),
      ...(request.port !== undefined && { port: request.port }),
    }));
}

/** The nodes that the operation is about, by name or address. */
export function chooseNodes(
  request: OperationRequest,
  operation: OperationKind,
  cluster: DeclaredCluster,
  { removed, listed }: Members & { readonly listed: readonly string[] },
): Chosen {
  const wanted = wantedNodes(request, cluster, listed);
  const found = wanted.map((text) => ({ text, node: cluster.nodes.find((node) => isCalled(node, text)) }));
  const nodes = found.flatMap(({ node }) => (node === undefined ? [] : [node.name]));
  const afresh = operation === 'cluster.create' || operation === 'bootstrap';
  const gone = new Set(afresh ? [] : removed.filter((name) => !nodes.includes(name)));
  return {
    cluster: { ...cluster, nodes: cluster.nodes.filter(({ name }) => !gone.has(name)) },
    nodes,
    problems: [
      ...found.filter(({ node }) => node === undefined).map(({ text }) => unknown(text, cluster)),
      ...typeProblem(request),
      ...(operation.startsWith('node.') && wanted.length === 0 ? [nobody(request)] : []),
      ...firstMaster(request, cluster, nodes),
    ],
    notes: [...gone].map((name) => ({
      type: 'notice',
      message: `${name} was deleted from the cluster earlier and is skipped`,
    })),
  };
}

function wantedNodes(
  { nodes, verb }: OperationRequest,
  cluster: DeclaredCluster,
  listed: readonly string[],
): readonly string[] {
  if (verb !== 'join' || nodes.length > 0) return nodes;
  // Machines beside their Cluster are what is to be joined.
  const machines =
    cluster.format === 'tkestack' ? cluster.nodes.filter(({ roles }) => !roles.includes('master')) : [];
  return [...listed, ...machines.map(({ name }) => name)];
}

const isCalled = ({ name, address }: ClusterNode, text: string): boolean => name === text || address === text;

const unknown = (text: string, { nodes, file }: DeclaredCluster): SpecProblem => ({
  origin: { file, pointer: '' },
  message: `there is no node "${text}"`,
  valid: nodes.map(({ name, address }) => (name === address ? name : `${name} (${address})`)),
});

const nobody = ({ verb }: OperationRequest): SpecProblem => ({
  origin: { file: verb, pointer: '' },
  message: `name the nodes to ${verb}, by name or address`,
});

const typeProblem = ({ type }: OperationRequest): readonly SpecProblem[] =>
  type === undefined || types.includes(type)
    ? []
    : [{ origin: { file: '--type', pointer: '' }, message: `unknown type "${type}"`, valid: types }];

function firstMaster(
  { verb }: OperationRequest,
  cluster: DeclaredCluster,
  nodes: readonly string[],
): readonly SpecProblem[] {
  const first = firstWith(cluster.nodes, 'master');
  if ((verb !== 'delete' && verb !== 'join') || first === undefined || !nodes.includes(first.name)) return [];
  const message = `${first.name} is the first master: it cannot join or leave alone, only with the cluster (deploy, cleanup)`;
  return [{ origin: first.origin, message }];
}
