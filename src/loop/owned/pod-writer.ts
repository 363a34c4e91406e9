import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Expectations } from '#loop/expectations.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { normal, warning } from '#loop/note.ts';
import { reasonOf } from '#loop/report.ts';
import { nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { pods } from './resources.ts';
import { isTerminating, Refused, removeAsSeen, removeAtOnce, removeObject } from './write.ts';

export type PodWriterDeps = {
  readonly client: Pick<KubeClient, 'create' | 'remove'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly expectations: Expectations;
  /** The verb in the reason of the event about a deletion: `Delete` unless given, as in `SuccessfulDelete`. */
  readonly verb?: string;
  /** Pods are deleted with a grace period of 0, if they have not changed since they were read. */
  readonly isForced?: boolean;
  /** Pods are deleted only if they have not changed since they were read. */
  readonly mustBeAsSeen?: boolean;
  /** Told of a pod whose creation or deletion was not confirmed: it may have been carried out, or still arrive. */
  readonly unconfirmed?: (pod: KubeObject) => void;
  /** Whether a pod may exist since an earlier attempt: then the refusal to create it again is no failure. */
  readonly mayExist?: (pod: KubeObject) => boolean;
};

/** Whose pods they are, and under which key its expectations are kept. */
export type PodOwner = { readonly key: string; readonly owner: KubeObject };

/** The first refusal of a creation or deletion of pods. */
export type PodWriteFailure = { readonly reason: 'FailedCreate' | 'FailedDelete'; readonly message: string };

/** The failure is in an event and in a condition already; what remains is to retry. */
export class PodsRefused extends Error {
  constructor({ message }: { readonly message: string }) {
    super(message);
    this.name = 'PodsRefused';
  }
}

const widest = 64;

export class PodWriter {
  readonly #deps: PodWriterDeps;

  constructor(deps: PodWriterDeps) {
    this.#deps = deps;
  }

  /** Creates one pod, then two, then four at a time: an invalid template is refused once, not a thousand times. */
  async create(
    whose: PodOwner,
    wanted: readonly KubeObject[],
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    const { expectations } = this.#deps;
    expectations.expectCreations(whose.key, wanted.map(nameOf));
    let at = 0;
    try {
      for (let width = 1; at < wanted.length; width = Math.min(width * 2, widest)) {
        const batch = wanted.slice(at, at + width);
        at += batch.length;
        const trouble = await allOf(batch, (pod) => this.#createOne(whose, pod, signal));
        if (trouble !== undefined) return trouble;
      }
      return undefined;
    } catch (error) {
      this.#recordLost(whose, { reason: 'FailedCreate', what: 'creating' }, error, signal);
      throw error;
    } finally {
      // What was not tried will not be seen.
      for (const pod of wanted.slice(at)) expectations.creationSeen(whose.key, nameOf(pod));
    }
  }

  async remove(
    whose: PodOwner,
    victims: readonly KubeObject[],
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    const { expectations } = this.#deps;
    expectations.expectDeletions(whose.key, victims.map(uidOf));
    let at = 0;
    try {
      while (at < victims.length) {
        const batch = victims.slice(at, at + widest);
        at += batch.length;
        const trouble = await allOf(batch, (pod) => this.#removeOne(whose, pod, signal));
        if (trouble !== undefined) return trouble;
      }
      return undefined;
    } catch (error) {
      this.#recordLost(whose, { reason: `Failed${this.#verb}`, what: 'deleting' }, error, signal);
      throw error;
    } finally {
      for (const pod of victims.slice(at)) expectations.deletionSeen(whose.key, uidOf(pod));
    }
  }

  /** One event for all pods whose requests were not answered. */
  #recordLost(
    { owner }: PodOwner,
    { reason, what }: { readonly reason: string; readonly what: string },
    error: unknown,
    signal: AbortSignal,
  ): void {
    if (!signal.aborted)
      this.#deps.events.record(owner, warning(reason, `Error ${what}: ${reasonOf(error)}`));
  }

  async #createOne(
    { key, owner }: PodOwner,
    pod: KubeObject,
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    const { client, events, expectations, unconfirmed, mayExist } = this.#deps;
    const seen = (): void => expectations.creationSeen(key, nameOf(pod));
    const outcome = await forExpectation(client.create(pods, pod, signal), seen).catch((error: unknown) => {
      unconfirmed?.(pod);
      throw error;
    });
    if (outcome.type === 'exists' && mayExist?.(pod) === true) {
      // It arrived after it was looked for.
      unconfirmed?.(pod);
      return undefined;
    }
    if (outcome.type === 'ok') {
      expectations.created(key, outcome.object);
      events.record(owner, normal('SuccessfulCreate', `Created pod: ${nameOf(outcome.object)}`));
      return undefined;
    }
    if (!isTerminating(outcome)) {
      events.record(owner, warning('FailedCreate', `Error creating: ${outcome.message}`));
    }
    return { reason: 'FailedCreate', message: outcome.message };
  }

  get #verb(): string {
    return this.#deps.verb ?? 'Delete';
  }

  get #removal(): typeof removeObject {
    const { isForced = false, mustBeAsSeen = false } = this.#deps;
    if (isForced) return removeAtOnce;
    return mustBeAsSeen ? removeAsSeen : removeObject;
  }

  async #removeOne(
    { key, owner }: PodOwner,
    pod: KubeObject,
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    const { client, events, expectations, unconfirmed } = this.#deps;
    try {
      const result = await this.#removal(client, pods, pod, signal);
      // Its deletion may have been seen before it was expected.
      if (result === 'gone') {
        expectations.deletionSeen(key, uidOf(pod));
        return undefined;
      }
      expectations.deleted(key, pod);
      events.record(owner, normal(`Successful${this.#verb}`, `Deleted pod: ${nameOf(pod)}`));
      return undefined;
    } catch (error) {
      expectations.deletionSeen(key, uidOf(pod));
      if (!(error instanceof Refused)) {
        unconfirmed?.(pod);
        throw error;
      }
      events.record(owner, warning(`Failed${this.#verb}`, `Error deleting: ${error.message}`));
      return { reason: 'FailedDelete', message: error.message };
    }
  }
}

/** What was refused, or failed, will not be seen. */
async function forExpectation(asked: Promise<Outcome>, seen: () => void): Promise<Outcome> {
  try {
    const outcome = await asked;
    if (outcome.type !== 'ok') seen();
    return outcome;
  } catch (error) {
    seen();
    throw error;
  }
}

/** Waits for the whole batch, then returns the first failure. */
async function allOf(
  batch: readonly KubeObject[],
  each: (pod: KubeObject) => Promise<PodWriteFailure | undefined>,
): Promise<PodWriteFailure | undefined> {
  const results = await Promise.allSettled(batch.map(each));
  const thrown = results.find((result) => result.status === 'rejected');
  if (thrown !== undefined) throw thrown.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))[0];
}
