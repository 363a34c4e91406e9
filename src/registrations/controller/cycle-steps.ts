import type { CycleFacts, Finish, HookAnswer, Step } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { gateRunName } from '#registrations/decide/gate.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import type { ObjectReference } from '#registrations/decide/registration.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { applyChildren, inTheWay, type ApplyStep } from './apply-children.ts';
import { removeFormerRuns } from './gate-watch.ts';
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

export type CycleEnd = { readonly facts: CycleFacts; readonly finish: Finish };

/** More than any cycle takes. */
const mostSteps = 40;

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
  async begin(instance: KubeObject): Promise<CycleFacts> {
    const { registration, kind, surroundings, clock, random, children } = this.#deps;
    const { tracked } = this.#about;
    const references = await this.#read(tracked.references);
    const facts: CycleFacts = {
      registration,
      kind,
      surroundings,
      instance,
      now: clock.now(),
      chance: random.next(),
      memory: tracked.memory,
      references,
      live: children.of(instance),
      answers: {},
    };
    return this.#withGate(facts);
  }

  /** Undefined: there is nothing more to do for the instance. */
  async run(begun: CycleFacts): Promise<CycleEnd | undefined> {
    let facts = begun;
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const step = decideReconcile(facts);
      if (step.type === 'finish') return { facts, finish: step };
      const next = await this.#do(step, facts);
      if (next === undefined) return undefined;
      facts = { ...next, now: this.#deps.clock.now() };
    }
    throw new Error(`no end after ${mostSteps} steps`);
  }

  async #do(step: Exclude<Step, Finish>, facts: CycleFacts): Promise<CycleFacts | undefined> {
    const { client, resource, events } = this.#deps;
    const { instance } = facts;
    switch (step.type) {
      case 'fetch':
        return { ...facts, references: await this.#fetch(step.references, facts) };
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
        return { ...facts, answers: { ...facts.answers, [step.phase]: await this.#call(step) } };
      case 'create-run':
        return this.#createRun(step.run, facts);
      case 'apply':
        return this.#apply(step, facts);
    }
  }

  async #fetch(
    wanted: readonly ObjectReference[],
    { references }: CycleFacts,
  ): Promise<CycleFacts['references']> {
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

  async #call(step: Extract<Step, { type: 'call' }>): Promise<CycleFacts['answers'][typeof step.phase]> {
    const { line, figures } = this.#deps;
    if (line === undefined) throw new Error('a registration without a hook has nobody to call');
    const { tracked } = this.#about;
    const control = new AbortController();
    tracked.call = control;
    // Not `AbortSignal.any`: the signal of the controller would remember every call for as long as it lives.
    const pass = (): void => control.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', pass, { once: true });
    const order = { phase: step.phase, request: step.request, instance: this.#about.key };
    const call = (): Promise<HookAnswer> => line.call(order, control.signal);
    try {
      this.#signal.throwIfAborted();
      return await (figures === undefined ? call() : figures.measured(step.phase, call));
    } finally {
      this.#signal.removeEventListener('abort', pass);
      tracked.call = undefined;
    }
  }

  #withGate(facts: CycleFacts): CycleFacts {
    const { gate, registration } = this.#deps;
    if (gate === undefined || registration.gate === undefined) return facts;
    const namespace = namespaceOf(facts.instance);
    const template = gate.templates.get(namespace, registration.gate.templateName);
    const name = gateRunName(registration, facts.instance, template);
    return {
      ...facts,
      gate: { template, run: name === undefined ? undefined : gate.runs.get(namespace, name) },
    };
  }

  async #createRun(run: KubeObject, facts: CycleFacts): Promise<CycleFacts> {
    const { client, gate } = this.#deps;
    const created = await client.create(hookRuns, run, this.#signal);
    const key = { namespace: namespaceOf(run), name: nameOf(run) };
    const outcome = created.type === 'exists' ? await client.get(hookRuns, key, this.#signal) : created;
    if (outcome.type !== 'ok') throw new Refused(outcome);
    const about = { instance: facts.instance, current: outcome.object };
    if (gate !== undefined) await removeFormerRuns(this.#deps, gate.runs, about, this.#signal);
    return { ...facts, gate: { template: facts.gate?.template, run: outcome.object } };
  }

  async #apply(step: ApplyStep, facts: CycleFacts): Promise<CycleFacts> {
    const { client, children } = this.#deps;
    const deps = { client, wrote: (child: KubeObject) => children.wrote(child) };
    const found = await inTheWay(deps, step, facts.live, this.#signal);
    // What to think of them is for whoever decides.
    if (found.length > 0) return { ...facts, live: [...facts.live, ...found] };
    const { applied, live, pruned } = await applyChildren(deps, step, facts.live, this.#signal);
    children.removed(pruned);
    return { ...facts, applied, live };
  }
}
