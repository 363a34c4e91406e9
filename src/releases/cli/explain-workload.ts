import { systemClock } from '#edge/clock.ts';
import { textAt } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { Refused } from '#loop/owned/write.ts';
import { requestReader } from '#releases/controller/request-reader.ts';
import { readWorkloadSnapshot } from '#releases/controller/workload-snapshot.ts';
import { explainRelease } from '#releases/decide/explain/explain-release.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
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
  const key = { namespace: namespaceOf(workload), name: nameOf(workload) };
  const needsNodes = textAt(workload, 'spec', 'updateStrategy', 'type') === 'HotPatchUpdate';
  const reader = tolerantReader(requestReader(cluster.client, kind, cluster.signal()), { needsNodes });
  const snapshot = await readWorkloadSnapshot(reader, key, clock).catch(asExit);
  if (snapshot === undefined)
    throw new ExitError(1, `${title} in namespace ${key.namespace} was deleted while it was read`);
  const lease = await readLease(cluster);
  const explanation = explainRelease(snapshot, kind.decide(snapshot), { title, flags, lease });
  return { ...explanation, warnings: [...explanation.warnings, ...reader.warnings()] };
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
async function readLease({ client, signal }: InCluster): Promise<KubeObject | undefined> {
  const key = { namespace: 'boathook-system', name: 'boathook-controller' };
  const found = await client.get(leases, key, signal());
  return found.type === 'ok' ? found.object : undefined;
}
