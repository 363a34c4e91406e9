import type { HookRunSpec, HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { numberAt } from '#base/json.ts';
import type { Instant, Millis } from '#base/time.ts';
import { withLeastInterval } from '#hooks/decide/least-interval.ts';
import type { FinishedCall } from '#hooks/decide/run.ts';
import { isOlder } from '#loop/versions.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { specOf } from '#hooks/read.ts';

/** Why calls were given up: the run needs no more answers. A process that merely stops says something else. */
export class RunEnded extends Error {
  constructor() {
    super('the run needs no more answers');
    this.name = 'RunEnded';
  }
}

/** A run that is not finished, and what has become of it since it was last written. */
export class TrackedRun {
  readonly key: string;
  readonly uid: string;
  /** The newest state known, whether it was heard of or answered to a write. */
  object: KubeObject;
  /** How it began, until that is written. */
  begun: { readonly status: HookRunStatus; readonly at: Instant } | undefined;
  /** Calls that came back and are in no written status. */
  results: FinishedCall[] = [];
  /** Calls on their way, by metric. */
  readonly calls = new Map<string, AbortController>();
  /** Whether the spec was found to make sense. */
  isChecked = false;
  isWriting = false;
  /** Whether something came up during the last write. */
  mustLook = false;
  /** Writes that failed in a row, and when to try again. */
  failures = 0;
  retryAt: Instant | undefined;

  readonly #leastInterval: Millis;
  #spec: { readonly of: KubeObject; readonly spec: HookRunSpec } | undefined;

  constructor(key: string, object: KubeObject, leastInterval: Millis) {
    this.key = key;
    this.uid = uidOf(object);
    this.object = object;
    this.#leastInterval = leastInterval;
  }

  /** The spec as it is carried out. */
  get spec(): HookRunSpec {
    if (this.#spec?.of !== this.object)
      this.#spec = { of: this.object, spec: withLeastInterval(specOf(this.object), this.#leastInterval) };
    return this.#spec.spec;
  }

  /** Takes in a state unless a newer one is known. */
  learn(object: KubeObject): boolean {
    const [version, known] = [resourceVersionOf(object), resourceVersionOf(this.object)];
    if (version === known || isOlder(version, known)) return false;
    if (generationOf(object) !== generationOf(this.object)) this.isChecked = false;
    this.object = object;
    return true;
  }

  /** Gives up the calls on their way; what they bring is not wanted any more. */
  abort(reason: Error): void {
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) call.abort(reason);
  }
}

/** Counts the changes of the spec. */
export const generationOf = (run: KubeObject): number => numberAt(run, 'metadata', 'generation') ?? 0;
