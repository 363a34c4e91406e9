import { hookRuns } from '#hooks/kinds/resources.ts';
import { specOf } from '#hooks/read.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { labelsOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { runViewOf } from '#releases/decide/view/run-view.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { HookRunPage } from '#web/wire/hook-pages.ts';
import { topicText } from '#web/wire/topic.ts';
import { metricCharts } from './metric-charts.ts';
import { readEvents, watchEvents } from './page-events.ts';
import { refusedPage, watchOne, type PageReader } from './page-reader.ts';

type RunKey = { readonly namespace: string; readonly name: string };

export async function readHookRunPage(
  { client }: PageReader,
  { namespace, name }: RunKey,
  signal: AbortSignal,
): Promise<ReadPage> {
  const about = { kind: 'HookRun', namespace, name };
  const own = watchOne(hookRuns, { namespace, name });
  const outcome = await client.get(hookRuns, { namespace, name }, signal);
  if (outcome.type !== 'ok') return refusedPage(outcome, `HookRun ${name} in namespace ${namespace}`, [own]);
  const run = outcome.object;
  const release = releaseOf(run);
  const page: HookRunPage = {
    run: runViewOf(run),
    namespace,
    ...(release === undefined ? {} : { release }),
    charts: metricCharts(run),
    args: argsOf(specOf(run).args),
    events: await readEvents(client, about, run, signal),
  };
  return { type: 'object', object: { type: 'hookrun', page }, watch: [own, watchEvents(about)] };
}

type Args = readonly { readonly name: string; readonly value?: string }[] | undefined;

export const argsOf = (args: Args): HookRunPage['args'] =>
  (args ?? []).map(({ name, value = '' }) => ({ name, value }));

/** The topic of the release that a run belongs to: by its owner, or after the deletion of the workload by its labels. */
function releaseOf(run: KubeObject): string | undefined {
  const owner = controllerOf(run);
  const labels = labelsOf(run);
  const kind = owner?.kind ?? labels['boathook.dev/workload-kind'];
  const name = owner?.name ?? labels['boathook.dev/workload'];
  if (name === undefined || (kind !== 'GameDeployment' && kind !== 'GameStatefulSet')) return undefined;
  return topicText({ type: 'release', kind, namespace: namespaceOf(run), name });
}
