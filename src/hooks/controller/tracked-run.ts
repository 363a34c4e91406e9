import { numberAt } from '#base/json.ts';
import type { Instant, Millis } from '#base/time.ts';
import type { Begun, Unwritten } from '#hooks/decide/decide-run.ts';
import type { FinishedCall } from '#hooks/decide/run.ts';
import { snapshotOf, type HookRunSnapshot } from '#hooks/decide/snapshot.ts';
import { isDeleting, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { isOlder } from '#loop/versions.ts';

/** A run that is not finished, and what happened to it since its status was last written. */
export class TrackedRun {
  readonly key: string;
  readonly uid: string;
  begun: Begun | undefined;
  /** Calls that came back and are in no written status. */
  results: FinishedCall[] = [];
  /** Calls in progress, by metric. */
  readonly calls = new Map<string, AbortController>();
  isChecked = false;
  isWriting = false;
  /** Whether the run changed during the last write. */
  mustReconcile = false;
  /** Writes that failed in a row, when the last one did, and when to try again. */
  failures = 0;
  pause: { readonly since: Instant; readonly until: Instant } | undefined;

  readonly #leastInterval: Millis;
  #snapshot: HookRunSnapshot;

  constructor(key: string, object: KubeObject, leastInterval: Millis) {
    this.key = key;
    this.uid = uidOf(object);
    this.#leastInterval = leastInterval;
    this.#snapshot = snapshotOf(object, leastInterval);
  }

  get snapshot(): HookRunSnapshot {
    return this.#snapshot;
  }

  /** The newest known state: from the informer, or the answer to a write. */
  get object(): KubeObject {
    return this.#snapshot.object;
  }

  get unwritten(): Unwritten {
    const { begun, results, isChecked, isWriting } = this;
    return {
      begun,
      results,
      isChecked,
      isWriting,
      inFlight: new Set(this.calls.keys()),
      isFailing: this.failures > 0,
    };
  }

  /** Whether the next write has to wait. A clock that was set back since ends the pause: nobody waits until it has caught up. */
  isPaused(now: Instant): boolean {
    return this.pause !== undefined && this.pause.since <= now && now < this.pause.until;
  }

  /** Takes over a state unless a newer one is known. */
  update(object: KubeObject): boolean {
    const [version, known] = [resourceVersionOf(object), resourceVersionOf(this.object)];
    if (version === known || isOlder(version, known)) return false;
    if (generationOf(object) !== generationOf(this.object)) this.isChecked = false;
    this.#snapshot = snapshotOf(object, this.#leastInterval);
    return true;
  }

  /** The same for an event of the informer. The event of our own write causes no reconcile. */
  observe(object: KubeObject): boolean {
    const isOwnWrite =
      this.isWriting && generationOf(object) === generationOf(this.object) && !isDeleting(object);
    return this.update(object) && !isOwnWrite;
  }

  /** Whether an event is older than the known state. */
  isNewerThan(object: KubeObject): boolean {
    return this.uid === uidOf(object) && isOlder(resourceVersionOf(object), resourceVersionOf(this.object));
  }

  /** Cancels the calls in progress. */
  abort(reason: Error): void {
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) call.abort(reason);
  }
}

/** Counts the changes of the spec. */
const generationOf = (run: KubeObject): number => numberAt(run, 'metadata', 'generation') ?? 0;
