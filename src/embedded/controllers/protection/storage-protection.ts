import type { ObjectChange, ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import type { Controller, ControllerDeps } from '#embedded/controllers/in-process/controller.ts';
import { isConflict } from '#embedded/controllers/in-process/refused.ts';
import { resourcePath } from '#embedded/controllers/in-process/resource-path.ts';
import { send } from '#embedded/controllers/in-process/send.ts';
import { findResource } from '#embedded/controllers/in-process/served-resources.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { settled, WorkQueue, type Next } from '#loop/work-queue.ts';
import { claimFinalizer, claimsOf, isClaimUsed, isVolumeUsed, release, volumeFinalizer } from './in-use.ts';

/** Lets claims and volumes that are deleted go once nobody uses them any more. */
export class StorageProtection implements Controller {
  readonly #deps: ControllerDeps;
  readonly #queue: WorkQueue;

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    const run = (key: string, signal: AbortSignal): Promise<Next> => this.#run(key, signal);
    const name = 'storage-protection';
    this.#queue = new WorkQueue({
      ...deps,
      report: deps.log,
      isExpected: isConflict,
      name,
      parallel: 4,
      run,
    });
  }

  seed(): void {
    for (const plural of ['persistentvolumeclaims', 'persistentvolumes']) {
      const resource = findResource(this.#deps.cluster, '', plural);
      if (resource === undefined) continue;
      for (const object of this.#deps.cluster.list(resource)) this.#queue.add(keyOf(object));
    }
  }

  observe({ resource, type, object }: ObjectChange): void {
    if (resource.group !== '') return;
    if (resource.plural === 'pods' && type !== 'ADDED') {
      for (const claim of claimsOf(object)) this.#queue.add(claim);
    } else if (resource.plural.startsWith('persistentvolume') && type !== 'DELETED') {
      this.#queue.add(keyOf(object));
    }
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #run(key: string, signal: AbortSignal): Promise<Next> {
    const { cluster } = this.#deps;
    const [namespace = '', name = ''] = key.split('/');
    const resource = findResource(
      cluster,
      '',
      namespace === '' ? 'persistentvolumes' : 'persistentvolumeclaims',
    );
    const object = resource === undefined ? undefined : cluster.get(resource, namespace, name);
    if (resource === undefined || object === undefined) return settled;
    const body = this.#released(resource, object);
    if (body === undefined) return settled;
    const path = resourcePath(resource, namespace, name);
    const contentType = 'application/merge-patch+json';
    await send(cluster, { method: 'PATCH', path, contentType, body }, signal, [404]);
    return settled;
  }

  #released(resource: ResourceRef, object: KubeObject): KubeObject | undefined {
    // Most claims stay, and looking through all pods takes its time.
    if (!isDeleting(object)) return undefined;
    if (resource.plural === 'persistentvolumes')
      return release(object, volumeFinalizer, isVolumeUsed(object));
    const pods = findResource(this.#deps.cluster, '', 'pods');
    const neighbours = pods === undefined ? [] : this.#deps.cluster.list(pods, namespaceOf(object));
    return release(object, claimFinalizer, isClaimUsed(object, neighbours));
  }
}

const keyOf = (object: KubeObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
