import { equalJson, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { seconds, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Report } from '#loop/report.ts';
import { Refused } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';

export type StatusWriterDeps = {
  readonly client: Pick<KubeClient, 'get' | 'updateStatus'>;
  readonly clock: Clock;
  readonly report: Report;
  readonly resource: Resource;
  /** The current status, made from the status that the server has. */
  readonly status: (before: JsonObject) => JsonObject;
  /** This process. A status with another holder belongs to another controller. */
  readonly holder: string;
  /** Called when the object is gone, or another controller works on it. */
  readonly onLost: () => void;
  readonly written: (object: KubeObject) => void;
};

const pause = seconds(1);

/** Writes the status of an object during an operation. Writes do not overlap: requests during one share the next. */
export class StatusWriter {
  readonly #deps: StatusWriterDeps;
  readonly #signal: AbortSignal;
  #object: KubeObject;
  #isClaimed = false;
  #isLost = false;
  #waiting: PromiseWithResolvers<void> | undefined;
  #isWorking = false;

  constructor(deps: StatusWriterDeps, object: KubeObject, signal: AbortSignal) {
    this.#deps = deps;
    this.#object = object;
    this.#signal = signal;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Settles when the server has the status as of the call. */
  flush(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    const { promise } = this.#waiting;
    if (!this.#isWorking) void this.#work();
    return promise;
  }

  /** Writes the status soon. */
  touch(): void {
    void this.flush().catch(() => undefined);
  }

  /** Ends all writes: a task that is still running must not write during the next run. */
  close(): void {
    this.#isLost = true;
  }

  /** Writes the status if the object did not change since it was read; returns false otherwise. */
  async claim(): Promise<boolean> {
    if (this.#isClaimed) return true;
    const before = objectAt(this.#object, 'status') ?? {};
    const outcome = await this.#deps.client.updateStatus(
      this.#deps.resource,
      { ...this.#object, status: this.#deps.status(before) },
      this.#signal,
    );
    if (outcome.type === 'ok') {
      this.#keep(outcome.object);
      return true;
    }
    if (outcome.type === 'conflict' || outcome.type === 'not-found') return false;
    throw new Refused(outcome);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined;
      try {
        await this.#write();
        next.resolve();
      } catch (error) {
        next.reject(error);
      }
    }
    this.#isWorking = false;
  }

  async #write(): Promise<void> {
    for (;;) {
      if (this.#isLost) throw new Error('another controller writes the object');
      const done = await this.#attempt().catch((error: unknown) => {
        if (this.#signal.aborted) throw error;
        this.#deps.report('a status could not be written', {
          object: nameOf(this.#object),
          why: reasonOf(error),
        });
        return 'later' as const;
      });
      if (done === 'done') return;
      if (done === 'later') await this.#deps.clock.sleep(pause, this.#signal);
    }
  }

  async #attempt(): Promise<'done' | 'again'> {
    const { client, resource, status } = this.#deps;
    const before = objectAt(this.#object, 'status') ?? {};
    const next = status(before);
    if (equalJson(before, next)) return 'done';
    const outcome = await client.updateStatus(resource, { ...this.#object, status: next }, this.#signal);
    if (outcome.type === 'ok') {
      this.#keep(outcome.object);
      return 'done';
    }
    if (outcome.type !== 'conflict') {
      if (outcome.type !== 'not-found') throw new Error(outcome.message);
      this.#lose();
      return 'again';
    }
    if (!this.#isClaimed) {
      this.#lose();
      return 'again';
    }
    const found = await client.get(resource, { name: nameOf(this.#object) }, this.#signal);
    const isOurs =
      found.type === 'ok' &&
      uidOf(found.object) === uidOf(this.#object) &&
      textAt(found.object, 'status', 'operation', 'holder') === this.#deps.holder;
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
