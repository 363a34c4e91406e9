import { belongings, findingsText, witnesses, type Belonging, type MachineFindings } from './identity.ts';
import type { DeclaredCluster, ClusterNode, OperationKind } from './model.ts';
import { firstWith } from './roles.ts';

/** The local record of a cluster that was completed from here. */
export type ClusterRecord = {
  readonly version?: string;
  readonly nodes: readonly RecordedNode[];
};

/** The address is absent when it is no longer known. */
export type RecordedNode = { readonly name: string; readonly address?: string };

export type AdmissionRequest = {
  readonly operation: OperationKind;
  readonly cluster: DeclaredCluster;
  /** The nodes to join. */
  readonly nodes: readonly string[];
  /** Whether machines were surveyed: the survey takes precedence over local records. */
  readonly isSurveyed: boolean;
  /** By node; absent: it could not be reached. */
  readonly found: ReadonlyMap<string, MachineFindings>;
  readonly record?: ClusterRecord;
  /** Digests of the CAs that are recorded as this cluster's. */
  readonly known: readonly string[];
  /** An unfinished operation that was started here: its state, and the command that continues it. */
  readonly begun?: string;
  readonly adopts: boolean;
};

/** Whether an operation may begin, and on which nodes. */
export type StartDecision =
  | {
      readonly type: 'go';
      /** Nodes that are members already: nothing is done on them. */
      readonly leftOut: readonly string[];
      /** CAs whose machines count as this cluster's. */
      readonly accepts: readonly string[];
      /** Text about machines that are taken over from another cluster. */
      readonly adopted: readonly string[];
      /** The version that the cluster has now. */
      readonly version?: string;
    }
  | { readonly type: 'nothing'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string };

/** Leaves complete clusters unchanged, and refuses machines of other clusters. */
export function admit(request: AdmissionRequest): StartDecision {
  const whose = belongings(request.cluster, request.found, request.known);
  const foreign = [...whose].filter(([, belonging]) => belonging === 'foreign').map(([node]) => node);
  const taken = adoption(request, foreign);
  if (taken.type === 'refused') return taken;
  const { operation } = request;
  const state: ClusterState = { ...request, whose, version: versionOf(request) };
  const go = { ...taken, ...(state.version !== undefined && { version: state.version }) };
  if (operation === 'cluster.create' || operation === 'bootstrap')
    return (taken.adopted.length > 0 ? undefined : creation(state)) ?? go;
  return operation === 'node.join' ? joining(state, go) : go;
}

type Go = Extract<StartDecision, { readonly type: 'go' }>;
type Refusal = Exclude<StartDecision, { readonly type: 'go' }>;
type ClusterState = AdmissionRequest & {
  readonly whose: ReadonlyMap<string, Belonging>;
  readonly version: string | undefined;
};

const refused = (message: string): Refusal => ({ type: 'refused', message });

/** A cluster is taken over as a whole: all its machines must trust the CA of the first master. */
function adoption(
  request: AdmissionRequest,
  foreign: readonly string[],
): Go | Extract<Refusal, { type: 'refused' }> {
  const { cluster, found, known, adopts, operation } = request;
  const accepts = [...new Set([...known, ...authoritiesOf(request)])];
  if (foreign.length === 0) return { type: 'go', leftOut: [], accepts, adopted: [] };
  const first = firstWith(cluster.nodes, 'master')?.name ?? '';
  const authority = found.get(first)?.authority;
  const isTakeable = (node: string): boolean =>
    foreign.includes(first) && authority !== undefined && found.get(node)?.authority === authority;
  const makes = operation === 'cluster.create' || operation === 'bootstrap' || operation === 'node.join';
  const lines = foreign.map((node) => lineOf(node, found.get(node), cluster));
  if (makes && adopts && authority !== undefined && foreign.every(isTakeable))
    return { type: 'go', leftOut: [], accepts: [...accepts, `adopt:${authority}`], adopted: lines };
  return { type: 'refused', message: [...lines, wayOut(request, foreign, isTakeable)].join('\n') };
}

const lineOf = (node: string, findings: MachineFindings | undefined, { id }: DeclaredCluster): string =>
  `${node} ${findings === undefined ? 'belongs to another cluster' : findingsText(findings, id)}`;

function wayOut(
  { operation, cluster, adopts }: AdmissionRequest,
  foreign: readonly string[],
  isTakeable: (node: string) => boolean,
): string {
  const stuck = foreign.filter((node) => !isTakeable(node));
  if (operation === 'cluster.delete' || operation === 'node.delete' || operation.endsWith('upgrade'))
    return `Nothing was changed. Use the file of that cluster, or take it over with: boathook cluster deploy -f ${cluster.file} --adopt`;
  if (stuck.length > 0)
    return `Nothing was changed. Remove ${stuck.join(', ')} from that cluster first (boathook cluster delete or cleanup with its own file, or kubeadm reset)${adopts ? ': only a whole cluster can be taken over' : ''}`;
  return `Nothing was changed. To take that cluster over under the name "${cluster.id}", add --adopt`;
}

/** The CA of machines that name the cluster is the CA of the cluster. */
const authoritiesOf = ({ cluster, found }: AdmissionRequest): readonly string[] =>
  [...witnesses(cluster, found).values()].flatMap(({ authority }) => authority ?? []);

const versionOf = ({ cluster, found, record }: AdmissionRequest): string | undefined => {
  const first = firstWith(cluster.nodes, 'master');
  const version = (first && found.get(first.name)?.identity?.version) ?? '';
  return version === '' ? record?.version : version;
};

function creation(state: ClusterState): Refusal | undefined {
  const { cluster, found, whose, begun, record } = state;
  if (begun !== undefined) return refused(begun);
  const first = firstWith(cluster.nodes, 'master');
  const members = cluster.nodes.filter(({ name }) => whose.get(name) === 'ours');
  if (!state.isSurveyed) return record === undefined ? undefined : recorded(state, record.nodes);
  if (members.length === 0) return undefined;
  const open = halfMade(members, found);
  if (open !== undefined) return refused(open);
  if (first === undefined || whose.get(first.name) !== 'ours')
    return refused(
      `${namesOf(members)} belong to ${cluster.id} already, and its first master ${first?.name ?? ''} has no control plane. Resume the deployment that created them (boathook cluster resume, with its --data-dir), or remove them first: boathook cluster cleanup -f ${cluster.file}`,
    );
  if (cluster.nodes.some((node) => isKubernetes(node) && !whose.has(node.name))) return undefined;
  return recorded(state, [...members, ...cluster.nodes.filter((node) => !isKubernetes(node))]);
}

/** A complete cluster is left unchanged; differences to its file need another command. */
function recorded(state: ClusterState, complete: readonly RecordedNode[]): Refusal {
  const { cluster, version, record } = state;
  if (isOther(cluster.version, version)) return refused(upgradeText(cluster, version ?? ''));
  const missing = cluster.nodes.filter((node) => !complete.some((each) => isSame(each, node)));
  if (missing.length > 0)
    return refused(
      `${cluster.id} is complete without ${namesOf(missing)}. Join them: boathook cluster join ${missing.map(({ name }) => name).join(' ')} -f ${cluster.file}`,
    );
  const more = (record?.nodes ?? []).filter(({ name }) => cluster.nodes.every((node) => node.name !== name));
  const at = version === undefined ? '' : ` at version ${version}`;
  const on = namesOf([...cluster.nodes, ...more]);
  const message = `${cluster.id} is complete${at} on ${on}: no hook was run, nothing was changed`;
  return { type: 'nothing', message };
}

function joining(state: ClusterState, go: Go): StartDecision {
  const { cluster, found, whose, nodes, record, begun } = state;
  if (begun !== undefined) return refused(begun);
  const asked = cluster.nodes.filter(({ name }) => nodes.includes(name));
  const open = halfMade(asked, found);
  if (open !== undefined) return refused(open);
  const isMember = (node: ClusterNode): boolean =>
    whose.has(node.name)
      ? whose.get(node.name) === 'ours'
      : !state.isSurveyed && record?.nodes.some((each) => isSame(each, node)) === true;
  if (isOther(cluster.version, state.version)) return refused(upgradeText(cluster, state.version ?? ''));
  const members = asked.filter(isMember);
  if (go.adopted.length > 0 || members.length < asked.length || asked.length === 0)
    return { ...go, leftOut: members.map(({ name }) => name) };
  return {
    type: 'nothing',
    message: `${namesOf(members)} ${members.length === 1 ? 'is a member' : 'are members'} of ${cluster.id} already: no hook was run, nothing was changed`,
  };
}

function halfMade(
  nodes: readonly ClusterNode[],
  found: ReadonlyMap<string, MachineFindings>,
): string | undefined {
  for (const { name } of nodes) {
    const findings = found.get(name);
    const operation = findings?.identity?.unfinished ?? findings?.joining;
    if (operation === undefined) continue;
    const by = operation === '' ? 'an earlier operation' : `operation ${operation}`;
    return `${name} was started by ${by}, which has not completed it. Resume it where it was started, with its --data-dir: boathook cluster resume (after a failure: retry). Or remove first what it created: boathook cluster cleanup, or delete for a single machine`;
  }
  return undefined;
}

const upgradeText = (cluster: DeclaredCluster, version: string): string =>
  `${cluster.id} has version ${version}, and ${cluster.file} has ${cluster.version ?? ''}: boathook cluster upgrade -f ${cluster.file}`;

const bare = (version: string): string => version.replace(/^v/, '');
const isOther = (wanted: string | undefined, version: string | undefined): boolean =>
  wanted !== undefined && version !== undefined && bare(wanted) !== bare(version);

/** Whether the first version is older than the second; false when they cannot be compared. */
export function isOlder(wanted: string, than: string): boolean {
  const parts = (version: string): readonly number[] => bare(version).split(/[.+-]/).slice(0, 3).map(Number);
  const [left, right] = [parts(wanted), parts(than)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

const isSame = (record: RecordedNode, { name, address }: ClusterNode): boolean =>
  record.name === name && (record.address ?? address) === address;
const namesOf = (nodes: readonly RecordedNode[]): string => nodes.map(({ name }) => name).join(', ');
const isKubernetes = ({ roles }: ClusterNode): boolean =>
  roles.includes('master') || roles.includes('worker');
