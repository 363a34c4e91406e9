import { minorOf } from '#machines/decide/kubeadm/version.ts';
import type { DeclaredCluster, OperationKind } from '#machines/decide/model.ts';
import { firstWith } from '#machines/decide/roles.ts';

export type VersionChange = {
  readonly operation: OperationKind;
  readonly cluster: Pick<DeclaredCluster, 'nodes' | 'version'>;
  /** The nodes that are named. */
  readonly nodes: readonly string[];
  /** The version before the operation, if it is known. */
  readonly before: string | undefined;
};

/** What kubeadm would refuse, or Kubernetes does not support; `boathook cluster upgrade` begins all the same. */
export function versionWarnings({ operation, cluster, nodes, before }: VersionChange): readonly string[] {
  const wanted = cluster.version;
  if (!operation.endsWith('upgrade') || before === undefined || wanted === undefined) return [];
  const [from, to] = [minorOf(before, Number.NaN), minorOf(wanted, Number.NaN)];
  const first = firstWith(cluster.nodes, 'master')?.name ?? '';
  const isFirstMeant = operation === 'cluster.upgrade' || nodes.includes(first);
  // Versions that cannot be read are not compared.
  if (isFirstMeant && Math.abs(to - from) > 1)
    return [
      `kubeadm would refuse to go from ${before} to ${wanted}, because that skips a minor version; this is not simulated: go to 1.${from + Math.sign(to - from)} first`,
    ];
  if (!isFirstMeant && to > from)
    return [
      `${nodes.join(', ')} would get a kubelet of ${wanted}, which must not be newer than the API server of ${before}: upgrade the control plane first, or the whole cluster`,
    ];
  return [];
}
