import { at, numberAt, objectAt, textAt, without, type JsonObject } from '#base/json.ts';
import { later, seconds, type Instant } from '#base/time.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Due } from '#machines/decide/objects/due.ts';
import { pauseReason, pauseTexts } from '#machines/decide/objects/pauses.ts';
import { pausesOf, statusAtRest, statusWaiting } from '#machines/decide/objects/status.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { Refused, replaceStatus } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';
import { until } from '#loop/owned/until.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import { hasFinalizer, setFinalizer } from './finalizers.ts';
import { endQuestions, runGates } from './run-gates.ts';
import { runStages } from './run-stages.ts';
import type { Subject } from './subject.ts';
import { Turn } from './turn.ts';
import type { TurnDeps } from './turn-deps.ts';

const parts = { gates: runGates, stages: runStages, begin: endQuestions };

/** How long what another controller works on is left alone before its machines are asked again. */
const elsewherePause = seconds(10);

export type ObjectKind = {
  readonly finalizer: string;
  /** What goes with an object that is released. */
  release(object: KubeObject, signal: AbortSignal): Promise<void>;
  subject(name: string): Subject;
};

/** One look after another at Clusters, or at Machines. An operation is worked on within its look, however long. */
export class ObjectWork {
  readonly #deps: Pick<ControlDeps, 'client' | 'clock'>;
  readonly #kind: ObjectKind;
  readonly #turnDeps: TurnDeps;
  readonly #newest: Newest;
  readonly #turns = new Map<string, Turn>();
  /** As each object was when it was last worked on; all by their uids. */
  readonly #editions = new Map<string, string>();
  readonly #elsewhere = new Map<string, { readonly holder: string | undefined; readonly until: Instant }>();

  constructor(deps: Pick<ControlDeps, 'client' | 'clock'>, kind: ObjectKind, turnDeps: TurnDeps) {
    this.#deps = deps;
    this.#kind = kind;
    this.#turnDeps = turnDeps;
    this.#newest = turnDeps.newest;
  }

  /** An object has changed, or something behind it: an operation under way is told at once. */
  changed(name: string): void {
    this.#turns.get(name)?.changed();
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    const subject = this.#kind.subject(name);
    const found = subject.object();
    if (found === undefined) return settled;
    const object = await this.#held(subject, found, signal);
    if (object === undefined) return settled;
    const due = subject.due();
    switch (due.type) {
      case 'release':
        return this.#release(subject, object, signal);
      case 'nothing':
        return this.#rest(subject, object, signal);
      case 'wait':
        return this.#wait(subject, object, due, signal);
      case 'operate':
        return this.#operate(subject, object, due, signal);
    }
  }

  /** Nothing is begun before the object is sure to stay until its end is worked on. */
  async #held(subject: Subject, object: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { finalizer } = this.#kind;
    const { resource } = subject;
    if (hasFinalizer(object, finalizer)) return object;
    if (isDeleting(object)) return undefined;
    const held = await setFinalizer(this.#deps.client, { resource, object, finalizer }, true, signal);
    if (held !== undefined) this.#newest.note(held);
    return held;
  }

  async #release(subject: Subject, object: KubeObject, signal: AbortSignal): Promise<Next> {
    await this.#kind.release(object, signal).catch(async (error: unknown) => {
      // Else it would seem to hang for no reason.
      const given = { reason: 'FailedDelete', message: reasonOf(error) };
      if (error instanceof Refused) await this.#wait(subject, object, { type: 'wait', ...given }, signal);
      throw error;
    });
    const { resource } = subject;
    await setFinalizer(
      this.#deps.client,
      { resource, object, finalizer: this.#kind.finalizer },
      false,
      signal,
    );
    this.#newest.forget(uidOf(object));
    this.forget(object);
    return settled;
  }

  /** It is gone, whoever let it go. */
  forget(object: KubeObject): void {
    this.#editions.delete(uidOf(object));
    this.#elsewhere.delete(uidOf(object));
  }

  async #rest(subject: Subject, object: KubeObject, signal: AbortSignal): Promise<Next> {
    const generation = numberAt(object, 'metadata', 'generation') ?? 0;
    const before = without(objectAt(object, 'status') ?? {}, 'pauseConditions');
    const given = { generation, phase: 'Running', changes: {} } as const;
    return this.#write(subject, object, statusAtRest(before, given, this.#deps.clock.now()), signal);
  }

  async #wait(
    subject: Subject,
    object: KubeObject,
    { reason, message, phase }: Extract<Due, { type: 'wait' }>,
    signal: AbortSignal,
  ): Promise<Next> {
    const generation = numberAt(object, 'metadata', 'generation') ?? 0;
    const isNew = textAt(object, 'status', 'phase') === undefined;
    const shown = phase ?? (isNew ? 'Initializing' : undefined);
    const given = { generation, reason, message, ...(shown !== undefined && { phase: shown }) };
    const status = statusWaiting(objectAt(object, 'status') ?? {}, given, this.#deps.clock.now());
    return this.#write(subject, object, status, signal);
  }

  async #operate(
    subject: Subject,
    object: KubeObject,
    { wanted }: Extract<Due, { type: 'operate' }>,
    signal: AbortSignal,
  ): Promise<Next> {
    const edition = subject.edition(wanted);
    const isEdited = (this.#editions.get(uidOf(object)) ?? edition) !== edition;
    const turn = new Turn(this.#turnDeps, subject, wanted, { object, isEdited });
    if (turn.isPaused()) return this.#paused(subject, object, signal);
    const away = this.#elsewhere.get(uidOf(object));
    const { clock } = this.#deps;
    if (away !== undefined && away.holder === turn.operation.holder && away.until > clock.now())
      return until(clock, away.until);
    this.#editions.set(uidOf(object), edition);
    this.#turns.set(subject.name, turn);
    const { underWay } = this.#turnDeps.doors;
    const place = `${subject.isCluster ? 'Cluster' : 'Machine'}/${subject.name}`;
    underWay.set(place, turn.wanted);
    try {
      return await turn.run(parts, signal);
    } finally {
      this.#turns.delete(subject.name);
      underWay.delete(place);
      if (turn.isElsewhere)
        this.#elsewhere.set(uidOf(object), {
          holder: turn.operation.holder,
          until: later(clock.now(), elsewherePause),
        });
    }
  }

  async #paused(subject: Subject, object: KubeObject, signal: AbortSignal): Promise<Next> {
    const before = objectAt(object, 'status') ?? {};
    const now = this.#deps.clock.now();
    const known = at(before, 'pauseConditions');
    const generation = numberAt(object, 'metadata', 'generation') ?? 0;
    if (known !== undefined) return settled;
    const reason = pauseReason(object, this.#turnDeps.run);
    const given = { generation, reason, message: pauseTexts[reason] };
    const isNew = textAt(before, 'phase') === undefined;
    const status = statusWaiting(before, { ...given, ...(isNew && { phase: 'Waiting' }) }, now);
    return this.#write(subject, object, { ...status, pauseConditions: pausesOf(reason, now) }, signal);
  }

  async #write(
    { resource }: Subject,
    object: KubeObject,
    status: JsonObject,
    signal: AbortSignal,
  ): Promise<Next> {
    const written = await replaceStatus(this.#deps.client, resource, { object, status }, signal);
    if (written === undefined) this.#newest.forget(uidOf(object));
    else this.#newest.note(written);
    return settled;
  }
}
