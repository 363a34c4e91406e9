import type { Clock, Instant } from '#base/time.ts';
import type { DeclaredHistory } from './declared-history.ts';
import { knownVersions } from './known-versions.ts';
import type { ProcessSight } from './process-sight.ts';
import type { ReconcileCall } from './reconcile-hooks.ts';

/** The last call about an instance in a phase, and what was known then. */
type LastCall = {
  readonly call: ReconcileCall;
  readonly failures: number;
  isTaken: boolean;
  isGood: boolean;
};

/** A change of a child by somebody else. */
export type ChildTouch = { readonly plural: string; readonly uid: string; readonly revision: number };

/** Judges the calls of the hook: each has a reason, and none is about an instance that is gone. */
export class CallJudge {
  readonly complaints: string[] = [];
  readonly #clock: Clock;
  readonly #history: () => DeclaredHistory;
  readonly #last = new Map<ProcessSight, Map<string, LastCall>>();
  readonly #touches = new Map<string, ChildTouch[]>();
  /** Kinds of which somebody else has an object, by the name of a child. */
  readonly #taken = new Map<string, Set<string>>();

  constructor(clock: Clock, history: () => DeclaredHistory) {
    this.#clock = clock;
    this.#history = history;
  }

  /** Somebody else has written or deleted a child of the instance, which is input of the hook. */
  touched(uid: string, touch: ChildTouch): void {
    const known = this.#touches.get(uid);
    if (known === undefined) this.#touches.set(uid, [touch]);
    else known.push(touch);
  }

  /**
   * An object of somebody else has the name of a child, or has it no more. An instance that meets it is tried again and
   * again: also when its call began before.
   */
  taken(plural: string, name: string, isTaken: boolean): void {
    const places = this.#taken.get(name) ?? new Set<string>();
    this.#taken.set(name, places);
    if (isTaken) places.add(plural);
    else places.delete(plural);
    if (!isTaken) return;
    for (const calls of this.#last.values())
      for (const last of calls.values()) if (`kuard-${last.call.instance}` === name) last.isTaken = true;
  }

  begun(sight: ProcessSight, call: ReconcileCall): (isGood: boolean) => void {
    const { uid, phase, instance } = call;
    if (phase === 'finalize') this.#judgeFinalize(sight, call);
    else this.#judgeReconcile(sight, call);
    const last: LastCall = {
      call,
      failures: sight.failuresOf(instance),
      isTaken: (this.#taken.get(`kuard-${instance}`)?.size ?? 0) > 0,
      isGood: false,
    };
    const all = this.#last.get(sight) ?? new Map<string, LastCall>();
    this.#last.set(sight, all.set(`${uid} ${phase}`, last));
    return (isGood) => void (last.isGood = isGood);
  }

  /** Whether the hook has told this process that it finalized the instance. */
  hasFinalized(sight: ProcessSight, uid: string): boolean {
    return this.#lastOf(sight, uid, 'finalize')?.isGood === true;
  }

  #judgeReconcile(sight: ProcessSight, call: ReconcileCall): void {
    const { uid, instance, generation } = call;
    const { instances, registrations } = this.#known(sight, uid);
    const there = instances.filter(({ isGoing }) => !isGoing);
    if (there.length === 0) this.complaints.push(`the hook is called about ${instance}, which is gone`);
    else if (!there.some((each) => each.generation === generation))
      this.complaints.push(`the hook is called about an earlier version of ${instance}`);
    if (!registrations.some((each) => each.hasHook && each.generation === call.registration))
      this.complaints.push(`the hook is called about ${instance} for an earlier registration`);
    if (!instances.some(({ isHeld }) => isHeld))
      this.complaints.push(`the hook is called about ${instance}, which has no finalizer`);
    if (!this.#hasReason(sight, call))
      this.complaints.push(`the hook is called again about ${instance} without a reason`);
  }

  #judgeFinalize(sight: ProcessSight, { uid, instance }: ReconcileCall): void {
    const { instances } = this.#known(sight, uid);
    if (!instances.some(({ isGoing, isHeld }) => isGoing && isHeld))
      this.complaints.push(`the hook finalizes ${instance}, which is not being deleted, or is gone`);
  }

  /** The first call about an edit of the instance or the registration, or one after something failed. */
  #hasReason(
    sight: ProcessSight,
    { uid, phase, instance, generation, registration }: ReconcileCall,
  ): boolean {
    const last = this.#lastOf(sight, uid, phase);
    return (
      last?.isGood !== true ||
      last.isTaken ||
      last.call.generation !== generation ||
      last.call.registration !== registration ||
      last.failures !== sight.failuresOf(instance) ||
      this.#isTouchedSince(sight, uid, last.call.at)
    );
  }

  #known(sight: ProcessSight, uid: string) {
    return knownVersions(this.#history(), sight, { uid, now: this.#clock.now(), call: 0 });
  }

  #lastOf(sight: ProcessSight, uid: string, phase: string): LastCall | undefined {
    return this.#last.get(sight)?.get(`${uid} ${phase}`);
  }

  /** Since then, or before it without the process having seen that. */
  #isTouchedSince(sight: ProcessSight, uid: string, then: Instant): boolean {
    const touches = this.#touches.get(uid) ?? [];
    return touches.some((touch) => sight.revisionAt(touch, then) < touch.revision);
  }
}
