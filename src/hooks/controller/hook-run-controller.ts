import { millis } from '#base/time.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { usualLeastInterval } from '#hooks/decide/least-interval.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { AskMetric } from '#hooks/providers/provider.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Delta } from '#loop/delta.ts';
import { leanRun } from '#hooks/decide/run-object.ts';
import { shardKeyOf } from '#hooks/decide/shard-key.ts';
import { HookRunMetrics, hookRunMetrics, runSamples } from './hook-run-metrics.ts';
import { RunReconciler } from './run-reconciler.ts';
import { informerReader } from './run-snapshot.ts';

/** Only the deletion of an expired run waits for the server. */
const parallel = 16;

/** Reconciles HookRuns: calls their providers when calls are due, and writes the verdict. */
export function hookRunController(deps: ControlDeps, ask: AskMetric): Controller {
  const { clock, random, tasks, report, client, metrics, owns = () => true } = deps;
  const informer = deps.informers.informer({ resource: hookRuns, decode: leanRun });
  const runs = new RunReconciler({
    ask,
    client,
    clock,
    random,
    report,
    events: deps.recorder('hookrun-controller'),
    leastInterval: deps.minHookInterval ?? usualLeastInterval,
    read: informerReader(informer),
    again: (key, after = millis(0)) => controller.add(key, { after }),
    metrics: metrics && new HookRunMetrics(metrics),
  });
  const isOwn = (run: KubeObject): boolean => owns(shardKeyOf(run));
  const unmeasure = metrics?.sampled(hookRunMetrics.runs, () => runSamples(informer.list().filter(isOwn)));
  const controller = runController({
    name: 'hookrun',
    clock,
    random,
    tasks,
    report,
    metrics,
    queue: { parallel },
    sources: [{ informer, keysOf: (delta) => runs.observe(isOwn(delta.object) ? delta : gone(delta)) }],
    reconcile: (key, signal) => runs.reconcile(key, signal),
  });
  return {
    ...controller,
    async close() {
      unmeasure?.();
      await controller.close();
      await runs.close();
    },
  };
}

/** A run of another shard, perhaps since its label was changed. */
const gone = ({ object }: Delta): Delta => ({ type: 'deleted', object });
