import { equalJson } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Address } from '#registrations/decide/address.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { ControllerEnvironment, Registration } from '#registrations/model/registration.ts';
import { startDeletionGuard, type DeletionGuard } from './deletion-guard.ts';
import { HookEndpoints } from './hook-endpoints.ts';
import type { WithLastCalls } from './last-calls.ts';
import { startInstanceController, type InstanceController } from './instance-controller.ts';

export type RunningRegistrationsDeps = ControlDeps &
  WithLastCalls & {
    readonly environment: ControllerEnvironment;
    readonly events: EventRecorder;
    /** Reconciles a registration again. */
    readonly requeue: (name: string) => void;
  };

type Running =
  | { readonly type: 'controller'; readonly controller: InstanceController }
  | { readonly type: 'guard'; readonly guard: DeletionGuard };

/** What runs for each registration: a controller of its instances, a deletion guard, or nothing. */
export class RunningRegistrations {
  readonly #deps: RunningRegistrationsDeps;
  readonly #endpoints: HookEndpoints;
  readonly #running = new Map<string, Running>();

  constructor(deps: RunningRegistrationsDeps) {
    this.#deps = deps;
    this.#endpoints = new HookEndpoints(deps);
  }

  controller(name: string): InstanceController | undefined {
    const running = this.#running.get(name);
    return running?.type === 'controller' ? running.controller : undefined;
  }

  /** The controller of a registration. A new generation of it, or another kind, starts a new controller. */
  async serve(registration: Registration, kind: InstanceKind): Promise<InstanceController> {
    const { name, uid, generation, hook } = registration;
    const known = this.controller(name);
    const isSame =
      known !== undefined &&
      known.registration.uid === uid &&
      known.registration.generation === generation &&
      equalJson(known.kind, kind);
    if (isSame) return known;
    await this.stop(name);
    const changed = (): void => this.#deps.requeue(name);
    const hookClient = hook === undefined ? undefined : this.#endpoints.client(name, hook, changed);
    const controller = startInstanceController({ ...this.#deps, registration, kind, hookClient, changed });
    this.#running.set(name, { type: 'controller', controller });
    return controller;
  }

  /** Keeps deleted instances of an invalid registration until it is corrected. */
  async guard(registration: string, kind: InstanceKind, why: string): Promise<void> {
    const known = this.#running.get(registration);
    if (known?.type === 'guard' && known.guard.why === why && equalJson(known.guard.kind, kind)) return;
    await this.stop(registration);
    const guard = startDeletionGuard({ ...this.#deps, registration, kind, why });
    this.#running.set(registration, { type: 'guard', guard });
  }

  /** Resolves the address of the hook. A changed address or credential concerns all instances. */
  async resolveHook(controller: InstanceController, signal: AbortSignal): Promise<Address | undefined> {
    const { registration, hookClient } = controller;
    if (registration.hook === undefined || hookClient === undefined) return undefined;
    const before = hookClient.endpointVersion;
    const hook = { hook: registration.hook, hookClient };
    const address = await this.#endpoints.resolveEndpoint(registration, hook, signal);
    if (before !== hookClient.endpointVersion) this.controller(registration.name)?.requeueAll();
    return address;
  }

  async stop(name: string): Promise<void> {
    const known = this.#running.get(name);
    this.#running.delete(name);
    this.#endpoints.release(name);
    if (known !== undefined) await closeOf(known);
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all([this.#endpoints.close(), ...all.map(closeOf)]);
  }
}

const closeOf = (running: Running): Promise<void> =>
  running.type === 'controller' ? running.controller.close() : running.guard.close();
