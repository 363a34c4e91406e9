import { at, listAt, numberAt, type JsonObject } from '#base/json.ts';
import { advanceOperation } from '#machines/decide/objects/advance-operation.ts';
import type { WantedOperation } from '#machines/decide/objects/due.ts';
import { interruptionOf } from '#machines/decide/objects/interruption.ts';
import type { OperationCommand, OperationEvent } from '#machines/decide/objects/operation-events.ts';
import { startOperation, type OperationRunState } from '#machines/decide/objects/operation-state.ts';
import { runStatus } from '#machines/decide/objects/run-status.ts';
import { isRemoval } from '#machines/decide/model.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import type { OperationDeps } from './operation-deps.ts';
import { ClaimedStatus } from './claimed-status.ts';
import { OperationSignals } from './operation-signals.ts';
import { StatusWriter } from './status-writer.ts';
import type { ManagedObject } from './managed-object.ts';

/** One run of an operation: its state, the writer of its status, and the signals that end it. */
export class OperationRun {
  readonly deps: OperationDeps;
  readonly subject: ManagedObject;
  readonly object: KubeObject;
  readonly writer: StatusWriter;
  readonly signals = new OperationSignals();
  readonly #inputsHash: string;
  #state: OperationRunState;

  /** `isEdited`: the inputs of the plan have changed since the last run in a way that no generation shows. */
  constructor(
    deps: OperationDeps,
    subject: ManagedObject,
    wanted: WantedOperation,
    { object, isEdited }: { readonly object: KubeObject; readonly isEdited: boolean },
  ) {
    this.deps = deps;
    this.subject = subject;
    this.object = object;
    this.#inputsHash = subject.planInputsHash(wanted);
    const { isCluster } = subject;
    const { holder, clock } = deps;
    const tag = deps.random.uuid().slice(0, 6);
    const start = { object, wanted, isCluster, generation: subject.generation(), isEdited, holder, tag };
    this.#state = startOperation(start, clock.now());
    const status = new ClaimedStatus(
      {
        ...deps,
        resource: subject.resource,
        status: (before) => this.#status(before),
        onLost: () => this.signals.interrupt('leave', 'another controller writes the object'),
        written: (written) => deps.newest.note(written),
      },
      object,
    );
    this.writer = new StatusWriter(deps, status, this.signals.writing);
  }

  get state(): OperationRunState {
    return this.#state;
  }

  isPaused(): boolean {
    const { kind } = this.#state.about.wanted;
    return !isRemoval(kind) && at(this.subject.cluster(), 'spec', 'paused') === true;
  }

  isForced(): boolean {
    const { kind } = this.#state.about.wanted;
    return isRemoval(kind) && at(this.subject.object(), 'spec', 'forceDelete') === true;
  }

  /** A deletion that does not proceed, and that `forceDelete` would complete. */
  isStuck(): boolean {
    return this.#state.about.isDeletion && !this.isForced();
  }

  /** The inputs of the plan have changed since the run began. */
  isChanged(): boolean {
    return this.subject.planInputsHash(this.#state.about.wanted) !== this.#inputsHash;
  }

  /** To be called when the object, or an object that it depends on, has changed. */
  changed(): void {
    const now = this.subject.object();
    const isGone = now === undefined || uidOf(now) !== uidOf(this.object);
    const interruption = interruptionOf({
      operation: this.#state.about.operation,
      due: isGone ? undefined : this.subject.due(),
      isPaused: this.isPaused(),
      isChanged: this.isChanged(),
    });
    if (interruption !== undefined) this.signals.interrupt(interruption.type, interruption.reason);
  }

  /** Advances the state, writes the status and records Events. Returns what is left to do. */
  async dispatch(event: OperationEvent): Promise<readonly OperationCommand[]> {
    const now = this.deps.clock.now();
    this.deps.metrics?.observe(this.#state, event, now);
    const { state, effects } = advanceOperation(this.#state, event, now);
    this.#state = state;
    const commands: OperationCommand[] = [];
    for (const effect of effects)
      if (effect.type === 'note') this.deps.events.record(this.object, effect.note);
      else if (effect.type === 'touch') this.writer.touch();
      else if (effect.type === 'flush') await this.writer.flush();
      else commands.push(effect);
    return commands;
  }

  #status(before: JsonObject): JsonObject {
    const { deps, subject } = this;
    const inputs = {
      holder: deps.holder,
      generation: numberAt(subject.object(), 'metadata', 'generation') ?? 0,
      skips: listAt(subject.cluster(), 'spec', 'features', 'skipConditions').filter(
        (each) => typeof each === 'string',
      ),
    };
    return runStatus(this.#state, inputs, before, deps.clock.now());
  }
}
