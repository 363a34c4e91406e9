import { claimIndex, claimKeysOf } from '#embedded/controllers/pvc/claim-users.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { isDeleting } from '#kube/object.ts';
import { runController, sourceOf, type Controller } from '#loop/controller.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import { claims, pods, volumes } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { settled } from '#loop/work-queue.ts';
import { claimFinalizer, isClaimUsed, isVolumeUsed, release, volumeFinalizer } from './in-use.ts';

/** Removes the finalizers of deleted claims and volumes that are no longer in use. */
export function storageProtectionController(deps: WorkloadDeps): Controller {
  const { client, informers } = deps;
  const claimInformer = informers.informer({ resource: claims });
  const volumeInformer = informers.informer({ resource: volumes });
  const podInformer = informers.informer({ resource: pods, indexes: claimIndex });
  const ownKey = ({ type, object }: Delta): readonly string[] => (type === 'deleted' ? [] : [keyOf(object)]);
  return runController({
    name: 'storage-protection',
    ...loopParts(deps),
    sources: [
      sourceOf(claimInformer, ownKey),
      sourceOf(volumeInformer, ownKey),
      sourceOf(podInformer, ({ type, object }) => (type === 'added' ? [] : claimKeysOf(object))),
    ],
    async reconcile(key, signal) {
      const { namespace, name } = splitKey(key);
      const isClaim = namespace !== '';
      const object = (isClaim ? claimInformer : volumeInformer).get(namespace, name);
      if (object === undefined || !isDeleting(object)) return settled;
      const body = isClaim
        ? release(object, claimFinalizer, isClaimUsed(object, podInformer.byIndex('claim', key)))
        : release(object, volumeFinalizer, isVolumeUsed(object));
      if (body === undefined) return settled;
      const resource = isClaim ? claims : volumes;
      const outcome = await client.patch(resource, { namespace, name }, { type: 'merge', body }, signal);
      if (outcome.type === 'ok' || outcome.type === 'not-found') return settled;
      throw new Refused(outcome);
    },
  });
}
