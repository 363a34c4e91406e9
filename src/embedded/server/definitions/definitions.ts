import { equalJson, listAt, objectAt } from '#base/json.ts';
import { cleanupFinalizer, releaseCrd } from '#schema/crd/crd-deletion.ts';
import { crdResources } from '#schema/crd/crd-resources.ts';
import { nextCrdStatus } from '#schema/crd/crd-status.ts';
import { isConditionTrue } from '#schema/crd/conditions.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import { customResource } from '#embedded/server/registry/custom.ts';
import { crdStorage, storageOf, type ApiResource } from '#embedded/server/registry/resource.ts';
import type { StoredChange, Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { WatchHub } from '#embedded/server/watch/hub.ts';
import { deleteObject } from '#embedded/server/write/delete-object.ts';
import { owned } from '#embedded/server/write/ownership.ts';

const background = {
  graceSeconds: undefined,
  propagation: undefined,
  uid: undefined,
  revision: undefined,
  dryRun: false,
};

/**
 * Looks after CustomResourceDefinitions: establishes them, serves what they declare, and clears away their
 * objects when they go. Every step starts from what is stored, so it may be interrupted anywhere.
 */
export class Definitions {
  readonly #context: ServerContext;
  readonly #hub: WatchHub;
  readonly #report: (error: unknown) => void;
  readonly #due = new Set<string>();
  readonly #served = new Map<string, KubeObject>();
  #running: Promise<void> | undefined;

  constructor(context: ServerContext, hub: WatchHub, report: (error: unknown) => void) {
    this.#context = context;
    this.#hub = hub;
    this.#report = report;
    for (const stored of context.store.table(crdStorage).range(undefined)) this.#notice(stored.name, stored);
    context.store.subscribe((changes) => this.#observe(changes));
  }

  /** Resolves when nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #observe(changes: readonly StoredChange[]): void {
    for (const { resource, type, after } of changes) {
      if (resource === crdStorage) this.#notice(after.name, type === 'DELETED' ? undefined : after);
      else if (type === 'DELETED') this.#recheckOwnerOf(resource);
    }
  }

  /** The last object of a terminating definition may have been removed. */
  #recheckOwnerOf(storage: string): void {
    for (const [name, crd] of this.#served) {
      if (isDeleting(crd) && storageOfCrd(crd) === storage) this.#schedule(name);
    }
  }

  #notice(name: string, stored: Stored | undefined): void {
    if (stored === undefined) {
      this.#withdraw(name);
      return;
    }
    this.#serve(stored.object);
    this.#schedule(name);
  }

  #serve(crd: KubeObject): void {
    const name = nameOf(crd);
    const before = this.#served.get(name);
    if (!isConditionTrue(crd, 'Established')) return;
    this.#served.set(name, crd);
    const same =
      before !== undefined &&
      equalJson(before['spec'], crd['spec']) &&
      equalJson(objectAt(before, 'status', 'acceptedNames'), objectAt(crd, 'status', 'acceptedNames'));
    if (same) return;
    this.#context.registry.setCustom(name, crdResources(crd).map(customResource));
    if (before !== undefined) this.#hub.endAll(storageOfCrd(crd));
  }

  #withdraw(name: string): void {
    const before = this.#served.get(name);
    this.#served.delete(name);
    this.#context.registry.removeCustom(name);
    if (before !== undefined) this.#hub.endAll(storageOfCrd(before));
    // Names that it held are free now.
    for (const other of this.#context.store.table(crdStorage).range(undefined)) this.#schedule(other.name);
  }

  #schedule(name: string): void {
    this.#due.add(name);
    this.#running ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let name = first(this.#due); name !== undefined; name = first(this.#due)) {
      this.#due.delete(name);
      try {
        await this.#advance(name);
      } catch (error) {
        this.#report(error);
      }
    }
    this.#running = undefined;
  }

  /** One step; what it writes comes back as a change and schedules the next. */
  async #advance(name: string): Promise<void> {
    const { store } = this.#context;
    const stored = store.table(crdStorage).get(`/${name}`);
    if (stored === undefined) return;
    const after = this.#next(stored.object);
    if (after !== stored.object) {
      await store.transact((transaction) => {
        const current = transaction.get(crdStorage, stored.key);
        if (current?.revision === stored.revision) this.#put(transaction, stored, after);
      });
      return;
    }
    if (isDeleting(stored.object)) await this.#clear(stored.object);
  }

  #next(crd: KubeObject): KubeObject {
    const { store, clock } = this.#context;
    const others = [...store.table(crdStorage).range(undefined)]
      .map((each) => each.object)
      .filter((each) => nameOf(each) !== nameOf(crd));
    const status = nextCrdStatus(crd, others, clock.now());
    if (status !== crd['status']) return { ...crd, status };
    const empty = store.table(storageOfCrd(crd)).size === 0;
    const held = listAt(crd, 'metadata', 'finalizers').includes(cleanupFinalizer);
    return isDeleting(crd) && held && empty ? releaseCrd(crd, clock.now()) : crd;
  }

  #put(transaction: Transaction, stored: Stored, crd: KubeObject): void {
    const free = isDeleting(crd) && listAt(crd, 'metadata', 'finalizers').length === 0;
    if (free) transaction.remove(crdStorage, stored.key, crd);
    else transaction.put(crdStorage, stored.key, this.#owned(stored.object, crd));
  }

  #owned(before: KubeObject, after: KubeObject): KubeObject {
    const resource = this.#context.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (resource === undefined) throw new Error('definitions are always served');
    return owned(
      this.#context,
      { resource, manager: 'kube-apiserver', subresource: 'status' },
      after,
      before,
    );
  }

  async #clear(crd: KubeObject): Promise<void> {
    const storage = storageOfCrd(crd);
    const [resource] = this.#context.registry.customOf(nameOf(crd));
    if (resource === undefined) return;
    const waiting = [...this.#context.store.table(storage).range(undefined)].filter(
      (each) => !isDeleting(each.object),
    );
    if (waiting.length === 0) return;
    await this.#context.store.transact((transaction) => this.#deleteAll(transaction, resource, waiting));
  }

  #deleteAll(transaction: Transaction, resource: ApiResource, doomed: readonly Stored[]): void {
    for (const { key } of doomed) {
      const stored = transaction.get(resource.storage, key);
      if (stored !== undefined)
        deleteObject(this.#context, transaction, { resource, stored, options: background });
    }
  }
}

const first = (names: ReadonlySet<string>): string | undefined => names.values().next().value;

function storageOfCrd(crd: KubeObject): string {
  const group = objectAt(crd, 'spec')?.['group'];
  const plural = objectAt(crd, 'spec', 'names')?.['plural'];
  return storageOf(typeof group === 'string' ? group : '', typeof plural === 'string' ? plural : '');
}
