import { conditionsOf } from '#kube/conditions.ts';
import { listAt, objectAt, type JsonObject } from '#base/json.ts';
import { millis, seconds } from '#base/time.ts';
import type { ObjectChange, ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import type { Controller, ControllerDeps } from '#embedded/controllers/in-process/controller.ts';
import { isConflict } from '#embedded/controllers/in-process/refused.ts';
import { resourcePath } from '#embedded/controllers/in-process/resource-path.ts';
import { send } from '#embedded/controllers/in-process/send.ts';
import { findResource } from '#embedded/controllers/in-process/served-resources.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { settled, wake, WorkQueue, type Next } from '#loop/work-queue.ts';
import { conditionsAfter, type Progress } from './conditions.ts';
import { contentsOf, deleteContent } from './delete-content.ts';
import { remainingOf } from './remaining.ts';

/** Changes of a large namespace are looked at together. */
const gathering = millis(100);
/** Content may change without a word, as when its definition goes. */
const secondLook = seconds(5);
const finalizer = 'kubernetes';

/** G7: empties namespaces that are being deleted, says what remains, and lets them go. */
export class NamespaceController implements Controller {
  readonly #deps: ControllerDeps;
  readonly #queue: WorkQueue;
  readonly #terminating = new Set<string>();

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    const run = (name: string, signal: AbortSignal): Promise<Next> => this.#run(name, signal);
    this.#queue = new WorkQueue({
      ...deps,
      report: deps.log,
      isExpected: isConflict,
      name: 'namespace',
      parallel: 10,
      run,
    });
  }

  seed(): void {
    const resource = findResource(this.#deps.cluster, '', 'namespaces');
    if (resource === undefined) return;
    for (const namespace of this.#deps.cluster.list(resource)) this.#seen(namespace);
  }

  observe({ resource, type, object }: ObjectChange): void {
    if (resource.namespaced) {
      const namespace = namespaceOf(object);
      if (this.#terminating.has(namespace)) this.#queue.add(namespace, { after: gathering });
    } else if (isNamespaces(resource)) {
      if (type === 'DELETED') this.#terminating.delete(nameOf(object));
      else this.#seen(object);
    }
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #seen(namespace: KubeObject): void {
    const name = nameOf(namespace);
    if (!isFinalizing(namespace) || this.#terminating.has(name)) return;
    this.#terminating.add(name);
    this.#queue.add(name);
  }

  async #run(name: string, signal: AbortSignal): Promise<Next> {
    if (this.#find(name) === undefined) return settled;
    const { cluster } = this.#deps;
    const failures = await deleteContent(cluster, name, signal);
    const progress: Progress = { failures, remaining: remainingOf(contentsOf(cluster, name)) };
    const namespace = this.#find(name);
    if (namespace === undefined) return settled;
    const told = await this.#tell(namespace, progress, signal);
    if (failures.length > 0) throw new Error(failures.join(', '));
    if (progress.remaining.resources.size > 0) return wake(secondLook);
    await this.#finalize(told, signal);
    return settled;
  }

  #find(name: string): { readonly path: string; readonly object: KubeObject } | undefined {
    const { cluster } = this.#deps;
    const resource = findResource(cluster, '', 'namespaces');
    const object = resource === undefined ? undefined : cluster.get(resource, '', name);
    if (resource === undefined || object === undefined || !isFinalizing(object)) return undefined;
    return { path: resourcePath(resource, '', name), object };
  }

  /** Writes the conditions when they changed; the answer is the namespace as it then is. */
  async #tell(
    { path, object }: { readonly path: string; readonly object: KubeObject },
    progress: Progress,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly object: JsonObject }> {
    const { cluster, clock } = this.#deps;
    const conditions = conditionsAfter(conditionsOf(object), progress, clock.now());
    if (conditions === undefined) return { path, object };
    const body = { ...object, status: { ...objectAt(object, 'status'), conditions } };
    const answer = await send(cluster, { method: 'PUT', path: `${path}/status`, body }, signal);
    return { path, object: answer.body };
  }

  async #finalize(
    { path, object }: { readonly path: string; readonly object: JsonObject },
    signal: AbortSignal,
  ): Promise<void> {
    const finalizers = listAt(object, 'spec', 'finalizers').filter((each) => each !== finalizer);
    const body = { ...object, spec: { ...objectAt(object, 'spec'), finalizers } };
    await send(this.#deps.cluster, { method: 'PUT', path: `${path}/finalize`, body }, signal, [404]);
  }
}

const isNamespaces = ({ group, plural }: ResourceRef): boolean => group === '' && plural === 'namespaces';

const isFinalizing = (namespace: KubeObject): boolean =>
  isDeleting(namespace) && listAt(namespace, 'spec', 'finalizers').includes(finalizer);
