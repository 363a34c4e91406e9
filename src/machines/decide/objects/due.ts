import type { Cluster } from '#machines/kinds/cluster.ts';
import type { Machine } from '#machines/kinds/machine.ts';
import type { OperationStatus, PlatformPhase } from '#machines/kinds/operation-status.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { addressTaken, mastersHost, workersHost } from './address-taken.ts';
import { nobody, type Neighbours } from './host-claims.ts';
import { filesStep } from './files-step.ts';

export type WantedOperation = {
  readonly kind: OperationKind;
  /** Node names of its machines; empty: all of the cluster. */
  readonly nodes: readonly string[];
  readonly version?: string;
};

/** The operation that is due for an object. */
export type DueOperation =
  | { readonly type: 'nothing' }
  /** The object waits for another object or for the user. */
  | {
      readonly type: 'wait';
      readonly reason: string;
      readonly message: string;
      readonly phase?: PlatformPhase;
      /** An operation that was started does not continue either. */
      readonly isFinal?: true;
    }
  | { readonly type: 'operate'; readonly wanted: WantedOperation }
  /** The deletion is complete: the finalizer is removed. */
  | { readonly type: 'release' };

const nothing: DueOperation = { type: 'nothing' };
const release: DueOperation = { type: 'release' };

/** The operation that is due for a Cluster. A started one is completed first, unless the spec needs another one. */
export function dueForCluster(cluster: Cluster, near: Neighbours = nobody): DueOperation {
  const view = viewOf(cluster);
  const { begun, has } = view;
  if (view.isDeleting)
    return wasTouched(begun, has.length > 0) ? operate({ kind: 'cluster.delete', nodes: [] }) : release;
  const target = versioned(cluster.spec.version);
  if (has.length === 0)
    return hostsHold(cluster, near) ?? operate({ kind: 'cluster.create', nodes: [], ...target });
  const masters = mastersDue(cluster, has, near);
  if (masters !== undefined) return masters;
  const isNew = target.version !== undefined && target.version !== view.version;
  // A started upgrade is completed even when the version was set back: machines may be partly upgraded.
  return isNew || begun?.type === 'cluster.upgrade'
    ? operate({ kind: 'cluster.upgrade', nodes: [], ...target })
    : nothing;
}

/** Why a Cluster may not be created on its hosts. A started creation continues. */
function hostsHold(cluster: Cluster, near: Neighbours): DueOperation | undefined {
  if (cluster.status?.operation?.type === 'cluster.create') return undefined;
  const [conflict] = mastersHost(cluster, addressesOf(cluster), near).values();
  return conflict === undefined ? undefined : wait(addressTaken, conflict);
}

/** Masters that were added during the creation and whose hosts belong to other objects: they join later. */
export function mastersHeld(cluster: Cluster, near: Neighbours): readonly string[] {
  const operation = cluster.status?.operation;
  const reached = operation?.type === 'cluster.create' ? nodesWithin(operation) : [];
  if (reached.length === 0) return [];
  const fresh = addressesOf(cluster).filter((ip) => !reached.includes(ip));
  return [...mastersHost(cluster, fresh, near).keys()];
}

const addressesOf = ({ spec }: Cluster): readonly string[] => spec.machines.map(({ ip }) => ip);

function mastersDue(cluster: Cluster, has: readonly string[], near: Neighbours): DueOperation | undefined {
  const wanted = addressesOf(cluster);
  const missing = wanted.filter((ip) => !has.includes(ip));
  const operation = cluster.status?.operation;
  const begun = operation?.type === 'node.join' ? (operation.nodes ?? []) : [];
  const conflicts = mastersHost(
    cluster,
    missing.filter((ip) => !begun.includes(ip)),
    near,
  );
  const joining = missing.filter((ip) => !conflicts.has(ip));
  if (joining.length > 0) return operate({ kind: 'node.join', nodes: joining });
  const [conflict] = conflicts.values();
  if (conflict !== undefined) return wait(addressTaken, conflict);
  const leaving = has.filter((ip) => !wanted.includes(ip));
  return leaving.length > 0 ? operate({ kind: 'node.delete', nodes: leaving }) : undefined;
}

/** The operation that is due for a Machine. */
export function dueForMachine(
  machine: Machine,
  cluster: Cluster | undefined,
  near: Neighbours = nobody,
): DueOperation {
  if (isDeleting({ metadata: machine.metadata })) return dueForRemoval(machine, cluster && viewOf(cluster));
  const name = machine.spec.clusterName;
  return cluster === undefined
    ? wait('ClusterMissing', `The Cluster ${name} does not exist: create it.`)
    : dueForMember(machine, cluster, near);
}

function dueForMember(machine: Machine, cluster: Cluster, near: Neighbours): DueOperation {
  const behind = viewOf(cluster);
  if (behind.isDeleting) return terminating(behind);
  const name = nameOf({ metadata: machine.metadata });
  const kind = kindFor(machine, behind);
  if (kind === undefined) return isUnderWay(name, behind) ? upgrading(behind) : nothing;
  const begin = operate({ kind, nodes: [name], ...versioned(behind.version) });
  if (machine.status?.operation?.type === kind) return begin;
  return hostHold(machine, cluster, near) ?? holdOf(behind) ?? begin;
}

/** Why a Machine may not join on its host. */
function hostHold(machine: Machine, cluster: Cluster, near: Neighbours): DueOperation | undefined {
  const conflict = machine.status?.joined === true ? undefined : workersHost(machine, cluster, near);
  return conflict === undefined ? undefined : wait(addressTaken, conflict);
}

/** Why no operation of a Machine may start now. */
function holdOf(behind: View): DueOperation | undefined {
  if (behind.has.length === 0 || behind.begun !== undefined) return notReady(behind);
  return behind.isPaused ? wait('ClusterPaused', `The Cluster ${behind.name} is paused.`) : undefined;
}

/** A started operation is completed; then the Machine joins, and is upgraded to the version of its Cluster. */
function kindFor({ status }: Machine, behind: View): OperationKind | undefined {
  const begun = status?.operation?.type;
  if (begun === 'node.join' || begun === 'node.upgrade') return begun;
  if (status?.joined !== true) return 'node.join';
  const isBehind = behind.version !== undefined && status.version !== behind.version;
  return isBehind && !behind.isManual ? 'node.upgrade' : undefined;
}

/** Whether the upgrade of the Cluster has reached the Machine. */
const isUnderWay = (machine: string, { begun }: View): boolean =>
  begun?.type === 'cluster.upgrade' && nodesUnderWay(begun).includes(machine);

/** The machines that an operation has reached: files go to all of them beforehand. */
export const nodesUnderWay = ({ steps = [] }: OperationStatus): readonly string[] =>
  nodesWithin({ steps: steps.filter(({ name }) => name !== filesStep) });

const nodesWithin = ({ steps = [] }: Pick<OperationStatus, 'steps'>): readonly string[] =>
  steps.flatMap(({ done = [], tasks = [] }) => [...done, ...tasks.map(({ node }) => node)]);

function dueForRemoval(machine: Machine, behind: View | undefined): DueOperation {
  const begun = machine.status?.operation;
  if (behind === undefined || !isTouched(machine)) return release;
  const isBusy = behind.begun !== undefined;
  // The deletion of the Cluster has removed the Machine already.
  if (behind.isDeleting) return !isBusy && behind.has.length === 0 ? release : terminating(behind);
  if (isBusy && begun?.type !== 'node.delete') return notReady(behind);
  return operate({ kind: 'node.delete', nodes: [nameOf({ metadata: machine.metadata })] });
}

/** Whether an operation may have changed the machine. */
export const isTouched = ({ status }: Machine): boolean =>
  wasTouched(status?.operation, status?.joined === true);

/** Whether the started operation is the wanted one. */
export function isSameOperation(begun: OperationStatus, { kind, nodes, version }: WantedOperation): boolean {
  if (begun.type !== kind) return false;
  if (kind === 'cluster.upgrade') return begun.version === version;
  return kind.startsWith('cluster.') || (begun.nodes ?? []).join() === nodes.join();
}

type View = {
  readonly name: string;
  readonly isDeleting: boolean;
  readonly isPaused: boolean;
  readonly isManual: boolean;
  readonly begun: OperationStatus | undefined;
  /** Addresses of its masters. */
  readonly has: readonly string[];
  readonly version: string | undefined;
  readonly phase: string;
};

function viewOf(cluster: Cluster): View {
  const { metadata, spec, status = {} } = cluster;
  return {
    name: nameOf({ metadata }),
    isDeleting: isDeleting({ metadata }),
    isPaused: spec.paused === true,
    isManual: spec.features?.upgrade?.mode === 'Manual',
    begun: status.operation,
    has: (status.machines ?? []).map(({ ip }) => ip),
    version: status.version,
    phase: status.phase ?? 'not begun',
  };
}

/** Whether an operation may have changed a machine. */
function wasTouched(operation: OperationStatus | undefined, isMade: boolean): boolean {
  if (isMade || operation === undefined) return isMade;
  return operation.type.endsWith('.delete') || (operation.steps ?? []).length > 0;
}

const operate = (wanted: WantedOperation): DueOperation => ({ type: 'operate', wanted });
const wait = (reason: string, message: string): DueOperation => ({ type: 'wait', reason, message });
const terminating = ({ name }: View): DueOperation => ({
  type: 'wait',
  reason: 'ClusterTerminating',
  message: `The Cluster ${name} is being deleted.`,
  isFinal: true,
});
const upgrading = ({ name, begun }: View): DueOperation => ({
  type: 'wait',
  reason: 'Upgrading',
  message: `The Cluster ${name} upgrades it${begun?.version === undefined ? '' : ` to ${begun.version}`}.`,
  phase: 'Upgrading',
});
const notReady = ({ name, phase }: View): DueOperation =>
  wait('ClusterNotReady', `The Cluster ${name} is ${phase}.`);
const versioned = (text: string | undefined): { readonly version?: string } =>
  text === undefined || text === '' ? {} : { version: text };
