import { later, millis, seconds, type Clock, type Instant } from '#base/time.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import {
  freshMemory,
  type Finish,
  type InstanceMemory,
  type InstanceSnapshot,
} from '#registrations/decide/cycle.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import { fingerprintOf, hookInputHash } from './fingerprint.ts';
import { ReconcileLimiter } from './reconcile-limiter.ts';
import { reusableAnswers } from './reusable-answers.ts';

/** The last answers of the hook, and the hash of their input. */
type CachedAnswers = { readonly inputHash: string; readonly answers: InstanceSnapshot['answers'] };

/** How the last reconciliation ended. */
type LastReconcile =
  | { readonly type: 'none' }
  /** It finished with these objects. */
  | { readonly type: 'finished'; readonly fingerprint: string }
  /** So many in a row failed on our side. */
  | { readonly type: 'failed'; readonly failures: number };

export type FinishedReconcile = {
  readonly snapshot: InstanceSnapshot;
  readonly finish: Finish;
  readonly endpointVersion: string;
  /** Whether cached answers were used instead of calls. */
  readonly isCached: boolean;
  readonly now: Instant;
};

/** A call of the hook that perhaps still waits to be sent. */
export type CallInProgress = { readonly control: AbortController; isSent: boolean };

/** The shortest time after which a hook is called again at its own request. */
const shortestResync = seconds(1);

/** What is remembered of an instance between two reconciliations. */
export class TrackedInstance {
  readonly uid: string;
  readonly limiter: ReconcileLimiter;
  memory: InstanceMemory = freshMemory;
  /** The references of the last reconciliation. */
  references: readonly ObjectReference[] = [];
  #last: LastReconcile = { type: 'none' };
  #cached: CachedAnswers | undefined;
  #dueAt: Instant | undefined;
  call: CallInProgress | undefined;

  constructor(instance: KubeObject, clock: Clock) {
    this.uid = uidOf(instance);
    this.limiter = new ReconcileLimiter(clock);
  }

  /** When to reconcile even if nothing changes. */
  get dueAt(): Instant | undefined {
    return this.#dueAt;
  }

  isDue(now: Instant): boolean {
    return this.#dueAt !== undefined && now >= this.#dueAt;
  }

  isUnchanged(snapshot: InstanceSnapshot, endpointVersion: string): boolean {
    return (
      this.#last.type === 'finished' && this.#last.fingerprint === fingerprintOf(snapshot, endpointVersion)
    );
  }

  /** The last answers of the hook, if the input is the same. */
  cachedAnswers(
    snapshot: InstanceSnapshot,
    endpointVersion: string,
  ): InstanceSnapshot['answers'] | undefined {
    if (this.#cached === undefined || isDeleting(snapshot.instance)) return undefined;
    const isSame = this.#cached.inputHash === hookInputHash(snapshot, endpointVersion);
    return isSame ? this.#cached.answers : undefined;
  }

  finish({ snapshot, finish, endpointVersion, isCached, now }: FinishedReconcile): void {
    // Cached answers show nothing about the stability of the hook, and do not delay its next call.
    const { stability } = isCached ? this.memory : finish.memory;
    this.memory = { ...finish.memory, stability };
    this.#last = { type: 'finished', fingerprint: fingerprintOf(snapshot, endpointVersion) };
    const answers = reusableAnswers(snapshot);
    this.#cached = answers && { inputHash: hookInputHash(snapshot, endpointVersion), answers };
    const { after } = finish;
    const dueAt = after === undefined ? undefined : later(now, millis(Math.max(after, shortestResync)));
    this.#dueAt = isCached ? earlier(this.#dueAt, dueAt) : dueAt;
  }

  /** Counts a failure; returns how many there were in a row. */
  fail(): number {
    const failures = this.#last.type === 'failed' ? this.#last.failures + 1 : 1;
    this.#last = { type: 'failed', failures };
    return failures;
  }

  /** The reconciliation ended without an error of our side. */
  succeed(): void {
    if (this.#last.type === 'failed') this.#last = { type: 'none' };
  }
}

const earlier = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;
