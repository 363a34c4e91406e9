import type { GateStatus, OperationStatus } from '#api/platform/operation-status.ts';
import { at, listAt, without, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { isSameOperation, type Wanted } from '#decide/machine-objects/due.ts';
import { begunOf, standingOf } from '#decide/machine-objects/standing.ts';
import type { Planned, Prepared } from '#decide/machine-objects/plan-object.ts';
import type { Gate } from '#decide/machine-objects/segments.ts';
import { problemConditions, problemsText } from '#decide/machine-objects/problems.ts';
import {
  statusAtRest,
  statusDuring,
  type OperationView,
  type Trouble,
} from '#decide/machine-objects/status.ts';
import { pauseAfter } from '#decide/machines/plan.ts';
import { tkestackPolicy } from '#decide/machines/presets.ts';
import { replay, type JournalRecord, type Progress } from '#decide/machines/progress.ts';
import { normal, warning } from '#loop/note.ts';
import { until } from '#loop/owned/until.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { keysIn } from './host-keys-of.ts';
import { ObjectBook } from './object-book.ts';
import { planTurn } from './plan-turn.ts';
import type { Subject } from './subject.ts';
import type { TurnDeps } from './turn-deps.ts';

/** How a part of an operation ended. */
export type PartEnd =
  | { readonly type: 'passed' }
  /** Not now: at this time, or when something changes. */
  | {
      readonly type: 'later';
      readonly at?: Instant;
      readonly trouble?: Trouble;
      readonly isFailure?: boolean;
    }
  /** This turn is over: the process goes, or something else is wanted. */
  | { readonly type: 'left' };

/** How the parts of an operation are worked on. */
export type Parts = {
  readonly gates: (turn: Turn, gates: readonly Gate[], signal: AbortSignal) => Promise<PartEnd>;
  readonly stages: (turn: Turn, index: number) => Promise<PartEnd>;
};

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
  readonly retries = new Set<() => void>();
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
  #generation: number;
  readonly #isFresh: boolean;
  #failures: number;
  #retryAt: Instant | undefined;
  #final: JsonObject | undefined;

  constructor(deps: TurnDeps, subject: Subject, wanted: Wanted, object: KubeObject) {
    this.deps = deps;
    this.subject = subject;
    this.wanted = wanted;
    this.object = object;
    const same = begunOf(object, wanted);
    this.operation = same ?? this.#fresh();
    this.#isFresh = same === undefined;
    this.#generation = subject.generation();
    const standing = standingOf(this.operation, this.#generation, deps.clock.now());
    this.isRetried = standing.isRetried;
    this.#failures = standing.failures;
    this.#retryAt = standing.retryAt;
    this.records = standing.records;
    this.progress = replay(this.records);
    for (const gate of this.operation.gates ?? []) this.gates.set(gate.name, gate);
    this.hostKeys = new Map(keysIn(object));
    this.pauses = at(object, 'status', 'pauseConditions');
    this.book = new ObjectBook(
      {
        ...deps,
        resource: subject.resource,
        status: (before) => this.#status(before),
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
      if (due.type !== 'wait') this.cancel.abort(new Error('something else is wanted'));
      return;
    }
    if (this.isPaused()) this.leave.abort(new Error('paused'));
    const generation = this.subject.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    for (const retry of this.retries) retry();
  }

  isPaused(): boolean {
    const isRemoval = this.wanted.kind === 'cluster.delete' || this.wanted.kind === 'node.delete';
    return !isRemoval && at(this.subject.cluster(), 'spec', 'paused') === true;
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
    try {
      const isPlanned = await this.plan(signal);
      if (!(await this.book.claim())) return wake(seconds(1));
      if (!isPlanned) return this.#isForced() ? await this.#giveUp() : until(clock, this.#retryAt);
      if (this.#isFresh)
        events.record(this.object, normal('Started', `${this.wanted.kind} ${this.operation.id} has begun.`));
      return await this.#walk(parts, signal);
    } finally {
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
    const message = problemsText(made.problems);
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
      this.trouble = undefined;
      this.#failures = 0;
    }
  }

  async #later({ at: time, trouble, isFailure }: Extract<PartEnd, { type: 'later' }>): Promise<Next> {
    if (isFailure === true && trouble !== undefined) this.#fail(trouble);
    else this.trouble = trouble;
    this.#retryAt = time ?? this.#retryAt;
    await this.book.flush();
    return until(this.deps.clock, this.#retryAt);
  }

  #isForced(): boolean {
    const isRemoval = this.wanted.kind === 'cluster.delete' || this.wanted.kind === 'node.delete';
    return isRemoval && at(this.subject.object(), 'spec', 'forceDelete') === true;
  }

  /** Removed by force, although not even a plan can be made. */
  async #giveUp(): Promise<Next> {
    const why = `It is removed without its hooks: ${this.trouble?.message ?? ''}`;
    this.deps.events.record(this.object, warning('Forced', why));
    this.#final = this.subject.isCluster ? { machines: [] } : { joined: false };
    await this.book.flush();
    return wake(seconds(0.01));
  }

  async #left(): Promise<Next> {
    // What is known and not written is asked of the machines again; so this may fail.
    if (!this.book.isLost) await this.book.flush().catch(() => undefined);
    return wake(seconds(this.cancel.signal.aborted || this.isPaused() ? 0.01 : 1));
  }

  async #finish(signal: AbortSignal): Promise<Next> {
    const { planned, wanted, deps, subject } = this;
    if (planned === undefined) return settled;
    this.#final = await subject.finished(wanted, planned, signal);
    await this.book.flush();
    deps.events.record(this.object, normal('Completed', `${wanted.kind} ${this.operation.id} is done.`));
    return wake(seconds(0.01));
  }

  #fail(trouble: Trouble): void {
    this.trouble = trouble;
    this.#failures += 1;
    this.#retryAt = later(this.deps.clock.now(), pauseAfter(tkestackPolicy(undefined), this.#failures));
  }

  #fresh(): OperationStatus {
    const { clock, random } = this.deps;
    const now = clock.now();
    const { kind, nodes, version } = this.wanted;
    const time = formatTime(now).replaceAll(/[-:]/g, '').toLowerCase();
    return {
      id: `${time}-${kind.replace('.', '-')}-${random.uuid().slice(0, 6)}`,
      type: kind,
      startedAt: formatTime(now),
      ...(version !== undefined && { version }),
      ...(nodes.length > 0 && { nodes: [...nodes] }),
    };
  }

  #status(before: JsonObject): JsonObject {
    const now = this.deps.clock.now();
    const rest = without(before, 'pauseConditions');
    if (this.#final !== undefined) {
      const isGone = this.wanted.kind === (this.subject.isCluster ? 'cluster.delete' : 'node.delete');
      const phase = isGone ? 'Terminating' : 'Running';
      const status = statusAtRest(rest, { generation: this.#generation, phase, changes: this.#final }, now);
      return { ...status, ...(this.hostKeys.size > 0 && { hostKeys: Object.fromEntries(this.hostKeys) }) };
    }
    const status = statusDuring(rest, this.#view(), now);
    return this.pauses === undefined ? status : { ...status, pauseConditions: this.pauses };
  }

  #view(): OperationView {
    const {
      steps: _steps,
      gates: _gates,
      retryAt: _retryAt,
      failures: _failures,
      ...operation
    } = this.operation;
    const skips = listAt(this.subject.cluster(), 'spec', 'features', 'skipConditions');
    return {
      kind: this.wanted.kind,
      isCluster: this.subject.isCluster,
      operation: {
        ...operation,
        holder: this.deps.holder,
        ...(this.#failures > 0 && { failures: this.#failures }),
      },
      generation: this.#generation,
      progress: this.progress,
      gates: { states: this.gates, holds: this.holds },
      planned: this.planned,
      trouble: this.trouble,
      retryAt: this.#retryAt,
      hostKeys: this.hostKeys,
      skips: skips.filter((each) => typeof each === 'string'),
    };
  }
}
