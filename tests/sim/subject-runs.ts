import { textAt, type JsonObject } from '#base/json.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { nameOf } from '#kube/object.ts';
import type { HappeningPlan } from './plan-happenings.ts';
import { finalPhases } from './run-phases.ts';
import type { SimCluster } from './sim-cluster.ts';
import { hookRunOf, metricsOf, storages } from './subject-objects.ts';
import type { Subject } from './subject.ts';

const never = new AbortController().signal;

export type RunHappening = Extract<HappeningPlan, { readonly type: 'stop-run' | 'edit-run' | 'replace-run' }>;

const runTypes: ReadonlySet<string> = new Set(['stop-run', 'edit-run', 'replace-run']);
export const isRunHappening = (happening: HappeningPlan): happening is RunHappening =>
  runTypes.has(happening.type);

/** What users do to the open hook run of a subject, if there is one. */
export async function happenToRun(
  { plan, namespace, stored }: Pick<Subject, 'plan' | 'namespace' | 'stored'>,
  cluster: Pick<SimCluster, 'client' | 'asked'>,
  happening: RunHappening,
): Promise<void> {
  const { client } = cluster;
  const run = stored(storages.HookRun).find(
    (each) => !finalPhases.has(textAt(each, 'status', 'phase') ?? ''),
  );
  if (run === undefined) return;
  const key = { namespace, name: nameOf(run) };
  const patch = (spec: JsonObject) =>
    cluster.asked(client.patch(hookRuns, key, { type: 'merge', body: { spec } }, never));
  switch (happening.type) {
    case 'stop-run': {
      const { verdict } = happening;
      // It is Successful then, unless they say otherwise or it was bad before.
      await patch({ terminate: true, ...(verdict === undefined ? {} : { terminateVerdict: verdict }) });
      return;
    }
    case 'edit-run': {
      const { count, failureLimit } = happening;
      await patch({ metrics: metricsOf(plan.spec, namespace, { count, failureLimit }) });
      return;
    }
    case 'replace-run':
      await cluster.asked(client.remove(hookRuns, key, never, { propagationPolicy: 'Background' }));
      await cluster.asked(client.create(hookRuns, hookRunOf(plan, namespace, key.name), never));
  }
}
