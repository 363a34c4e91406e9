import type { GateStatus, OperationStatus } from '#machines/kinds/operation-status.ts';
import { at, type Json, type JsonObject } from '#base/json.ts';
import { later, seconds, type Instant } from '#base/time.ts';
import { isSameOperation, type Wanted } from '#machines/decide/objects/due.ts';
import { begunOf, freshOperation, standingOf } from '#machines/decide/objects/standing.ts';
import type { Planned, Prepared } from '#machines/decide/objects/plan-object.ts';
import { pausesLeft } from '#machines/decide/objects/pauses.ts';
import type { Gate } from '#machines/decide/objects/segments.ts';
import { problemConditions, problemsText } from '#machines/decide/objects/problems.ts';
import type { Trouble } from '#machines/decide/objects/status.ts';
import { isRemoval } from '#machines/decide/model.ts';
import { pauseAfter } from '#machines/decide/plan.ts';
import { tkestackPolicy } from '#machines/decide/presets.ts';
import { replay, type JournalRecord, type Progress } from '#machines/decide/progress.ts';
import { normal, warning } from '#loop/note.ts';
import { until } from '#loop/owned/until.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import { keysIn } from './host-keys-of.ts';
import { ObjectBook } from './object-book.ts';
import { planTurn } from './plan-turn.ts';
import type { Subject } from './subject.ts';
import type { TurnDeps } from './turn-deps.ts';
import { turnStatus, type TurnFacts } from './turn-status.ts';
import { warnOfRemains } from './warn-of-remains.ts';

/** How a part of an operation ended. */
export type PartEnd =
  | { readonly type: 'passed' }
  /** Not now: at this time, or when something changes. */
  | {
      readonly type: 'later';
      readonly at?: Instant;
      /** Or at any news before; `at` is waited for whatever comes. */
      readonly wakeAt?: Instant;
      readonly trouble?: Trouble;
      readonly isFailure?: boolean;
    }
  /** This turn is over: the process goes, or something else is wanted. */
  | { readonly type: 'left' }
  /** Another controller is at work on it. */
  | { readonly type: 'elsewhere'; readonly at: Instant };

/** How the parts of an operation are worked on. */
export type Parts = {
  readonly gates: (turn: Turn, gates: readonly Gate[], signal: AbortSignal) => Promise<PartEnd>;
  readonly stages: (turn: Turn, index: number) => Promise<PartEnd>;
  /** Before an operation takes the place of another: `object` still knows that one. */
  readonly begin: (deps: TurnDeps, object: KubeObject, signal: AbortSignal) => Promise<void>;
};

/** The object that a turn is about, and whether it was changed since the last turn in a way that no generation shows. */
export type Seen = { readonly object: KubeObject; readonly isEdited: boolean };

/** How long a controller that stops tries to write down what it knows. */
const lastWords = seconds(5);

/** One go at an operation of an object: from where it stands to its end, or to where it must wait. */
export class Turn {
  readonly deps: TurnDeps;
  readonly subject: Subject;
  readonly wanted: Wanted;
  readonly object: KubeObject;
  readonly operation: OperationStatus;
  readonly book: ObjectBook;
  /** Aborted: go, and leave what runs. */
  readonly leave = new AbortController();
  /** Aborted: end what runs on the machines. */
  readonly cancel = new AbortController();
  readonly #writing = new AbortController();
  readonly gates = new Map<string, GateStatus>();
  readonly holds = new Map<string, { readonly message: string; readonly isBad: boolean }>();
  readonly hostKeys: Map<string, string>;
  readonly isRetried: boolean;
  progress: Progress;
  records: readonly JournalRecord[];
  planned: Planned | undefined;
  prepared: Prepared | undefined;
  trouble: Trouble | undefined;
  pauses: Json | undefined;
  /** Another controller was found at work on the machines. */
  isElsewhere = false;
  readonly #edition: string;
  readonly #generation: number;
  readonly #isFresh: boolean;
  #isResting = false;
  #failures: number;
  #retryAt: Instant | undefined;
  #final: JsonObject | undefined;

  constructor(deps: TurnDeps, subject: Subject, wanted: Wanted, { object, isEdited }: Seen) {
    this.deps = deps;
    this.subject = subject;
    this.wanted = wanted;
    this.object = object;
    const same = begunOf(object, wanted);
    const tag = deps.random.uuid().slice(0, 6);
    this.operation = same ?? freshOperation(wanted, deps.clock.now(), tag);
    this.#isFresh = same === undefined;
    this.#edition = subject.edition(wanted);
    const generation = subject.generation();
    this.#generation = generation;
    const standing = standingOf(this.operation, { generation, isEdited }, deps.clock.now());
    this.isRetried = standing.isRetried;
    this.#failures = standing.failures;
    this.#retryAt = standing.retryAt;
    this.records = standing.records;
    this.progress = replay(this.records);
    for (const gate of this.operation.gates ?? []) this.gates.set(gate.name, gate);
    this.hostKeys = new Map(keysIn(object));
    this.pauses = same === undefined ? undefined : pausesLeft(object);
    this.book = new ObjectBook(
      {
        ...deps,
        resource: subject.resource,
        status: (before) => turnStatus(this.#facts(), before, deps.clock.now()),
        onLost: () => this.leave.abort(new Error('the object is no longer ours')),
        written: (written) => deps.newest.note(written),
      },
      object,
      this.#writing.signal,
    );
  }

  /** The subject or something behind it has changed. */
  changed(): void {
    const now = this.subject.object();
    if (now === undefined || uidOf(now) !== uidOf(this.object)) {
      this.cancel.abort(new Error('the object is gone'));
      return;
    }
    const due = this.subject.due();
    if (due.type !== 'operate' || !isSameOperation(this.operation, due.wanted)) {
      if (due.type !== 'wait' || due.isFinal === true)
        this.cancel.abort(new Error('something else is wanted'));
      return;
    }
    if (this.isPaused()) this.leave.abort(new Error('paused'));
    // What runs goes on; the next turn finds it, and has another plan for the rest.
    if (this.subject.edition(this.wanted) !== this.#edition)
      this.leave.abort(new Error('the object was changed'));
  }

  /** Somebody else worked on it last, and may be at it now: its machines know. */
  get isForeign(): boolean {
    const { holder = this.deps.holder } = this.operation;
    return holder !== this.deps.holder;
  }

  get isRemoval(): boolean {
    return isRemoval(this.wanted.kind);
  }

  /** What keeps a deletion, with what can be done about it if the machine never comes back. */
  withWayOut(message: string): string {
    const isStuck = this.isRemoval && isDeleting(this.object) && !this.isForced();
    return isStuck
      ? `${message.replace(/\.?$/, '.')} To delete it all the same, set spec.forceDelete to true.`
      : message;
  }

  isPaused(): boolean {
    return !this.isRemoval && at(this.subject.cluster(), 'spec', 'paused') === true;
  }

  async run(parts: Parts, signal: AbortSignal): Promise<Next> {
    const { clock, events } = this.deps;
    if (this.#retryAt !== undefined && this.#retryAt > clock.now()) return until(clock, this.#retryAt);
    this.#retryAt = undefined;
    const go = (): void => {
      this.leave.abort(new Error('the controller stops'));
      clock.after(lastWords, () => this.#writing.abort(new Error('the controller stops')));
    };
    signal.addEventListener('abort', go, { once: true });
    if (signal.aborted) go();
    try {
      const isPlanned = await this.plan(signal);
      this.#isResting = !isPlanned;
      if (this.#isFresh) await parts.begin(this.deps, this.object, signal);
      const isFree = this.#isFresh || !isPlanned || !this.isForeign;
      if (isFree && !(await this.book.claim())) return wake(seconds(1));
      if (!isPlanned) return this.isForced() ? await this.#giveUp() : until(clock, this.#retryAt);
      if (this.#isFresh) {
        events.record(this.object, normal('Started', `${this.wanted.kind} ${this.operation.id} has begun.`));
        warnOfRemains(this);
      }
      return await this.#walk(parts, signal);
    } finally {
      this.book.close();
      signal.removeEventListener('abort', go);
    }
  }

  /** Looks at objects and files again. False when they cannot be right; the status then says why. */
  async plan(signal: AbortSignal): Promise<boolean> {
    const { deps, subject, wanted } = this;
    const made = await planTurn(deps, subject, wanted, signal);
    if (made.type === 'planned') {
      this.planned = made.planned;
      this.prepared = made.prepared;
      return true;
    }
    const conditions = problemConditions(made.problems, wanted.kind);
    const message = this.withWayOut(problemsText(made.problems));
    this.#fail({ reason: 'InvalidSpec', message, conditions, isFailure: true });
    deps.events.record(this.object, warning('InvalidSpec', message));
    return false;
  }

  async #walk(parts: Parts, signal: AbortSignal): Promise<Next> {
    for (let index = 0; ; index += 1) {
      const segment = this.planned?.segments[index];
      if (segment === undefined) return this.#finish(signal);
      const end =
        segment.type === 'gates'
          ? await parts.gates(this, segment.gates, signal)
          : await parts.stages(this, index);
      if (end.type === 'left') return this.#left();
      if (end.type === 'later') return this.#later(end);
      if (end.type === 'elsewhere') {
        this.isElsewhere = true;
        return until(this.deps.clock, end.at);
      }
      this.trouble = undefined;
      this.#failures = 0;
    }
  }

  async #later(end: Extract<PartEnd, { type: 'later' }>): Promise<Next> {
    const { at: time, wakeAt, trouble, isFailure } = end;
    if (isFailure === true && trouble !== undefined) this.#fail(trouble);
    else this.trouble = trouble;
    this.#retryAt = time ?? this.#retryAt;
    this.#isResting = true;
    const isSaved = await this.#isSaved();
    return isSaved ? until(this.deps.clock, this.#retryAt ?? wakeAt) : wake(seconds(1));
  }

  /** False when another controller has the object by now: what is not written it finds on the machines. */
  async #isSaved(): Promise<boolean> {
    try {
      await this.book.flush();
      return true;
    } catch (error) {
      if (this.book.isLost) return false;
      throw error;
    }
  }

  isForced(): boolean {
    return this.isRemoval && at(this.subject.object(), 'spec', 'forceDelete') === true;
  }

  /** Removed by force, although not even a plan can be made. */
  async #giveUp(): Promise<Next> {
    const why = `It is removed without its hooks: ${this.trouble?.message ?? ''}`;
    this.deps.events.record(this.object, warning('Forced', why));
    this.#final = this.subject.isCluster ? { machines: [] } : { joined: false };
    return wake(seconds((await this.#isSaved()) ? 0.01 : 1));
  }

  async #left(): Promise<Next> {
    // What is known and not written is asked of the machines again; so this may fail.
    this.#isResting = true;
    if (!this.book.isLost) await this.book.flush().catch(() => undefined);
    const isChanged =
      this.cancel.signal.aborted || this.isPaused() || this.subject.edition(this.wanted) !== this.#edition;
    return wake(seconds(isChanged ? 0.01 : 1));
  }

  async #finish(signal: AbortSignal): Promise<Next> {
    const { planned, wanted, deps, subject } = this;
    if (planned === undefined) return settled;
    this.#final = await subject.finished(wanted, planned, signal);
    if (!(await this.#isSaved())) return wake(seconds(1));
    deps.events.record(this.object, normal('Completed', `${wanted.kind} ${this.operation.id} is done.`));
    return wake(seconds(0.01));
  }

  #fail(trouble: Trouble): void {
    this.trouble = trouble;
    this.#failures += 1;
    this.#retryAt = later(this.deps.clock.now(), pauseAfter(tkestackPolicy(undefined), this.#failures));
  }

  #facts(): TurnFacts {
    const { holder } = this.deps;
    return {
      turn: this,
      generation: this.#generation,
      failures: this.#failures,
      retryAt: this.#retryAt,
      final: this.#final,
      ...(!this.#isResting && { holder }),
    };
  }
}
