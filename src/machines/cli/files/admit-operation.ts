import { ExitError } from '#command/exit.ts';
import { admit, isOlder, type StartDecision, type AdmissionRequest } from '#machines/decide/admission.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { isNameless, witnesses, type MachineFindings } from '#machines/decide/identity.ts';
import type { ClusterNode, OperationKind } from '#machines/decide/model.ts';
import { hasSucceeded, replay, type OperationState } from '#machines/decide/progress.ts';
import { firstWith } from '#machines/decide/roles.ts';
import { undoOf } from '#machines/decide/undo.ts';
import { againCommand } from './again-command.ts';
import { readClusterRecord } from './cluster-record.ts';
import { readPlan, type PastOperation } from './folders.ts';
import type { OperationRequest, RunOptions } from './options.ts';
import type { PreparedOperation } from './prepare.ts';
import { printable } from './printable.ts';
import { knownAuthorities, surveyMachines, type SurveyFindings } from './survey.ts';

export type AskedOperation = {
  readonly request: OperationRequest;
  readonly prepared: PreparedOperation;
  readonly clusterFolder: string;
  readonly options: RunOptions;
  readonly last: PastOperation | undefined;
  /** Reports events while the machines are queried. */
  readonly tell: (event: ProgressEvent) => void;
};

export type AdmittedOperation =
  | {
      readonly type: 'go';
      readonly request: OperationRequest;
      readonly notes: readonly string[];
      /** Questions that the user must confirm before the operation starts. */
      readonly questions: readonly string[];
    }
  | { readonly type: 'nothing'; readonly message: string };

/** Reads the records and queries the machines, and decides whether the operation may start. */
export async function admitOperation(asked: AskedOperation): Promise<AdmittedOperation> {
  const { request, prepared, clusterFolder, options } = asked;
  const { cluster } = prepared.declaration;
  const isSurveyed = request.installer === 'kubeadm';
  const found = isSurveyed ? await surveyOf(asked) : new Map<string, MachineFindings>();
  const known = isSurveyed ? await knownAuthorities(clusterFolder) : [];
  const adopts = options.adopt || cluster.accepts?.includes('*') === true;
  const admission = admit({ ...recordsFor(asked), isSurveyed, found, known, adopts });
  if (admission.type === 'refused')
    throw new ExitError(2, printable(admission.message.replaceAll('\n', '; ')));
  if (admission.type === 'nothing') return admission;
  return {
    type: 'go',
    request: requestFor(asked, admission),
    notes: admission.leftOut.map((node) => `${node} is a member of ${cluster.id} already and is skipped`),
    questions: questionsOf(asked, admission),
  };
}

type OwnRecords = Pick<AdmissionRequest, 'operation' | 'cluster' | 'nodes' | 'record' | 'begun'>;

/** The records of this data directory. */
function recordsFor(asked: AskedOperation): OwnRecords {
  const { operation, nodes, declaration } = asked.prepared;
  const record = readClusterRecord(asked.clusterFolder);
  const begun = asked.last === undefined ? undefined : begunText(asked.last, asked);
  return {
    operation,
    cluster: declaration.cluster,
    nodes,
    ...(record !== undefined && { record }),
    ...(begun !== undefined && { begun }),
  };
}

/** Why the records forbid the operation; undefined when they allow it. Machines are not queried. */
export function recordedObstacle(asked: AskedOperation): string | undefined {
  const unasked = { isSurveyed: false, found: new Map(), known: [], adopts: false };
  const admission = admit({ ...recordsFor(asked), ...unasked });
  return admission.type === 'go' ? undefined : admission.message;
}

/** The nodes of the operation; if one of them does not name its cluster, also the others, which may name it. */
async function surveyOf(asked: AskedOperation): Promise<SurveyFindings> {
  const { prepared, clusterFolder, options, tell } = asked;
  const { cluster } = prepared.declaration;
  const concerned = concernedNodes(prepared);
  const look = (nodes: readonly ClusterNode[]): Promise<SurveyFindings> =>
    surveyMachines(cluster, nodes, { clusterFolder, options, tell });
  const found = await look(concerned);
  const others = cluster.nodes.filter((node) => isKubernetes(node) && !concerned.includes(node));
  if (others.length === 0 || ![...found.values()].some(isNameless)) return found;
  return new Map([...found, ...witnesses(cluster, await look(others))]);
}

const isKubernetes = ({ roles }: ClusterNode): boolean =>
  roles.includes('master') || roles.includes('worker');

/** Etcd machines and load balancers run no kubelet; a join also concerns the first master. */
function concernedNodes({
  operation,
  nodes,
  declaration: { cluster },
}: PreparedOperation): readonly ClusterNode[] {
  const first = firstWith(cluster.nodes, 'master');
  const isWanted = (node: ClusterNode): boolean =>
    !operation.startsWith('node.') || nodes.includes(node.name) || node === first;
  return cluster.nodes.filter((node) => isWanted(node) && isKubernetes(node));
}

function requestFor(
  { request, prepared }: AskedOperation,
  { leftOut, accepts }: Extract<StartDecision, { type: 'go' }>,
): OperationRequest {
  if (leftOut.length === 0) return { ...request, accepts };
  const { nodes } = prepared.declaration.cluster;
  const isMember = (text: string): boolean =>
    nodes.some(({ name, address }) => (name === text || address === text) && leftOut.includes(name));
  const texts = request.nodes.length > 0 ? request.nodes : prepared.nodes;
  return { ...request, accepts, nodes: texts.filter((text) => !isMember(text)) };
}

function questionsOf(
  { prepared: { operation, declaration, plan } }: AskedOperation,
  { adopted, version }: Extract<StartDecision, { type: 'go' }>,
): readonly string[] {
  const wanted = declaration.cluster.version;
  const isDowngrade =
    operation.endsWith('upgrade') &&
    wanted !== undefined &&
    version !== undefined &&
    isOlder(wanted, version);
  return [
    ...adopted.map((line) => `${printable(line)}: it is taken over`),
    ...(isDowngrade
      ? [`${plan.cluster} has version ${version ?? ''}: this is a downgrade to ${wanted ?? ''}`]
      : []),
  ];
}

const creates = (operation: OperationKind): boolean =>
  operation === 'cluster.create' || operation === 'bootstrap';

/** An unfinished operation of this data directory that blocks this one. */
function begunText({ id, folder, records }: PastOperation, asked: AskedOperation): string | undefined {
  const { request, options } = asked;
  const progress = replay(records);
  if (hasSucceeded(progress.closed) || !records.some(({ type }) => type === 'opened')) return undefined;
  const plan = readPlan(folder);
  const { touched } = undoOf(plan, progress, id);
  if (touched.length === 0 && progress.closed !== undefined) return undefined;
  const stands = progress.closed ?? 'Interrupted';
  if (!isInTheWay({ operation: plan.operation, touched, stands }, asked.prepared)) return undefined;
  const resume = againCommand('resume', request, options);
  const way =
    stands === 'Failed'
      ? `Fix the cause and retry the failed tasks: ${againCommand('retry', request, options)} (${resume} shows its state)`
      : `Resume it: ${resume}`;
  return `${plan.operation} ${id} of ${plan.cluster} was started and is not complete (${stands}). ${way}. Or remove first what it created: boathook cluster cleanup`;
}

type Begun = {
  readonly operation: OperationKind;
  readonly touched: readonly string[];
  readonly stands: OperationState;
};

function isInTheWay({ operation, touched, stands }: Begun, wanted: PreparedOperation): boolean {
  if (creates(wanted.operation)) return creates(operation) || operation === 'cluster.delete';
  const isOpen = stands === 'Interrupted' || stands === 'Cancelled';
  return isOpen && operation === wanted.operation && wanted.nodes.some((node) => touched.includes(node));
}
