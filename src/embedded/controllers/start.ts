import { cronJobController } from './cronjob/cron-job-controller.ts';
import { daemonSetController } from './daemonset/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { endpointSliceController } from './endpointslice/endpoint-slice-controller.ts';
import { garbageCollector } from './garbage/garbage-collector.ts';
import { jobController } from './job/job-controller.ts';
import { MetadataInformers } from './metadata/metadata-informers.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { namespacedObjectController } from './namespaced/namespaced-object-controller.ts';
import { defaultServiceAccount, rootCaConfigMap } from './namespaced/wanted-object.ts';
import { disruptionController } from './pdb/disruption-controller.ts';
import { storageProtectionController } from './protection/storage-protection-controller.ts';
import { persistentVolumeController } from './pvc/claim-controller.ts';
import { replicaSetController } from './replicaset/replica-set-controller.ts';
import { statefulSetController } from './statefulset/stateful-set-controller.ts';
import type { Controller } from '#loop/controller.ts';
import { startControllerSet, type ControllerSet, type ControllerSetDeps } from '#loop/controller-set.ts';
import type { WorkloadDeps } from './workload/workload-deps.ts';

type MakerDeps = WorkloadDeps & {
  readonly metadata: MetadataInformers;
  /** PEM text of the authority that signed the server's certificate. */
  readonly rootCa: string;
};

/** The controllers by the names under which kube-controller-manager enables them. */
const makers = {
  'garbage-collector': garbageCollector,
  namespace: namespaceController,
  serviceaccount: (deps) => namespacedObjectController(deps, 'serviceaccount', defaultServiceAccount),
  'root-ca-cert-publisher': (deps) =>
    namespacedObjectController(deps, 'root-ca-cert-publisher', rootCaConfigMap(deps.rootCa)),
  'storage-protection': storageProtectionController,
  deployment: deploymentController,
  replicaset: replicaSetController,
  statefulset: statefulSetController,
  daemonset: daemonSetController,
  job: jobController,
  cronjob: (deps) => cronJobController(deps),
  endpoint: endpointsController,
  endpointslice: endpointSliceController,
  'persistentvolume-binder': persistentVolumeController,
  disruption: disruptionController,
} as const satisfies Readonly<Record<string, (deps: MakerDeps) => Controller>>;

export type ControllerName = keyof typeof makers;
export const controllerNames = Object.keys(makers) as readonly ControllerName[];

/** Controllers of objects of all kinds. */
const needMetadata: readonly ControllerName[] = ['garbage-collector', 'namespace'];

export type BuiltinDeps = ControllerSetDeps & {
  readonly rootCa: string;
  readonly names: ReadonlySet<ControllerName>;
};

/** Starts the named controllers. They share their informers and see the cluster through the client alone. */
export function startControllers(given: BuiltinDeps): ControllerSet {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const set = startControllerSet(given, (parts) => {
    const metadata = new MetadataInformers({ ...given, ...parts });
    const controllers = controllerNames
      .filter((name) => given.names.has(name))
      .map((name) => makers[name]({ ...given, ...parts, metadata }));
    if (needMetadata.some((name) => given.names.has(name))) running = metadata.run(stop.signal);
    return controllers;
  });
  return {
    ...set,
    async close() {
      await set.close();
      stop.abort();
      await running;
    },
  };
}
