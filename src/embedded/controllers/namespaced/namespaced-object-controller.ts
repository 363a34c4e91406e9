import { isDeleting, nameOf, namespaceOf } from '#kube/object.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { namespaces } from '#loop/owned/resources.ts';
import { isTerminating, Refused } from '#loop/owned/write.ts';
import { settled } from '#loop/work-queue.ts';
import type { NamespacedObject } from './wanted-object.ts';

/** Keeps one object of a fixed name in every active namespace. */
export function namespacedObjectController(
  deps: WorkloadDeps,
  name: string,
  { resource, name: objectName, decide }: NamespacedObject,
): Controller {
  const { client, informers } = deps;
  const homes = informers.informer({ resource: namespaces });
  const objects = informers.informer({ resource, fieldSelector: `metadata.name=${objectName}` });
  return runController({
    name,
    ...loopParts(deps),
    sources: [
      { informer: homes, keysOf: ({ type, object }) => (type === 'added' ? [nameOf(object)] : []) },
      { informer: objects, keysOf: ({ object }) => [namespaceOf(object)] },
    ],
    async reconcile(namespace, signal) {
      const home = homes.get('', namespace);
      if (home === undefined || isDeleting(home)) return settled;
      const step = decide(objects.get(namespace, objectName), namespace);
      if (step.type === 'nothing') return settled;
      const write = step.type === 'create' ? client.create : client.update;
      const outcome = await write(resource, step.object, signal);
      // The namespace or the object may be gone by now; an object that exists already will be seen.
      if (outcome.type === 'ok' || outcome.type === 'exists' || outcome.type === 'not-found') return settled;
      if (isTerminating(outcome)) return settled;
      throw new Refused(outcome);
    },
  });
}
