import { Refused } from '#loop/owned/write.ts';
import { selectorOf } from '#loop/owned/selector-index.ts';
import { pods } from '#loop/owned/resources.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { parseLabelSelector } from '#kube/label-selector.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { sparseTemplate } from '#kube/workload/sparse-template.ts';
import { stableOf } from '#releases/cli/diff-command.ts';
import { readExplained, type ExplainedWorkload } from '#releases/cli/explain-workload.ts';
import { titleOf } from '#releases/cli/find-workload.ts';
import { workloadKinds } from '#releases/cli/workload-name.ts';
import { runSelection } from '#releases/controller/workload-selection.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { historyRows } from '#releases/decide/view/history-row.ts';
import { releaseViewOf } from '#releases/decide/view/release-view.ts';
import { templateChanges } from '#releases/decide/view/template-changes.ts';
import { identityOf } from '#releases/model/act-identity.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { WatchRequest } from '#web/server/live/watch-request.ts';
import type { Permission, ReleasePage } from '#web/wire/release-page.ts';
import type { Topic } from '#web/wire/topic.ts';
import { metricCharts } from './metric-charts.ts';
import { offeredActs } from './offered-acts.ts';
import { listEvents, pageEvents, watchEvents } from './page-events.ts';
import { refusedPage, watchOne, type PageReader } from './page-reader.ts';

type ReleaseTopic = Extract<Topic, { readonly type: 'release' }>;

/** The kind, title and key of a topic, as commands use them. */
export function workloadOf({ kind: wanted, namespace, name }: ReleaseTopic): ExplainedWorkload {
  const kind = workloadKinds.find((each) => each.kind === wanted);
  if (kind === undefined) throw new Error(`${wanted} is no kind of workload`);
  return { kind, title: titleOf(kind, name), key: { namespace, name } };
}

/** Reads a release as `boathook release get`, `explain` and `history` do. */
export async function readReleasePage(
  reader: PageReader,
  topic: ReleaseTopic,
  signal: AbortSignal,
): Promise<ReadPage> {
  const { client, clock, permissions, user } = reader;
  const found = workloadOf(topic);
  const { kind, key } = found;
  const flags = ` -n ${topic.namespace}`;
  try {
    const [read, permission, events] = await Promise.all([
      readExplained({ client, signal: () => signal }, found, { flags, clock }),
      permissions.may({ verb: 'patch', resource: kind.resource, ...key }, user, signal),
      listEvents(client, { kind: kind.kind, ...key }, signal),
    ]);
    if (read === undefined) return { type: 'gone', watch: watchedOf(found, undefined) };
    const { workload } = read.snapshot;
    const page = pageOf(found, { ...read, permission, events });
    const passing = [page.view.time, page.explanation.time];
    return { type: 'object', object: { type: 'release', page }, passing, watch: watchedOf(found, workload) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const what = `${topic.kind} ${topic.name} in namespace ${topic.namespace}`;
    return refusedPage(error.refusal, what, watchedOf(found, undefined));
  }
}

type Read = {
  readonly snapshot: WorkloadSnapshot;
  readonly explanation: Explanation;
  readonly permission: Permission;
  readonly events: readonly KubeObject[];
};

function pageOf(
  { kind, title }: ExplainedWorkload,
  { snapshot, explanation, permission, events }: Read,
): ReleasePage {
  const { workload, revisions, updateRevision, runs, now } = snapshot;
  return {
    view: { ...releaseViewOf(snapshot), kind: kind.kind },
    explanation: { ...explanation, kind: kind.kind },
    history: historyRows(workload, revisions, now),
    changes: templateChanges(
      sparseTemplate(templateOf(stableOf(snapshot))),
      sparseTemplate(templateOf(updateRevision)),
    ),
    charts: Object.fromEntries(runs.map((run) => [nameOf(run), metricCharts(run)])),
    events: pageEvents(events, workload),
    acts: offeredActs({ workload, revisions, title, permission }),
    identity: identityOf(workload),
  };
}

/** The workload, its pods, its HookRuns and its Events. */
function watchedOf(
  { kind, key }: ExplainedWorkload,
  workload: KubeObject | undefined,
): readonly WatchRequest[] {
  const { namespace } = key;
  const own = watchOne(kind.resource, key);
  if (workload === undefined) return [own];
  return [
    own,
    { resource: pods, namespace, labels: selectorOf(workload) },
    { resource: hookRuns, namespace, labels: parseLabelSelector(runSelection(workload)) },
    watchEvents({ kind: kind.kind, ...key }),
  ];
}
