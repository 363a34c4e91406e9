import type { Answer, ObjectChange } from '#embedded/controllers/in-process/cluster.ts';
import type { Controller, ControllerDeps } from '#embedded/controllers/in-process/controller.ts';
import { isConflict, isTerminating, Refused } from '#embedded/controllers/in-process/refused.ts';
import { resourcePath } from '#embedded/controllers/in-process/resource-path.ts';
import { send } from '#embedded/controllers/in-process/send.ts';
import { findResource } from '#embedded/controllers/in-process/served-resources.ts';
import { isDeleting, nameOf, namespaceOf } from '#kube/object.ts';
import { settled, WorkQueue, type Next } from '#loop/work-queue.ts';
import type { Kept } from './wanted-object.ts';

/** Keeps one object in every active namespace. */
export class NamespaceKeeper implements Controller {
  readonly #deps: ControllerDeps;
  readonly #kept: Kept;
  readonly #queue: WorkQueue;

  constructor(deps: ControllerDeps, name: string, kept: Kept) {
    this.#deps = deps;
    this.#kept = kept;
    const run = (namespace: string, signal: AbortSignal): Promise<Next> => this.#run(namespace, signal);
    this.#queue = new WorkQueue({
      ...deps,
      report: deps.log,
      isExpected: isConflict,
      name,
      parallel: 8,
      run,
    });
  }

  seed(): void {
    const { cluster } = this.#deps;
    const resource = findResource(cluster, '', 'namespaces');
    if (resource === undefined) return;
    for (const namespace of cluster.list(resource)) this.#queue.add(nameOf(namespace));
  }

  observe({ resource, type, object }: ObjectChange): void {
    if (resource.group !== '') return;
    if (resource.plural === 'namespaces' && type === 'ADDED') this.#queue.add(nameOf(object));
    if (resource.plural !== this.#kept.plural || nameOf(object) !== this.#kept.name) return;
    this.#queue.add(namespaceOf(object));
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #run(namespace: string, signal: AbortSignal): Promise<Next> {
    const { cluster } = this.#deps;
    const { plural, name, wish } = this.#kept;
    const namespaces = findResource(cluster, '', 'namespaces');
    const resource = findResource(cluster, '', plural);
    if (namespaces === undefined || resource === undefined) return settled;
    const home = cluster.get(namespaces, '', namespace);
    if (home === undefined || isDeleting(home)) return settled;
    const wanted = wish(cluster.get(resource, namespace, name));
    if (wanted.type === 'nothing') return settled;
    const request =
      wanted.type === 'create'
        ? { method: 'POST' as const, path: resourcePath(resource, namespace), body: wanted.object }
        : { method: 'PUT' as const, path: resourcePath(resource, namespace, name), body: wanted.object };
    forgive(await send(cluster, request, signal, [403, 404]));
    return settled;
  }
}

/** The namespace, or the object, may go at any time: then there is nothing left to keep, or a change to come. */
function forgive(answer: Answer): void {
  if (answer.status === 403 && !isTerminating(answer)) throw new Refused(answer);
}
