import { seconds } from '#base/time.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import {
  crdCondition,
  decideRegistration,
  type RegistrationSnapshot,
} from '#registrations/decide/decide-registration.ts';
import { isFalse, servedView, type RegistrationView } from '#registrations/decide/registration-status.ts';
import type { RegistrationObject } from '#registrations/model/registration-object.ts';
import type { ControllerEnvironment } from '#registrations/model/registration.ts';
import { hasFinalizer } from './instance-finalizer.ts';
import type { WithLastCalls } from './last-calls.ts';
import { registrationSnapshot } from './registration-snapshot.ts';
import { RegistrationWriter } from './registration-writer.ts';
import { releaseInstances } from './release-instances.ts';
import { RunningRegistrations } from './running-registrations.ts';

export type RegistrationReconcilerDeps = ControlDeps &
  WithLastCalls & {
    readonly environment: ControllerEnvironment;
    readonly registrations: Informer;
    readonly definitions: Informer;
    /** Reconciles a registration again. */
    readonly requeue: (name: string) => void;
  };

/** No watch reports a kind that is installed later, or a permission that is granted later. */
const retryAfter = { address: seconds(30), release: seconds(10) };

/** Runs a controller for every registration that can be served, and reports why the others are not. */
export class RegistrationReconciler {
  readonly #deps: RegistrationReconcilerDeps;
  readonly #running: RunningRegistrations;
  readonly #writer: RegistrationWriter;

  constructor(deps: RegistrationReconcilerDeps) {
    const events = deps.recorder('crdregistration-controller');
    this.#deps = deps;
    this.#running = new RunningRegistrations({ ...deps, events });
    this.#writer = new RegistrationWriter({ ...deps, events });
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    const shown = this.#deps.registrations.get('', name);
    if (shown === undefined) return this.#forget(name, signal);
    const newest = this.#writer.newest(shown);
    if (newest.isDeleting) return this.#release(newest, signal);
    const registration = await this.#writer.withFinalizer(newest, signal);
    if (registration === undefined) return settled;
    const snapshot = registrationSnapshot(this.#deps, registration);
    const view = await this.#act(snapshot, signal);
    await this.#writer.write(registration, view, signal);
    return view.controller.reason === 'HOOKFAILED' ? wake(retryAfter.address) : settled;
  }

  close(): Promise<void> {
    return this.#running.close();
  }

  async #act(snapshot: RegistrationSnapshot, signal: AbortSignal): Promise<RegistrationView> {
    const { registration } = snapshot;
    const crd = crdCondition(snapshot);
    const decision = decideRegistration(snapshot);
    this.#writer.warn(registration);
    switch (decision.type) {
      case 'stop':
        await this.#running.stop(registration.name);
        return { crd, controller: decision.controller, hookUrl: undefined };
      case 'guard':
        await this.#running.guard(registration.name, decision.kind, decision.why);
        return { crd, controller: decision.controller, hookUrl: undefined };
      case 'serve': {
        const controller = await this.#running.serve(decision.registration, decision.kind);
        const address = await this.#running.resolveHook(controller, signal);
        const health = controller.hookClient?.health;
        return servedView(registration, crd, { controller: controller.state(), address, health });
      }
    }
  }

  /** Stops the controller, removes the finalizer from all instances, and then from the registration. */
  async #release(registration: RegistrationObject, signal: AbortSignal): Promise<Next> {
    await this.#running.stop(registration.name);
    if (!hasFinalizer(registration.object)) return settled;
    const problem = await releaseInstances(this.#deps, registration, signal);
    if (problem === undefined) {
      await this.#writer.removeFinalizer(registration, signal);
      return settled;
    }
    const crd = crdCondition(registrationSnapshot(this.#deps, registration));
    const view = { crd, controller: isFalse('RELEASEFAILED', problem), hookUrl: undefined };
    await this.#writer.write(registration, view, signal);
    return wake(retryAfter.release);
  }

  /** The instances still have the finalizer when a user removed that of the registration manually. */
  async #forget(name: string, signal: AbortSignal): Promise<Next> {
    const { report, metrics } = this.#deps;
    const left = this.#running.controller(name);
    await left?.close();
    const problem = left && (await releaseInstances(this.#deps, left.registration, signal));
    if (problem !== undefined) {
      const about = { registration: name, why: problem };
      report('instances of a deleted registration could not be released', about, 'warn');
      return wake(retryAfter.release);
    }
    await this.#running.stop(name);
    this.#writer.forget(name);
    for (const labels of [{ registration: name }, { controller: `crdregistration ${name}` }])
      metrics?.forget(labels);
    return settled;
  }
}
