import type { Cluster } from '#api/platform/cluster.ts';
import type { Machine } from '#api/platform/machine.ts';
import type { OperationStatus } from '#api/platform/operation-status.ts';
import type { OperationKind } from '#decide/machines/model.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { asObject } from './objects.ts';

export type Wanted = {
  readonly kind: OperationKind;
  /** The machines that it is about, by node name; none: all of the cluster. */
  readonly nodes: readonly string[];
  readonly version?: string;
};

/** What an object asks for now. */
export type Due =
  | { readonly type: 'nothing' }
  /** Somebody else must act first. */
  | { readonly type: 'wait'; readonly reason: string; readonly message: string }
  | { readonly type: 'operate'; readonly wanted: Wanted }
  /** It is deleted, and nothing is left to do. */
  | { readonly type: 'release' };

const nothing: Due = { type: 'nothing' };

/** Which operation is due for a Cluster: what was begun is ended first, unless something else is wanted now. */
export function dueForCluster(cluster: Cluster): Due {
  const { spec, status } = cluster;
  const target = version(spec.version);
  if (isDeleting(asObject(cluster))) {
    return wasTouched(status?.operation, (status?.machines ?? []).length > 0)
      ? operate({ kind: 'cluster.delete', nodes: [] })
      : { type: 'release' };
  }
  const begun = status?.operation;
  const has = (status?.machines ?? []).map(({ ip }) => ip);
  if (has.length === 0) return operate({ kind: 'cluster.create', nodes: [], ...target });
  const wanted = spec.machines.map(({ ip }) => ip);
  const joining = wanted.filter((ip) => !has.includes(ip));
  if (joining.length > 0) return operate({ kind: 'node.join', nodes: joining });
  const leaving = has.filter((ip) => !wanted.includes(ip));
  if (leaving.length > 0) return operate({ kind: 'node.delete', nodes: leaving });
  const isNew = spec.version !== undefined && spec.version !== status?.version;
  // An upgrade that was begun is ended even when the version was set back meanwhile: machines may be half-way.
  if (isNew || begun?.type === 'cluster.upgrade')
    return operate({ kind: 'cluster.upgrade', nodes: [], ...target });
  return nothing;
}

/** Which operation is due for a worker. */
export function dueForMachine(machine: Machine, cluster: Cluster | undefined): Due {
  const { status } = machine;
  const isBusy = cluster?.status?.operation !== undefined;
  const begun = status?.operation;
  if (isDeleting(asObject(machine))) return dueForRemoval(machine, cluster, isBusy);
  const name = machine.spec.clusterName;
  if (cluster === undefined) return wait('ClusterMissing', `The Cluster ${name} does not exist: create it.`);
  if (isDeleting(asObject(cluster))) return wait('ClusterTerminating', `The Cluster ${name} is being deleted.`);
  const mine = [nameOf(asObject(machine))];
  const target = version(cluster.status?.version);
  if (begun !== undefined && (begun.type === 'node.join' || begun.type === 'node.upgrade'))
    return operate({ kind: begun.type, nodes: mine, ...target });
  const isBehind = target.version !== undefined && status?.version !== target.version;
  const isManual = cluster.spec.features?.upgrade?.mode === 'Manual';
  if (status?.joined === true && (!isBehind || isManual)) return nothing;
  if ((cluster.status?.machines ?? []).length === 0 || isBusy)
    return wait('ClusterNotReady', `The Cluster ${name} is ${cluster.status?.phase ?? 'not begun'}.`);
  if (cluster.spec.paused === true) return wait('ClusterPaused', `The Cluster ${name} is paused.`);
  return operate({ kind: status?.joined === true ? 'node.upgrade' : 'node.join', nodes: mine, ...target });
}

function dueForRemoval(machine: Machine, cluster: Cluster | undefined, isBusy: boolean): Due {
  const { status } = machine;
  if (cluster === undefined || !wasTouched(status?.operation, status?.joined === true))
    return { type: 'release' };
  const name = nameOf(asObject(cluster));
  if (isDeleting(asObject(cluster))) {
    // What the cluster's own deletion has done need not be done again.
    const isGone = !isBusy && (cluster.status?.machines ?? []).length === 0;
    return isGone ? { type: 'release' } : wait('ClusterTerminating', `The Cluster ${name} is being deleted.`);
  }
  if (isBusy && status?.operation?.type !== 'node.delete')
    return wait('ClusterNotReady', `The Cluster ${name} is ${cluster.status?.phase ?? 'busy'}.`);
  return operate({ kind: 'node.delete', nodes: [nameOf(asObject(machine))] });
}

/** Whether what was begun is what is wanted now. */
export function isSameOperation(begun: OperationStatus, { kind, nodes, version: target }: Wanted): boolean {
  if (begun.type !== kind) return false;
  if (kind === 'cluster.upgrade' && begun.version !== target) return false;
  if (kind === 'cluster.create' || kind === 'cluster.delete' || kind === 'cluster.upgrade') return true;
  return (begun.nodes ?? []).join() === nodes.join();
}

/** Something of ours may be on a machine. */
const wasTouched = (operation: OperationStatus | undefined, isMade: boolean): boolean =>
  isMade || (operation?.steps ?? []).length > 0;

const operate = (wanted: Wanted): Due => ({ type: 'operate', wanted });
const wait = (reason: string, message: string): Due => ({ type: 'wait', reason, message });
const version = (text: string | undefined): { readonly version?: string } =>
  text === undefined || text === '' ? {} : { version: text };
