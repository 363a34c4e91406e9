import { harmlessText } from '#base/harmless-text.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { refusedExit } from '#command/open-cluster.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { releaseSummaryOf, type ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import { workloadKinds } from './workload-name.ts';

export type ReleaseSelection = {
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
};

export type ReadReleases = {
  readonly releases: readonly ReleaseSummary[];
  /** Kinds that the cluster serves and the user may list. */
  readonly kinds: readonly WorkloadKind[];
  /** Why a kind is missing in the list. */
  readonly refused: readonly string[];
};

/** All releases, in pages: of each object only its summary is kept. Ends the command when no kind can be read. */
export async function readReleases(cluster: InCluster, selection: ReleaseSelection): Promise<ReadReleases> {
  const read = await Promise.all(
    workloadKinds.map(async (kind) => ({ kind, ...(await readKind(cluster, kind, selection)) })),
  );
  const refusals = read.filter(({ refusal }) => refusal !== undefined && refusal.type !== 'not-found');
  const kinds = read.filter(({ refusal }) => refusal === undefined).map(({ kind }) => kind);
  const what = ({ resource }: WorkloadKind): string => `${resource.plural} cannot be listed`;
  const [first] = refusals;
  if (kinds.length === 0) {
    if (first?.refusal !== undefined) throw refusedExit(first.refusal, what(first.kind));
    const resources = workloadKinds.map(({ resource }) => resource);
    await mustServe(cluster.client, resources, cluster.signal());
  }
  return {
    releases: read.flatMap(({ releases }) => releases),
    kinds,
    refused: refusals.map(({ kind, refusal }) => `${what(kind)}: ${harmlessText(refusal?.message ?? '')}`),
  };
}

/** Small pages: what is read of a page is garbage before the next one, and never much. */
const pageSize = 200;

async function readKind(
  { client, signal }: InCluster,
  { resource, kind }: WorkloadKind,
  selection: ReleaseSelection,
): Promise<{ readonly releases: readonly ReleaseSummary[]; readonly refusal?: Refusal }> {
  const releases: ReleaseSummary[] = [];
  for await (const page of client.pages(resource, { ...selection, pageSize }, signal())) {
    if (page.type === 'gone' && releases.length > 0) return readWhole(client, resource, selection, signal());
    if (page.type !== 'page') return { releases: [], refusal: page };
    for (const item of page.items) releases.push({ ...releaseSummaryOf(item), kind });
  }
  return { releases };
}

/** In one piece, because the pages grew too old while they were read. */
async function readWhole(
  client: InCluster['client'],
  resource: WorkloadKind['resource'],
  selection: ReleaseSelection,
  signal: AbortSignal,
): Promise<{ readonly releases: readonly ReleaseSummary[]; readonly refusal?: Refusal }> {
  const listed = await client.list(resource, selection, signal);
  return listed.type === 'ok'
    ? { releases: listed.items.map(releaseSummaryOf) }
    : { releases: [], refusal: listed };
}
