import { millis } from '#base/time.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { usualLeastInterval } from '#hooks/decide/least-interval.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { Ask } from '#hooks/providers/provider.ts';
import { leanRun } from '#hooks/decide/run-object.ts';
import { RunWork } from './run-work.ts';

/** Most keys are done in a moment, without waiting for anybody; only removals are waited for. */
const parallel = 16;

/** Carries hook runs through to their verdict. */
export function hookRunController(deps: ControlDeps, ask: Ask): Controller {
  const { clock, random, tasks, report, client } = deps;
  const informer = deps.informers.informer({ resource: hookRuns, decode: leanRun });
  const work = new RunWork({
    ask,
    client,
    clock,
    random,
    report,
    events: deps.recorder('hookrun-controller'),
    leastInterval: deps.minHookInterval ?? usualLeastInterval,
    stored: (namespace, name) => informer.get(namespace, name),
    again: (key, after = millis(0)) => controller.add(key, { after }),
  });
  const controller = runController({
    name: 'hookrun',
    clock,
    random,
    tasks,
    report,
    metrics: deps.metrics,
    queue: { parallel },
    sources: [{ informer, keysOf: (delta) => work.observe(delta) }],
    reconcile: (key, signal) => work.reconcile(key, signal),
  });
  return {
    ...controller,
    async close() {
      await controller.close();
      await work.close();
    },
  };
}
