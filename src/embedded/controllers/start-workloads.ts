import { cronJobController } from './cronjob/cron-job-controller.ts';
import { daemonSetController } from './daemonset/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { endpointSliceController } from './endpointslice/endpoint-slice-controller.ts';
import { jobController } from './job/job-controller.ts';
import { disruptionController } from './pdb/disruption-controller.ts';
import { persistentVolumeController } from './pvc/claim-controller.ts';
import { replicaSetController } from './replicaset/replica-set-controller.ts';
import { statefulSetController } from './statefulset/stateful-set-controller.ts';
import type { Controller } from '#loop/controller.ts';
import { startCrew, type Crew, type CrewDeps } from '#loop/crew.ts';
import type { WorkloadDeps } from './workload/workload-deps.ts';

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

export type StartDeps = CrewDeps & { readonly names: ReadonlySet<string> };

/** Starts the named controllers. They share their informers and see the cluster through the client alone. */
export const startWorkloads = (given: StartDeps): Crew =>
  startCrew(given, (parts) =>
    workloadNames.filter((name) => given.names.has(name)).map((name) => makers[name]({ ...given, ...parts })),
  );
