import { at, equalJson, listAt, textAt, type Json } from '#base/json.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { phaseOf } from '#hooks/decide/run-phase.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { templateOf } from '#hooks/read.ts';
import { conditionOf } from '#kube/conditions.ts';
import { nameOf, withoutManagedFields, type KubeObject } from '#kube/object.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { TemplatePage } from '#web/wire/hook-pages.ts';
import { topicText } from '#web/wire/topic.ts';
import { argsOf } from './hookrun-page.ts';
import { refusedPage, watchOne, type PageReader } from './page-reader.ts';

type TemplateKey = { readonly namespace: string; readonly name: string };

/** Runs that are shown: the newest. */
const mostRuns = 20;

export async function readTemplatePage(
  { client }: PageReader,
  { namespace, name }: TemplateKey,
  signal: AbortSignal,
): Promise<ReadPage> {
  const own = watchOne(hookTemplates, { namespace, name });
  const outcome = await client.get(hookTemplates, { namespace, name }, signal);
  if (outcome.type !== 'ok')
    return refusedPage(outcome, `HookTemplate ${name} in namespace ${namespace}`, [own]);
  const template = outcome.object;
  const listed = await client.list(hookRuns, { namespace }, signal);
  const { spec } = templateOf(template);
  const valid = conditionOf(template, 'Valid');
  const page: TemplatePage = {
    namespace,
    name,
    isValid: textAt(valid, 'status') !== 'False',
    message: textAt(valid, 'message') ?? '',
    text: printYaml(withoutManagedFields(template)),
    args: argsOf(spec.args),
    metrics: spec.metrics.map((metric) => metric.name),
    runs: listed.type === 'ok' ? runsOf(template, listed.items) : [],
  };
  const runs = { resource: hookRuns, namespace };
  return { type: 'object', object: { type: 'template', page }, watch: [own, runs] };
}

/** A run has a copy of the template and no reference to it: it is one of those with the same metrics. */
function runsOf(template: KubeObject, runs: readonly KubeObject[]): TemplatePage['runs'] {
  const wanted = callsIn(template);
  return runs
    .filter((run) => equalJson(callsIn(run), wanted))
    .map((run) => ({
      topic: topicText({
        type: 'hookrun',
        namespace: textAt(run, 'metadata', 'namespace') ?? '',
        name: nameOf(run),
      }),
      name: nameOf(run),
      phase: phaseOf(run) || 'Pending',
      created: textAt(run, 'metadata', 'creationTimestamp') ?? '',
    }))
    .toSorted((left, right) => (left.created < right.created ? 1 : -1))
    .slice(0, mostRuns);
}

const callsIn = (object: KubeObject): Json =>
  listAt(object, 'spec', 'metrics').map((metric) => ({
    name: textAt(metric, 'name') ?? '',
    provider: at(metric, 'provider') ?? null,
  }));
