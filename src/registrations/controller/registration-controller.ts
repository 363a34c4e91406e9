import { textAt } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { ControllerEnvironment } from '#registrations/model/registration.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { nameOf } from '#kube/object.ts';
import { isStale } from '#loop/owned/write.ts';
import type { WithLastCalls } from './last-calls.ts';
import { RegistrationReconciler } from './registration-reconciler.ts';
import { definitions, registrations } from './resources.ts';

/** The default is namespace `default` and cluster domain `cluster.local`. */
export type WithEnvironment = { readonly environment?: ControllerEnvironment | undefined };

const defaultEnvironment: ControllerEnvironment = { namespace: 'default', clusterDomain: 'cluster.local' };

/** Starts and stops a controller for every registration. */
export function registrationController(deps: ControlDeps & WithEnvironment & WithLastCalls): Controller {
  const { clock, random, tasks, report, informers, environment = defaultEnvironment } = deps;
  const own = informers.informer({ resource: registrations });
  const crds = informers.informer({ resource: definitions });
  const reconciler = new RegistrationReconciler({
    ...deps,
    environment,
    registrations: own,
    definitions: crds,
    requeue: (name) => controller.add(name),
  });
  /** All registrations of a CRD: when one is deleted, another may serve the CRD. */
  const ofDefinition = (crd: string): readonly string[] =>
    own
      .list()
      .filter((each) => textAt(each, 'spec', 'crd') === crd)
      .map(nameOf);
  const controller = runController({
    name: 'crdregistration',
    clock,
    random,
    tasks,
    report,
    metrics: deps.metrics,
    queue: { parallel: 8, isExpected: isStale },
    sources: [
      {
        informer: own,
        keysOf: ({ type, object }) => [
          nameOf(object),
          ...(type === 'updated' ? [] : ofDefinition(textAt(object, 'spec', 'crd') ?? '')),
        ],
      },
      { informer: crds, keysOf: ({ object }) => ofDefinition(nameOf(object)) },
    ],
    reconcile: (name, signal) => reconciler.reconcile(name, signal),
  });
  return {
    ...controller,
    async close() {
      await controller.close();
      await reconciler.close();
    },
  };
}
