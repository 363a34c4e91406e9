import { systemClock } from '#edge/clock.ts';
import type { Clock } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { objectKeyOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { Refused } from '#loop/owned/write.ts';
import { requestReader } from '#releases/controller/request-reader.ts';
import { readWorkloadSnapshot } from '#releases/controller/workload-snapshot.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { explainRelease } from '#releases/decide/explain/explain-release.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { findWorkload } from './find-workload.ts';
import { tolerantReader } from './tolerant-reader.ts';

export type ExplainOptions = {
  /** Flags that commands in the explanation repeat. */
  readonly flags: string;
  readonly clock?: Pick<Clock, 'now'>;
};

/** Reads a workload and all that decides its release once, and explains it. Writes nothing. */
export async function explainWorkload(
  cluster: InCluster,
  text: string,
  { flags, clock = systemClock }: ExplainOptions,
): Promise<Explanation> {
  const { kind, workload, title } = await findWorkload(cluster, text);
  const key = objectKeyOf(workload);
  const read = await readExplained(cluster, { kind, title, key }, { flags, clock }).catch(asExit);
  if (read !== undefined) return read.explanation;
  throw new ExitError(1, `${title} in namespace ${key.namespace} was deleted while it was read`);
}

export type ExplainedWorkload = {
  readonly kind: WorkloadKind;
  /** As commands name it: `gd/shop`. */
  readonly title: string;
  readonly key: { readonly namespace: string; readonly name: string };
};

/** All that decides a release, and its explanation. Undefined: the workload does not exist. Throws `Refused`. */
export async function readExplained(
  cluster: Pick<InCluster, 'client' | 'signal'>,
  { kind, title, key }: ExplainedWorkload,
  { flags, clock = systemClock }: ExplainOptions,
): Promise<{ readonly snapshot: WorkloadSnapshot; readonly explanation: Explanation } | undefined> {
  const reader = tolerantReader(requestReader(cluster.client, kind, cluster.signal()));
  const [snapshot, lease] = await Promise.all([readWorkloadSnapshot(reader, key, clock), readLease(cluster)]);
  if (snapshot === undefined) return undefined;
  const explained = explainRelease(snapshot, kind.decide(snapshot), { title, flags, lease });
  return { snapshot, explanation: { ...explained, warnings: [...explained.warnings, ...reader.warnings()] } };
}

function asExit(error: unknown): never {
  if (!(error instanceof Refused)) throw error;
  const isLogin = error.refusal.type === 'unauthorized';
  throw new ExitError(
    isLogin ? 5 : 1,
    isLogin ? `the cluster refused the login: ${error.message}` : error.message,
  );
}

const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

/** The usual place of the Lease of the controllers. Most people may not read it, and an embedded server has none. */
async function readLease({
  client,
  signal,
}: Pick<InCluster, 'client' | 'signal'>): Promise<KubeObject | undefined> {
  const key = { namespace: 'boathook-system', name: 'boathook-controller' };
  const found = await client.get(leases, key, signal());
  return found.type === 'ok' ? found.object : undefined;
}
