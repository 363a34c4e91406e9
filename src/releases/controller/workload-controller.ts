import type { ControlDeps } from '#loop/control-deps.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { ownedSource, specSource } from '#loop/owned/owned.ts';
import { PodsRefused } from '#loop/owned/pod-writer.ts';
import { isStale } from '#loop/owned/write.ts';
import { listAt, textAt } from '#base/json.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { strayKeys } from './orphans.ts';
import { phaseSamples, releaseMetrics } from './release-metrics.ts';
import { statefulSources } from './stateful-sources.ts';
import type { WorkloadInformers } from './workload-informers.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { labelledSource } from './workload-runs.ts';
import { WorkloadReconciler } from './workload-reconciler.ts';

export function workloadController(deps: ControlDeps, kind: WorkloadKind): Controller {
  const reconciler = new WorkloadReconciler(deps, kind);
  const { informers } = reconciler;
  const { clock, random, tasks, report, metrics } = deps;
  const unmeasure = metrics?.sampled(releaseMetrics.phases, () =>
    phaseSamples(kind.kind, informers.workloads.list()),
  );
  const controller = runController({
    name: kind.name,
    clock,
    random,
    tasks,
    report,
    metrics,
    owns: deps.owns,
    queue: { parallel: 8, isExpected },
    sources: [
      specSource(informers.workloads),
      forgetting(
        ownedSource(informers.pods, kind.kind, informers.workloads, reconciler.expectations),
        reconciler,
      ),
      { informer: informers.pods, keysOf: strayKeys },
      ownedSource(informers.revisions, kind.kind, informers.workloads),
      forgetting(ownedSource(informers.runs, kind.kind, informers.workloads), reconciler),
      labelledSource(informers.runs, informers.workloads, kind.kind),
      { informer: informers.templates, keysOf: (delta) => usersOf(informers, delta) },
      {
        informer: informers.budgets,
        keysOf: ({ object }) => reconciler.disruptions.takeStopped(namespaceOf(object)),
      },
      ...statefulSources(informers, kind),
    ],
    informers: informers.nodes === undefined ? [] : [informers.nodes],
    reconcile: (key, signal) => reconciler.reconcile(key, signal),
  });
  return {
    ...controller,
    close() {
      unmeasure?.();
      return controller.close();
    },
  };
}

/** Not logged: a conflict is retried at once, and a refusal is already an event. */
const isExpected = (error: unknown): boolean => isStale(error) || error instanceof PodsRefused;

/** Forgets what was written of an object that is gone. */
const forgetting = (source: Source, reconciler: WorkloadReconciler): Source => ({
  ...source,
  keysOf(delta) {
    if (delta.type === 'deleted') reconciler.newest.forget(uidOf(delta.object));
    return source.keysOf(delta);
  },
});

/** The workloads whose hooks use a HookTemplate. */
function usersOf(informers: WorkloadInformers, { object }: Delta): readonly string[] {
  const name = nameOf(object);
  return informers.workloads
    .list(namespaceOf(object))
    .filter((workload) => namesOfTemplates(workload).has(name))
    .map(keyOf);
}

function namesOfTemplates(workload: KubeObject): ReadonlySet<string | undefined> {
  const steps = listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps');
  const strategies = ['preDeleteUpdateStrategy', 'preInplaceUpdateStrategy', 'postInplaceUpdateStrategy'];
  return new Set([
    ...steps.map((step) => textAt(step, 'hook', 'templateName')),
    ...strategies.map((strategy) => textAt(workload, 'spec', strategy, 'hook', 'templateName')),
  ]);
}
