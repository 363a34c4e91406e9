import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import { cronJobController } from '#builtin/cronjob/cron-job-controller.ts';
import { daemonSetController } from '#builtin/daemonset/daemon-set-controller.ts';
import { deploymentController } from '#builtin/deployment/deployment-controller.ts';
import { endpointsController } from '#builtin/endpoints/endpoints-controller.ts';
import { endpointSliceController } from '#builtin/endpointslice/endpoint-slice-controller.ts';
import { jobController } from '#builtin/job/job-controller.ts';
import { disruptionController } from '#builtin/pdb/disruption-controller.ts';
import { persistentVolumeController } from '#builtin/pvc/claim-controller.ts';
import { replicaSetController } from '#builtin/replicaset/replica-set-controller.ts';
import { statefulSetController } from '#builtin/statefulset/stateful-set-controller.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Controller } from '#loop/controller.ts';
import { createEventRecorder, type EventRecorder } from '#loop/event-recorder.ts';
import type { Report } from '#loop/report.ts';
import { shareInformers, type SharedInformers } from '#loop/shared-informers.ts';
import type { WorkloadDeps } from './workload-deps.ts';

/** The controllers of workloads, by the names under which Kubernetes switches them. */
const makers = {
  deployment: deploymentController,
  replicaset: replicaSetController,
  statefulset: statefulSetController,
  daemonset: daemonSetController,
  job: jobController,
  cronjob: (deps: WorkloadDeps) => cronJobController(deps),
  endpoint: endpointsController,
  endpointslice: endpointSliceController,
  'persistentvolume-binder': persistentVolumeController,
  disruption: disruptionController,
} as const satisfies Readonly<Record<string, (deps: WorkloadDeps) => Controller>>;

export type WorkloadName = keyof typeof makers;
export const workloadNames = Object.keys(makers) as readonly WorkloadName[];

export type StartDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly report: Report;
  readonly names: ReadonlySet<string>;
  /** Informers shared with others; whoever made them runs them. */
  readonly informers?: SharedInformers | undefined;
};

export type Workloads = {
  /** Settles when everything there was at the start has been looked at. */
  readonly synced: Promise<void>;
  /** Settles when nothing is queued or running and every event was told. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** Starts the named controllers. They share their informers and see the cluster through the client alone. */
export function startWorkloads(given: StartDeps): Workloads {
  const { client, clock, random, report, tasks } = given;
  const stop = new AbortController();
  const recorders = new Map<string, EventRecorder>();
  const informers =
    given.informers ?? shareInformers({ client, clock, random, report, dropManagedFields: true });
  const recorder = (component: string): EventRecorder => {
    const known =
      recorders.get(component) ?? createEventRecorder({ client, clock, random, tasks, report, component });
    recorders.set(component, known);
    return known;
  };
  const deps: WorkloadDeps = { client, clock, random, tasks, report, informers, recorder };
  const controllers = workloadNames.filter((name) => given.names.has(name)).map((name) => makers[name](deps));
  const running = given.informers === undefined ? informers.run(stop.signal) : Promise.resolve();
  const idle = async (): Promise<void> => {
    await Promise.all(controllers.map((controller) => controller.idle()));
    await Promise.all([...recorders.values()].map((each) => each.idle()));
  };
  return {
    synced: Promise.all(controllers.map((controller) => controller.idle())).then(() => undefined),
    idle,
    async close() {
      await Promise.all(controllers.map((controller) => controller.close()));
      await Promise.all([...recorders.values()].map((each) => each.close()));
      stop.abort();
      await running.catch(() => undefined);
    },
  };
}
