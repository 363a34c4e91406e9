import { at, type JsonObject } from '#base/json.ts';
import type { WantedOperation } from '#machines/decide/objects/due.ts';
import { pauseReason } from '#machines/decide/objects/pauses.ts';
import { blockedStatus, pausedStatus, settledStatus } from '#machines/decide/objects/resting-status.ts';
import { Refused, replaceStatus } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import { hasFinalizer, setFinalizer } from './finalizers.ts';
import { ObjectOperations } from './object-operations.ts';
import type { OperationDeps } from './operation-deps.ts';
import type { ManagedObject } from './managed-object.ts';

export type ObjectKind = {
  readonly finalizer: string;
  /** Deletes what belongs to an object whose deletion is complete. */
  release(object: KubeObject, signal: AbortSignal): Promise<void>;
  managed(name: string): ManagedObject;
};

/** Reconciles Clusters, or Machines. An operation runs within one reconcile, however long it takes. */
export class ObjectReconciler {
  readonly #deps: OperationDeps;
  readonly #kind: ObjectKind;
  readonly #operations: ObjectOperations;

  constructor(deps: OperationDeps, kind: ObjectKind) {
    this.#deps = deps;
    this.#kind = kind;
    this.#operations = new ObjectOperations(deps);
  }

  /** To be called when the object, or an object that it depends on, has changed. */
  changed(name: string): void {
    this.#operations.changed(name);
  }

  /** To be called when the object is gone. */
  forget(object: KubeObject): void {
    this.#operations.forget(object);
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    const subject = this.#kind.managed(name);
    const found = subject.object();
    const object = found && (await this.#withFinalizer(subject, found, signal));
    if (object === undefined) return settled;
    const { clock } = this.#deps;
    const due = subject.due();
    switch (due.type) {
      case 'release':
        return this.#release(subject, object, signal);
      case 'nothing':
        return this.#write(subject, object, settledStatus(object, clock.now()), signal);
      case 'wait':
        return this.#write(subject, object, blockedStatus(object, due, clock.now()), signal);
      case 'operate':
        return this.#operate(subject, object, due.wanted, signal);
    }
  }

  /** No operation begins before the object has a finalizer. */
  async #withFinalizer(
    { resource }: ManagedObject,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const { finalizer } = this.#kind;
    if (hasFinalizer(object, finalizer)) return object;
    if (isDeleting(object)) return undefined;
    const held = await setFinalizer(this.#deps.client, { resource, object, finalizer }, true, signal);
    if (held !== undefined) this.#deps.newest.note(held);
    return held;
  }

  async #release(subject: ManagedObject, object: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock, newest } = this.#deps;
    const { finalizer } = this.#kind;
    await this.#kind.release(object, signal).catch(async (error: unknown) => {
      // The status reports why the deletion does not proceed.
      const why = { reason: 'FailedDelete', message: reasonOf(error) };
      if (error instanceof Refused)
        await this.#write(subject, object, blockedStatus(object, why, clock.now()), signal);
      throw error;
    });
    await setFinalizer(client, { resource: subject.resource, object, finalizer }, false, signal);
    newest.forget(uidOf(object));
    this.forget(object);
    return settled;
  }

  async #operate(
    subject: ManagedObject,
    object: KubeObject,
    wanted: WantedOperation,
    signal: AbortSignal,
  ): Promise<Next> {
    const run = this.#operations.prepare(subject, object, wanted);
    if (!run.isPaused()) return this.#operations.start(run, signal);
    if (at(object, 'status', 'pauseConditions') !== undefined) return settled;
    const reason = pauseReason(object, this.#deps.run);
    return this.#write(subject, object, pausedStatus(object, reason, this.#deps.clock.now()), signal);
  }

  async #write(
    { resource }: ManagedObject,
    object: KubeObject,
    status: JsonObject,
    signal: AbortSignal,
  ): Promise<Next> {
    const { client, newest } = this.#deps;
    const written = await replaceStatus(client, resource, { object, status }, signal);
    if (written === undefined) newest.forget(uidOf(object));
    else newest.note(written);
    return settled;
  }
}
