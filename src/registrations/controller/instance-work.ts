import { later, millis, minutes, seconds, type Instant } from '#base/time.ts';
import type { CycleFacts, Finish } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import type { Delta } from '#loop/delta.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import { backOff } from '#base/back-off.ts';
import { warning } from '#loop/note.ts';
import { Newest } from '#loop/owned/newest.ts';
import { isStale, Refused } from '#loop/owned/write.ts';
import { until } from '#loop/owned/until.ts';
import { reasonOf } from '#loop/report.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { Cycle, Superseded, type CycleEnd } from './cycle-steps.ts';
import { fingerprintOf, questionOf } from './fingerprint.ts';
import type { InstanceDeps } from './instance-deps.ts';
import { unpackedInstance } from './packed-instance.ts';
import { Unreadable } from './reference-watch.ts';
import { answersToKeep } from './remembered-answers.ts';
import { TrackedInstance } from './tracked-instance.ts';

/** A cycle of ours that failed has called the hook: the next one does not come at once. */
const afterFailures = { first: seconds(1), longest: minutes(5) };

/** Whoever asks to be asked again at once is asked no sooner than this. */
const soonest = seconds(1);

/** One reconciliation after another of the instances of a registration. */
export class InstanceWork {
  readonly #deps: InstanceDeps;
  readonly #tracked = new Map<string, TrackedInstance>();
  readonly #newest = new Newest();

  constructor(deps: InstanceDeps) {
    this.#deps = deps;
  }

  /** Takes in a change of an instance. A call about one that is deleted meanwhile is given up. */
  observe(delta: Delta): readonly string[] {
    const { object } = delta;
    const key = keyOf(object);
    const isGoing =
      delta.type === 'deleted' || (delta.type === 'updated' && isDeleting(object) && !isDeleting(delta.old));
    if (delta.type === 'deleted') this.#newest.forget(uidOf(object));
    if (isGoing) this.#tracked.get(key)?.call?.abort(new Superseded());
    return [key];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.instances.get(namespace, name);
    if (shown === undefined) {
      this.#tracked.delete(key);
      this.#deps.references.release(key);
      return settled;
    }
    const instance = unpackedInstance(this.#newest.of(shown));
    const tracked = this.#track(key, instance);
    try {
      const next = await this.#look(key, tracked, instance, signal);
      tracked.failures = 0;
      return next;
    } catch (error) {
      return this.#failed(tracked, instance, error, signal);
    }
  }

  #track(key: string, instance: KubeObject): TrackedInstance {
    const known = this.#tracked.get(key);
    if (known?.uid === uidOf(instance)) return known;
    const made = new TrackedInstance(instance, this.#deps.clock);
    this.#tracked.set(key, made);
    return made;
  }

  async #look(
    key: string,
    tracked: TrackedInstance,
    instance: KubeObject,
    signal: AbortSignal,
  ): Promise<Next> {
    const { clock } = this.#deps;
    const cycle = new Cycle(this.#deps, { key, tracked }, signal);
    const facts = await cycle.begin(instance);
    const isDue = tracked.isDue(clock.now());
    if (!isDue && tracked.fingerprint === this.#fingerprint(facts)) return until(clock, tracked.dueAt);
    const isKnown = !isDue && this.#isAnswered(tracked, facts);
    const wait = isKnown ? 0 : tracked.brake.take(facts.live.length);
    if (wait > 0) {
      if (tracked.brake.tellOnce()) this.#deps.events.record(instance, warning('ReconcileLoop', loopMessage));
      return wake(millis(wait));
    }
    const end = await cycle.run(isKnown ? withAnswers(facts, tracked) : facts);
    if (end === undefined) return settled;
    const written = await this.#write(end.facts, end.finish, signal);
    if (written === undefined) return settled;
    for (const said of end.finish.events) this.#deps.events.record(instance, said);
    this.#deps.figures?.reconciled(end.finish.outcome);
    this.#remember(tracked, end, isKnown);
    return until(clock, tracked.dueAt);
  }

  #remember(tracked: TrackedInstance, { facts, finish }: CycleEnd, isKnown: boolean): void {
    const { clock } = this.#deps;
    // Only an answer that was asked for anew shows whether the hook changes its answers.
    const { moods } = isKnown ? tracked.memory : finish.memory;
    tracked.memory = { ...finish.memory, moods };
    tracked.fingerprint = this.#fingerprint(facts);
    const answers = answersToKeep(facts);
    tracked.answered = answers && { about: this.#question(facts), answers };
    const { after } = finish;
    const dueAt = after === undefined ? undefined : later(clock.now(), millis(Math.max(after, soonest)));
    // An answer that was not asked for anew does not put off when it is asked for next.
    tracked.dueAt = isKnown ? earlier(tracked.dueAt, dueAt) : dueAt;
  }

  #fingerprint({ instance, live, references, gate }: CycleFacts): string {
    const others = [...references.values(), gate?.template, gate?.run];
    return fingerprintOf({ instance, children: live, others, place: this.#deps.line?.place ?? '' });
  }

  /** Without an answer that is kept nothing needs to be compared. */
  #isAnswered({ answered }: TrackedInstance, facts: CycleFacts): boolean {
    if (answered === undefined || isDeleting(facts.instance)) return false;
    return answered.about === this.#question(facts);
  }

  #question({ instance, live, references }: CycleFacts): string {
    const others = [...references.values()];
    return questionOf({ instance, children: live, others, place: this.#deps.line?.place ?? '' });
  }

  /** Undefined when the instance has changed or gone meanwhile: news of it will come. */
  async #write(facts: CycleFacts, { status }: Finish, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, resource } = this.#deps;
    const { instance } = facts;
    if (status === undefined) return instance;
    const outcome = await client.updateStatus(resource, { ...instance, status }, signal);
    if (outcome.type === 'ok') {
      this.#newest.note(outcome.object);
      return outcome.object;
    }
    if (outcome.type === 'not-found') return undefined;
    if (outcome.type !== 'conflict') throw new Refused(outcome);
    const fresh = await client.get(
      resource,
      { namespace: namespaceOf(instance), name: nameOf(instance) },
      signal,
    );
    if (fresh.type === 'not-found') return undefined;
    if (fresh.type !== 'ok' || !isSameCase(facts, fresh.object)) throw new Refused(outcome);
    // Nobody changed what was decided by, so the hook need not be asked again; what others wrote stays.
    const anew = { ...facts, instance: fresh.object };
    const step = decideReconcile(anew);
    if (step.type !== 'finish') throw new Refused(outcome);
    return this.#write(anew, step, signal);
  }

  #failed(tracked: TrackedInstance, instance: KubeObject, error: unknown, signal: AbortSignal): Next {
    signal.throwIfAborted();
    if (error instanceof Superseded) return settled;
    if (isStale(error)) {
      this.#newest.forget(tracked.uid);
      throw error;
    }
    const { registration, random, report, events, figures } = this.#deps;
    tracked.failures += 1;
    tracked.fingerprint = undefined;
    const why = reasonOf(error);
    figures?.reconciled('interrupted');
    report('an instance could not be reconciled', {
      registration: registration.name,
      instance: keyOf(instance),
      failures: tracked.failures,
      why,
    });
    if (error instanceof Refused || error instanceof Unreadable)
      events.record(instance, warning('ReconcileRefused', why));
    return wake(backOff(tracked.failures, random.next(), afterFailures));
  }
}

const withAnswers = (facts: CycleFacts, { answered }: TrackedInstance): CycleFacts => ({
  ...facts,
  answers: answered?.answers ?? {},
});

const earlier = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const loopMessage =
  'It changes as often as it is reconciled, so it is reconciled every 2 seconds only: does the hook answer differently each time, or does somebody else write its children?';

const isSameCase = ({ instance }: CycleFacts, fresh: KubeObject): boolean => {
  const print = (object: KubeObject): string =>
    fingerprintOf({ instance: object, children: [], others: [], place: '' });
  return print(instance) === print(fresh);
};
