import type { Clock, Instant } from '#base/time.ts';
import { freshMemory, type InstanceSnapshot, type InstanceMemory } from '#registrations/decide/cycle.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { ReconcileLimiter } from './reconcile-limiter.ts';

export type CachedAnswers = { readonly about: string; readonly answers: InstanceSnapshot['answers'] };

/** What is remembered of an instance between two reconciliations. */
export class TrackedInstance {
  readonly uid: string;
  readonly limiter: ReconcileLimiter;
  memory: InstanceMemory = freshMemory;
  /** What it referred to last time. */
  references: readonly ObjectReference[] = [];
  /** What there was when it was last reconciled to the end. */
  fingerprint: string | undefined;
  /** What the hook answered when it was last asked, and what it was asked about. */
  cached: CachedAnswers | undefined;
  /** When to reconcile though nothing has changed. */
  dueAt: Instant | undefined;
  /** Reconciliations in a row that our side could not carry through. */
  failures = 0;
  /** The call on its way. */
  call: AbortController | undefined;

  constructor(instance: KubeObject, clock: Clock) {
    this.uid = uidOf(instance);
    this.limiter = new ReconcileLimiter(clock);
  }

  isDue(now: Instant): boolean {
    return this.dueAt !== undefined && now >= this.dueAt;
  }
}
