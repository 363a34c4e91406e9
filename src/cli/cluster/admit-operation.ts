import { ExitError } from '#cli/exit.ts';
import { admit, isOlder, type Admission } from '#decide/machines/admission.ts';
import type { ProgressEvent } from '#decide/machines/events.ts';
import { isNameless, witnesses } from '#decide/machines/identity.ts';
import type { ClusterNode, OperationKind } from '#decide/machines/model.ts';
import { replay } from '#decide/machines/progress.ts';
import { firstWith } from '#decide/machines/roles.ts';
import { undoOf } from '#decide/machines/undo.ts';
import { againCommand } from './again-command.ts';
import { readClusterRecord } from './cluster-record.ts';
import { readPlan, type PastOperation } from './folders.ts';
import type { Request, RunOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import { printable } from './printable.ts';
import { knownAuthorities, surveyMachines, type Survey } from './survey.ts';

export type Asked = {
  readonly request: Request;
  readonly prepared: Prepared;
  readonly clusterFolder: string;
  readonly options: RunOptions;
  readonly last: PastOperation | undefined;
};

export type Admitted =
  | {
      readonly type: 'go';
      readonly request: Request;
      readonly notes: readonly string[];
      readonly events: readonly ProgressEvent[];
      /** What to ask a person before it begins. */
      readonly questions: readonly string[];
    }
  | { readonly type: 'nothing'; readonly message: string };

/** Looks at our own records and at the machines, and decides whether the operation may begin. */
export async function admitOperation(asked: Asked): Promise<Admitted> {
  const { request, prepared, clusterFolder, options, last } = asked;
  const { operation, declaration } = prepared;
  const { cluster } = declaration;
  const isSurveyed = request.installer === 'kubeadm';
  const survey: Survey = isSurveyed ? await surveyOf(asked) : { found: new Map(), events: [] };
  const record = readClusterRecord(clusterFolder);
  const begun = last === undefined ? undefined : begunText(last, asked);
  const admission = admit({
    operation,
    cluster,
    nodes: prepared.nodes,
    found: survey.found,
    known: isSurveyed ? await knownAuthorities(clusterFolder) : [],
    adopts: options.adopt || cluster.accepts?.includes('*') === true,
    ...(record !== undefined && { record }),
    ...(begun !== undefined && { begun }),
  });
  if (admission.type === 'refused')
    throw new ExitError(2, printable(admission.message.replaceAll('\n', '; ')));
  if (admission.type === 'nothing') return admission;
  return {
    type: 'go',
    request: requestFor(asked, admission),
    notes: admission.leftOut.map((node) => `${node} is a member of ${cluster.id} already and takes no part`),
    events: survey.events,
    questions: questionsOf(asked, admission),
  };
}

/** Those concerned; and where one of them does not name its cluster, the others, which may. */
async function surveyOf({ prepared, clusterFolder, options }: Asked): Promise<Survey> {
  const { cluster } = prepared.declaration;
  const concerned = concernedNodes(prepared);
  const look = (nodes: readonly ClusterNode[]): Promise<Survey> =>
    surveyMachines(cluster, nodes, { clusterFolder, options });
  const survey = await look(concerned);
  const others = cluster.nodes.filter((node) => isKubernetes(node) && !concerned.includes(node));
  if (others.length === 0 || ![...survey.found.values()].some(isNameless)) return survey;
  const further = await look(others);
  return {
    found: new Map([...survey.found, ...witnesses(cluster, further.found)]),
    events: [...survey.events, ...further.events],
  };
}

const isKubernetes = ({ roles }: ClusterNode): boolean =>
  roles.includes('master') || roles.includes('worker');

/** Etcd machines and load balancers run no kubelet; a join also concerns the first master. */
function concernedNodes({ operation, nodes, declaration: { cluster } }: Prepared): readonly ClusterNode[] {
  const first = firstWith(cluster.nodes, 'master');
  const isWanted = (node: ClusterNode): boolean =>
    !operation.startsWith('node.') || nodes.includes(node.name) || node === first;
  return cluster.nodes.filter((node) => isWanted(node) && isKubernetes(node));
}

function requestFor(
  { request, prepared }: Asked,
  { leftOut, accepts }: Extract<Admission, { type: 'go' }>,
): Request {
  if (leftOut.length === 0) return { ...request, accepts };
  const { nodes } = prepared.declaration.cluster;
  const isMember = (text: string): boolean =>
    nodes.some(({ name, address }) => (name === text || address === text) && leftOut.includes(name));
  const texts = request.nodes.length > 0 ? request.nodes : prepared.nodes;
  return { ...request, accepts, nodes: texts.filter((text) => !isMember(text)) };
}

function questionsOf(
  { prepared: { operation, declaration, plan } }: Asked,
  { adopted, version }: Extract<Admission, { type: 'go' }>,
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

/** An operation that was begun here and stands in the way of this one. */
function begunText({ id, folder, records }: PastOperation, asked: Asked): string | undefined {
  const { prepared, request, options } = asked;
  const progress = replay(records);
  if (progress.closed === 'Succeeded' || !records.some(({ type }) => type === 'opened')) return undefined;
  const plan = readPlan(folder);
  const { touched } = undoOf(plan, progress, id);
  if (touched.length === 0 && progress.closed !== undefined) return undefined;
  const stands = progress.closed ?? 'Interrupted';
  const isInTheWay = creates(prepared.operation)
    ? creates(plan.operation) || (plan.operation === 'cluster.delete' && stands !== 'Failed')
    : plan.operation === prepared.operation &&
      (stands === 'Interrupted' || stands === 'Cancelled') &&
      prepared.nodes.some((node) => touched.includes(node));
  if (!isInTheWay || stands === 'PartlySucceeded') return undefined;
  const resume = againCommand('resume', request, options);
  const retry = againCommand('retry', request, options);
  const way =
    stands === 'Failed'
      ? `Mend it and try again what failed: ${retry} (${resume} shows how it stands)`
      : `Go on with it: ${resume}`;
  return `${plan.operation} ${id} of ${plan.cluster} was begun and is not complete (${stands}). ${way}. Or remove what it made first: boathook cluster cleanup`;
}
