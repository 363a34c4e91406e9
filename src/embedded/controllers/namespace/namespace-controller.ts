import { listAt, objectAt } from '#base/json.ts';
import { millis, seconds } from '#base/time.ts';
import type { MetadataInformers } from '#embedded/controllers/metadata/metadata-informers.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { conditionsOf } from '#kube/conditions.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller, type KeySource } from '#loop/controller.ts';
import type { Delta } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { namespaces } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { conditionsAfter, type DeletionProgress } from './conditions.ts';
import { contentsOf, deleteContent } from './delete-content.ts';
import { remainingOf } from './remaining.ts';

const parallel = 10;
/** Changes of a large namespace are handled together. */
const gathering = millis(100);
/** Content may change without an event, as when its definition is deleted. */
const secondLook = seconds(5);
const finalizer = 'kubernetes';

export type NamespaceDeps = WorkloadDeps & { readonly metadata: MetadataInformers };

/** Empties namespaces that are being deleted, reports what remains in conditions, and removes their finalizer. */
export function namespaceController(deps: NamespaceDeps): Controller {
  const work = new NamespaceWork(deps);
  const { metadata } = deps;
  const content: KeySource = {
    synced: metadata.synced,
    subscribe: (add) =>
      metadata.subscribe(({ resource, delta }) => {
        const namespace = resource.namespaced ? namespaceOf(delta.object) : '';
        if (work.terminating.has(namespace)) add(namespace, { after: gathering });
      }),
  };
  return runController({
    name: 'namespace',
    ...loopParts(deps, parallel),
    sources: [{ informer: work.namespaces, keysOf: (delta) => work.afterNamespace(delta) }, content],
    reconcile: (name, signal) => work.reconcile(name, signal),
  });
}

class NamespaceWork {
  readonly namespaces: Informer;
  readonly terminating = new Set<string>();
  readonly #deps: NamespaceDeps;

  constructor(deps: NamespaceDeps) {
    this.#deps = deps;
    this.namespaces = deps.informers.informer({ resource: namespaces });
  }

  afterNamespace({ type, object }: Delta): readonly string[] {
    const name = nameOf(object);
    if (type === 'deleted') this.terminating.delete(name);
    if (type === 'deleted' || !isFinalizing(object) || this.terminating.has(name)) return [];
    this.terminating.add(name);
    return [name];
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    if (this.#find(name) === undefined) return settled;
    const { client, metadata } = this.#deps;
    const where = { client, namespace: name };
    const resources = metadata
      .resources()
      .filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
    const contents = await contentsOf(where, resources, signal);
    const failures = await deleteContent(where, contents, signal);
    // Nothing can be created in the namespace any more: what was empty stays empty.
    const left = contents.map(({ resource }) => resource);
    const progress = { failures, remaining: remainingOf(await contentsOf(where, left, signal)) };
    const namespace = this.#find(name);
    if (namespace === undefined) return settled;
    const written = await this.#writeConditions(namespace, progress, signal);
    if (failures.length > 0) throw new Error(failures.join(', '));
    if (progress.remaining.resources.size > 0) return wake(secondLook);
    await this.#finalize(written, signal);
    return settled;
  }

  #find(name: string): KubeObject | undefined {
    const namespace = this.namespaces.get('', name);
    return namespace !== undefined && isFinalizing(namespace) ? namespace : undefined;
  }

  /** Writes the conditions if they changed. Returns the namespace as it is then. */
  async #writeConditions(
    namespace: KubeObject,
    progress: DeletionProgress,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const { client, clock } = this.#deps;
    const conditions = conditionsAfter(conditionsOf(namespace), progress, clock.now());
    if (conditions === undefined) return namespace;
    const status = { ...objectAt(namespace, 'status'), conditions };
    const outcome = await client.updateStatus(namespaces, { ...namespace, status }, signal);
    if (outcome.type !== 'ok') throw new Refused(outcome);
    return outcome.object;
  }

  async #finalize(namespace: KubeObject, signal: AbortSignal): Promise<void> {
    const finalizers = listAt(namespace, 'spec', 'finalizers').filter((each) => each !== finalizer);
    const body = { ...namespace, spec: { ...objectAt(namespace, 'spec'), finalizers } };
    const outcome = await this.#deps.client.update(namespaces, body, signal, { subresource: 'finalize' });
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
  }
}

const isFinalizing = (namespace: KubeObject): boolean =>
  isDeleting(namespace) && listAt(namespace, 'spec', 'finalizers').includes(finalizer);
