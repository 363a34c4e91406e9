import type { Measurement } from '#hooks/kinds/hook-run.ts';
import { seconds } from '#base/time.ts';
import { statusOf } from '#hooks/read.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { systemClock } from '#edge/clock.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { ExitError } from '#command/exit.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { InCluster } from '#command/in-cluster.ts';

type OnMeasurement = (metric: string, measurement: Measurement) => void;

const pause = seconds(1);

/** Waits for the verdict of a run and reports every call. Reconnects when the server is unavailable. */
export async function follow(
  cluster: InCluster,
  run: KubeObject,
  onMeasurement: OnMeasurement,
): Promise<KubeObject> {
  const name = nameOf(run);
  const report = measurementReporter(onMeasurement);
  let current = run;
  for (;;) {
    try {
      current = await watchOn(cluster, current, report);
      if (isFinal(statusOf(current).phase)) return current;
      current = mustBe(
        await cluster.client.get(hookRuns, { namespace: cluster.namespace, name }, cluster.signal()),
        `HookRun ${cluster.namespace}/${name}`,
      );
      report(current);
      if (isFinal(statusOf(current).phase)) return current;
    } catch (error) {
      cluster.whole.throwIfAborted();
      if (!(error instanceof Unavailable)) throw error;
      await systemClock.sleep(pause, cluster.whole);
    }
  }
}

/** The last state of the run in a watch, which ends with the verdict or with the connection. */
async function watchOn(
  { client, namespace, whole }: InCluster,
  run: KubeObject,
  report: (run: KubeObject) => void,
): Promise<KubeObject> {
  const name = nameOf(run);
  const options = {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: resourceVersionOf(run),
  };
  let current = run;
  for await (const event of client.watch(hookRuns, options, whole)) {
    if (event.type === 'DELETED') throw new ExitError(1, `HookRun ${namespace}/${name} was deleted`);
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') {
      if (event.type === 'BOOKMARK') continue;
      break;
    }
    current = event.object;
    report(current);
    if (isFinal(statusOf(current).phase)) break;
  }
  return current;
}

/** Reports each measurement once, by its planned time. */
function measurementReporter(onMeasurement: OnMeasurement): (run: KubeObject) => void {
  const seen = new Map<string, string>();
  return (run) => {
    for (const { name, measurements = [] } of statusOf(run).metricResults ?? [])
      for (const measurement of measurements) {
        const { plannedAt = measurement.startedAt ?? '' } = measurement;
        if (measurement.finishedAt === undefined || plannedAt <= (seen.get(name) ?? '')) continue;
        seen.set(name, plannedAt);
        onMeasurement(name, measurement);
      }
  };
}
