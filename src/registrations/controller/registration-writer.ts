import type { KubeObject } from '#kube/object.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { warning } from '#loop/note.ts';
import { Newest } from '#loop/owned/newest.ts';
import { replaceStatus } from '#loop/owned/write.ts';
import {
  registrationEvents,
  registrationStatus,
  type RegistrationView,
} from '#registrations/decide/registration-status.ts';
import type { RegistrationObject } from '#registrations/model/registration-object.ts';
import { registrationObject } from '#registrations/read.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { registrations } from './resources.ts';

export type RegistrationWriterDeps = Pick<ControlDeps, 'client' | 'clock'> & {
  readonly events: EventRecorder;
};

/** Writes registrations and their events. Remembers each write until the informer shows it. */
export class RegistrationWriter {
  readonly #deps: RegistrationWriterDeps;
  readonly #newest = new Newest();
  /** Warnings that were recorded, by registration. */
  readonly #warned = new Map<string, ReadonlySet<string>>();

  constructor(deps: RegistrationWriterDeps) {
    this.#deps = deps;
  }

  /** A registration as the informer shows it, or as it was written since. */
  newest(shown: KubeObject): RegistrationObject {
    return registrationObject(this.#newest.of(shown));
  }

  /** The registration with our finalizer; undefined when it was deleted meanwhile. */
  async withFinalizer(
    { object }: RegistrationObject,
    signal: AbortSignal,
  ): Promise<RegistrationObject | undefined> {
    const held = hasFinalizer(object)
      ? object
      : await addFinalizer(this.#deps.client, registrations, object, signal);
    if (held === undefined) return undefined;
    this.#newest.note(held);
    return registrationObject(held);
  }

  async removeFinalizer({ object }: RegistrationObject, signal: AbortSignal): Promise<void> {
    const written = await removeFinalizer(this.#deps.client, registrations, object, signal);
    if (written !== undefined) this.#newest.note(written);
  }

  /** Records each warning about the spec once. */
  warn({ object, name, spec }: RegistrationObject): void {
    if (spec.type === 'refused') return;
    const warned = this.#warned.get(name) ?? new Set();
    for (const each of spec.warnings)
      if (!warned.has(each)) this.#deps.events.record(object, warning('Doubtful', each));
    this.#warned.set(name, new Set([...warned, ...spec.warnings]));
  }

  /**
   * Writes the status and records what changed. After a conflict the event of the newer version starts another reconcile:
   * trying again before it comes would conflict again.
   */
  async write(registration: RegistrationObject, view: RegistrationView, signal: AbortSignal): Promise<void> {
    const { client, clock, events } = this.#deps;
    const { object, uid } = registration;
    const status = registrationStatus(registration, view, clock.now());
    const written = await replaceStatus(client, registrations, { object, status }, signal);
    if (written === undefined) {
      this.#newest.forget(uid);
      return;
    }
    this.#newest.note(written);
    for (const event of registrationEvents(registration, view)) events.record(object, event);
  }

  forget(name: string): void {
    this.#warned.delete(name);
  }
}
