import type { InstanceSnapshot, Finish, HookAnswer, ReconcileStep } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { gateRunName } from '#registrations/decide/gate.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { applyChildren, existingChildren, type ApplyStep } from './apply-children.ts';
import { removeFormerRuns } from './gate-runs.ts';
import { addFinalizer, removeFinalizer } from './instance-finalizer.ts';
import type { InstanceDeps } from './instance-deps.ts';
import type { TrackedInstance } from './tracked-instance.ts';

/** The instance was deleted while its hook was being asked: what it answers is not wanted any more. */
export class Superseded extends Error {
  constructor() {
    super('the instance was deleted meanwhile');
    this.name = 'Superseded';
  }
}

export type CycleEnd = { readonly snapshot: InstanceSnapshot; readonly finish: Finish };

/** More than any cycle takes. */
const maxSteps = 40;

/** One reconciliation: decide, do, decide again with what that brought. */
export class Cycle {
  readonly #deps: InstanceDeps;
  readonly #about: { readonly key: string; readonly tracked: TrackedInstance };
  readonly #signal: AbortSignal;

  constructor(
    deps: InstanceDeps,
    about: { readonly key: string; readonly tracked: TrackedInstance },
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#about = about;
    this.#signal = signal;
  }

  /** What is known before anything is done. */
  async begin(instance: KubeObject): Promise<InstanceSnapshot> {
    const { registration, kind, environment, clock, random, children } = this.#deps;
    const { tracked } = this.#about;
    const references = await this.#read(tracked.references);
    const snapshot: InstanceSnapshot = {
      registration,
      kind,
      environment,
      instance,
      now: clock.now(),
      chance: random.next(),
      memory: tracked.memory,
      references,
      live: children.of(instance),
      answers: {},
    };
    return this.#withGate(snapshot);
  }

  /** Undefined: there is nothing more to do for the instance. */
  async run(begun: InstanceSnapshot): Promise<CycleEnd | undefined> {
    let snapshot = begun;
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const step = decideReconcile(snapshot);
      if (step.type === 'finish') return { snapshot, finish: step };
      const next = await this.#do(step, snapshot);
      if (next === undefined) return undefined;
      snapshot = { ...next, now: this.#deps.clock.now() };
    }
    throw new Error(`no end after ${maxSteps} steps`);
  }

  async #do(
    step: Exclude<ReconcileStep, Finish>,
    snapshot: InstanceSnapshot,
  ): Promise<InstanceSnapshot | undefined> {
    const { client, resource, events } = this.#deps;
    const { instance } = snapshot;
    switch (step.type) {
      case 'fetch':
        return { ...snapshot, references: await this.#fetch(step.references, snapshot) };
      case 'add-finalizer': {
        const written = await addFinalizer(client, resource, instance, this.#signal);
        return written === undefined ? undefined : this.begin(written);
      }
      case 'remove-finalizer': {
        const written = await removeFinalizer(client, resource, instance, this.#signal);
        for (const said of step.events) events.record(instance, said);
        return written === undefined ? undefined : this.begin(written);
      }
      case 'call':
        return { ...snapshot, answers: { ...snapshot.answers, [step.phase]: await this.#call(step) } };
      case 'create-run':
        return this.#createRun(step.run, snapshot);
      case 'apply':
        return this.#apply(step, snapshot);
    }
  }

  async #fetch(
    wanted: readonly ObjectReference[],
    { references }: InstanceSnapshot,
  ): Promise<InstanceSnapshot['references']> {
    const { tracked } = this.#about;
    const known = tracked.references.filter((each) => references.has(referenceKey(each)));
    const added = wanted.filter((each) => !references.has(referenceKey(each)));
    tracked.references = [...known, ...added];
    return this.#read(tracked.references);
  }

  async #read(wanted: readonly ObjectReference[]): Promise<Map<string, KubeObject | undefined>> {
    if (wanted.length === 0) return new Map();
    const objects = await this.#deps.references.hold(this.#about.key, wanted, this.#signal);
    return new Map(wanted.map((each, i) => [referenceKey(each), objects[i]]));
  }

  async #call(
    step: Extract<ReconcileStep, { type: 'call' }>,
  ): Promise<InstanceSnapshot['answers'][typeof step.phase]> {
    const { hookClient, hookMetrics } = this.#deps;
    if (hookClient === undefined) throw new Error('a registration without a hook has nobody to call');
    const { tracked } = this.#about;
    const control = new AbortController();
    tracked.call = control;
    // Not `AbortSignal.any`: the signal of the controller would remember every call for as long as it lives.
    const pass = (): void => control.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', pass, { once: true });
    const order = { phase: step.phase, request: step.request, instance: this.#about.key };
    const call = (): Promise<HookAnswer> => hookClient.call(order, control.signal);
    try {
      this.#signal.throwIfAborted();
      return await (hookMetrics === undefined ? call() : hookMetrics.measured(step.phase, call));
    } finally {
      this.#signal.removeEventListener('abort', pass);
      tracked.call = undefined;
    }
  }

  #withGate(snapshot: InstanceSnapshot): InstanceSnapshot {
    const { gate, registration } = this.#deps;
    if (gate === undefined || registration.gate === undefined) return snapshot;
    const namespace = namespaceOf(snapshot.instance);
    const template = gate.templates.get(namespace, registration.gate.templateName);
    const name = gateRunName(registration, snapshot.instance, template);
    return {
      ...snapshot,
      gate: { template, run: name === undefined ? undefined : gate.runs.get(namespace, name) },
    };
  }

  async #createRun(run: KubeObject, snapshot: InstanceSnapshot): Promise<InstanceSnapshot> {
    const { client, gate } = this.#deps;
    const created = await client.create(hookRuns, run, this.#signal);
    const key = { namespace: namespaceOf(run), name: nameOf(run) };
    const outcome = created.type === 'exists' ? await client.get(hookRuns, key, this.#signal) : created;
    if (outcome.type !== 'ok') throw new Refused(outcome);
    const about = { instance: snapshot.instance, current: outcome.object };
    if (gate !== undefined) await removeFormerRuns(this.#deps, gate.runs, about, this.#signal);
    return { ...snapshot, gate: { template: snapshot.gate?.template, run: outcome.object } };
  }

  async #apply(step: ApplyStep, snapshot: InstanceSnapshot): Promise<InstanceSnapshot> {
    const { client, children } = this.#deps;
    const deps = { client, wrote: (child: KubeObject) => children.wrote(child) };
    const found = await existingChildren(deps, step, snapshot.live, this.#signal);
    // What to think of them is for whoever decides.
    if (found.length > 0) return { ...snapshot, live: [...snapshot.live, ...found] };
    const { applied, live, childrenToPrune } = await applyChildren(deps, step, snapshot.live, this.#signal);
    children.removed(childrenToPrune);
    return { ...snapshot, applied, live };
  }
}
