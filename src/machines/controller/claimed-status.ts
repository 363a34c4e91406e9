import { equalJson, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { Refused } from '#loop/owned/write.ts';

export type ClaimedStatusDeps = {
  readonly client: Pick<KubeClient, 'get' | 'updateStatus'>;
  readonly resource: Resource;
  /** The current status, made from the status that the server has. */
  readonly status: (before: JsonObject) => JsonObject;
  /** This process. A status with another holder belongs to another controller. */
  readonly holder: string;
  /** Called when the object is gone, or another controller works on it. */
  readonly onLost: () => void;
  readonly written: (object: KubeObject) => void;
};

/** The status of an object during an operation: written only while no other controller works on the object. */
export class ClaimedStatus {
  readonly #deps: ClaimedStatusDeps;
  #object: KubeObject;
  #isClaimed = false;
  #isLost = false;

  constructor(deps: ClaimedStatusDeps, object: KubeObject) {
    this.#deps = deps;
    this.#object = object;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get name(): string {
    return nameOf(this.#object);
  }

  /** No more writes. */
  close(): void {
    this.#isLost = true;
  }

  /** Writes the status if the object did not change since it was read; returns false otherwise. */
  async claim(signal: AbortSignal): Promise<boolean> {
    if (this.#isClaimed) return true;
    const { client, resource, status } = this.#deps;
    const next = status(objectAt(this.#object, 'status') ?? {});
    const outcome = await client.updateStatus(resource, { ...this.#object, status: next }, signal);
    if (outcome.type === 'ok') {
      this.#keep(outcome.object);
      return true;
    }
    if (outcome.type === 'conflict' || outcome.type === 'not-found') return false;
    throw new Refused(outcome);
  }

  /** One attempt to write the status. `again`: the object has changed, or is lost. */
  async write(signal: AbortSignal): Promise<'done' | 'again'> {
    const { client, resource, status, holder } = this.#deps;
    const before = objectAt(this.#object, 'status') ?? {};
    const next = status(before);
    if (equalJson(before, next)) return 'done';
    const outcome = await client.updateStatus(resource, { ...this.#object, status: next }, signal);
    if (outcome.type === 'ok') {
      this.#keep(outcome.object);
      return 'done';
    }
    if (outcome.type !== 'conflict' && outcome.type !== 'not-found') throw new Error(outcome.message);
    const isOpen = outcome.type === 'conflict' && this.#isClaimed;
    const found = isOpen ? await client.get(resource, { name: this.name }, signal) : outcome;
    const isOurs =
      found.type === 'ok' &&
      uidOf(found.object) === uidOf(this.#object) &&
      textAt(found.object, 'status', 'operation', 'holder') === holder;
    if (isOurs) this.#object = found.object;
    else this.#lose();
    return 'again';
  }

  #keep(object: KubeObject): void {
    this.#isClaimed = true;
    this.#object = object;
    this.#deps.written(object);
  }

  #lose(): void {
    this.#isLost = true;
    this.#deps.onLost();
  }
}
