import { objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { ClusterSpec, MachineSpec } from '#machines/decide/cluster-spec.ts';
import type { PlacedDocument } from '#machines/decide/documents.ts';
import { readCluster } from '#machines/decide/read-cluster.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** The objects that a plan is made from, with the credentials of their Secrets filled in. */
export type PlanObjects = { readonly cluster: KubeObject; readonly machines: readonly KubeObject[] };

/** The name of an object in an Origin and a SecretRef: a Cluster has none, since its own status shows its problems. */
const labelOf = (object: KubeObject): string =>
  textAt(object, 'kind') === 'Machine' ? `Machine ${nameOf(object)}` : '';

const placeOf = (object: KubeObject): PlacedDocument => ({
  document: object,
  file: labelOf(object),
  prefix: '',
});

/**
 * A Cluster and its Machines as objects. `hooks`: the commands among its hooks. `gone`: addresses of masters that are
 * no longer in the spec; nothing runs on them, but other machines remove them from the cluster.
 */
export function objectSpec(
  { cluster, machines }: PlanObjects,
  {
    root,
    hooks,
    gone,
  }: { readonly root: string; readonly hooks: JsonObject; readonly gone: readonly string[] },
): ClusterSpec {
  const source = {
    cluster: placeOf(cluster),
    machines: machines.map(placeOf),
    hooks,
    folder: root,
    hostKeys: objectAt(cluster, 'spec', 'hostKeys'),
  };
  const spec = readCluster(source, { agent: false, readsSecrets: true });
  const masters = spec.machines.filter(({ roles }) => roles.includes('master'));
  const workers = spec.machines.filter(({ roles }) => !roles.includes('master'));
  return { ...spec, machines: [...masters, ...gone.map(goneMaster), ...workers] };
}

const goneMaster = (address: string): MachineSpec => ({
  name: address,
  address,
  port: 22,
  roles: ['master', 'etcd'],
  credentials: { type: 'unneeded' },
  origin: { file: '', pointer: '/status/machines' },
});

/** The value that a SecretRef names. */
export function secretIn(
  { cluster, machines }: PlanObjects,
  { file, pointer }: { readonly file: string; readonly pointer: string },
): Json | undefined {
  let current: Json | undefined = [cluster, ...machines].find((object) => labelOf(object) === file);
  for (const key of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return current;
}
