import { equalJson, isObject, listAt, textAt, type Json } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { seconds } from '#base/time.ts';
import { publicUrl, type Address } from '#registrations/decide/address.ts';
import { inspectCrd, type Inspected, type InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { readRegistration } from '#registrations/read.ts';
import type { Registration, ControllerEnvironment } from '#registrations/model/registration.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { warning } from '#loop/note.ts';
import { Newest } from '#loop/owned/newest.ts';
import { replaceStatus } from '#loop/owned/write.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { isDeleting, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { startDeletionGuard, type DeletionGuard } from './deletion-guard.ts';
import { HookEndpoints } from './hook-endpoints.ts';
import { startInstanceController, type InstanceController } from './instance-controller.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { servingRegistration } from './serving-registration.ts';
import {
  crdExists,
  no,
  registrationStatus,
  started,
  unknown,
  type RegistrationView,
  type ConditionValue,
} from './registration-status.ts';
import { releaseInstances } from './release-instances.ts';
import { registrations } from './resources.ts';

export type RegistrationWorkDeps = ControlDeps & {
  readonly environment: ControllerEnvironment;
  readonly registrations: Informer;
  readonly definitions: Informer;
  readonly requeue: (name: string) => void;
};

/** What stands in the way now may be gone then: kinds that come, and rights, tell nobody. */
const later = { address: seconds(30), release: seconds(10) };

/** Sees to it that every registration that can be served is, by a controller of its own, and says why others are not. */
export class RegistrationWork {
  readonly #deps: RegistrationWorkDeps;
  readonly #events: EventRecorder;
  readonly #running = new Map<string, InstanceController>();
  readonly #guards = new Map<string, DeletionGuard>();
  readonly #endpoints: HookEndpoints;
  readonly #newest = new Newest();
  /** Warnings that were told, by registration. */
  readonly #told = new Map<string, ReadonlySet<string>>();

  constructor(deps: RegistrationWorkDeps) {
    this.#deps = deps;
    this.#events = deps.recorder('crdregistration-controller');
    this.#endpoints = new HookEndpoints(deps);
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    const shown = this.#deps.registrations.get('', name);
    if (shown === undefined) return this.#gone(name, signal);
    const registration = this.#newest.of(shown);
    if (isDeleting(registration)) return this.#release(registration, signal);
    const object = hasFinalizer(registration)
      ? registration
      : await addFinalizer(this.#deps.client, registrations, registration, signal);
    if (object === undefined) return settled;
    this.#newest.note(object);
    const view = await this.#serve(object, signal);
    await this.#write(object, view, signal);
    return view.controller.reason === 'HOOKFAILED' ? wake(later.address) : settled;
  }

  async close(): Promise<void> {
    const all = [...this.#running.values(), ...this.#guards.values()];
    this.#running.clear();
    this.#guards.clear();
    await Promise.all([this.#endpoints.close(), ...all.map((each) => each.close())]);
  }

  /** Normally its instances were let go before it; whoever tears off finalizers leaves that to us. */
  async #gone(name: string, signal: AbortSignal): Promise<Next> {
    const left = this.#running.get(name);
    await left?.close();
    const problem = left === undefined ? undefined : await this.#letGo(left.registration, signal);
    if (problem !== undefined) {
      this.#deps.report('instances of a registration that is gone could not be let go', {
        registration: name,
        why: problem,
      });
      return wake(later.release);
    }
    await this.#stop(name);
    this.#told.delete(name);
    for (const labels of [{ registration: name }, { controller: `crdregistration ${name}` }])
      this.#deps.metrics?.forget(labels);
    return settled;
  }

  /** Why instances could not be let go; those of a registration that was never served are another's. */
  async #letGo(
    { crd, uid }: Pick<Registration, 'crd' | 'uid'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { client, definitions } = this.#deps;
    const definition = definitions.get('', crd);
    const owner = servingRegistration(this.#deps.registrations.list(), crd);
    const isAnothers = owner !== undefined && uidOf(owner) !== uid;
    // Instances without a namespace were never ours.
    if (definition === undefined || isAnothers || textAt(definition, 'spec', 'scope') === 'Cluster')
      return undefined;
    const inspected = inspectCrd(definition);
    if (inspected.type === 'usable') return releaseInstances(client, inspected.kind, signal);
    return `nobody can reach the instances to take our finalizer off them: ${inspected.message}`;
  }

  /** Stops the controller and lets all instances go, and then the registration. */
  async #release(object: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, definitions } = this.#deps;
    await this.#stop(nameOf(object));
    if (!hasFinalizer(object)) return settled;
    const crd = crdOf(object);
    const problem = await this.#letGo({ crd, uid: uidOf(object) }, signal);
    if (problem !== undefined) {
      const controller = no('RELEASEFAILED', problem);
      const view = { crd: crdVerdict(crd, definitions.get('', crd)), controller, hookUrl: undefined };
      await this.#write(object, view, signal);
      return wake(later.release);
    }
    const written = await removeFinalizer(client, registrations, object, signal);
    if (written !== undefined) this.#newest.note(written);
    return settled;
  }

  async #serve(object: KubeObject, signal: AbortSignal): Promise<RegistrationView> {
    const name = nameOf(object);
    const { definitions } = this.#deps;
    const read = readRegistration(object);
    const crdName = crdOf(object);
    const definition = definitions.get('', crdName);
    const crd = crdVerdict(crdName, definition);
    const refuse = async (controller: ConditionValue): Promise<RegistrationView> => {
      await this.#stop(name);
      return { crd, controller, hookUrl: undefined };
    };
    const owner = servingRegistration(this.#deps.registrations.list(), crdName);
    const isAnothers = owner !== undefined && uidOf(owner) !== uidOf(object);
    if (read.type === 'refused') {
      const why = read.errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
      await this.#careFor(name, isAnothers ? undefined : usableKind(definition), why);
      const isOfHook = read.errors.every(({ field }) => field.startsWith('spec.hook'));
      const reason = isOfHook ? 'HOOKINVALID' : 'REGISTRATIONINVALID';
      return { crd, controller: no(reason, why), hookUrl: undefined };
    }
    this.#warn(object, read.warnings);
    if (isAnothers)
      return refuse(
        no(
          'CRDTAKEN',
          `CRDRegistration ${nameOf(owner)} already serves ${crdName}: a CRD has one registration`,
        ),
      );
    const inspected: Inspected | undefined = definition === undefined ? undefined : inspectCrd(definition);
    if (definition === undefined || crd.status !== 'True' || inspected === undefined)
      return refuse(unknown('UNKNOWN', `waits for CustomResourceDefinition ${crdName}`));
    if (inspected.type === 'unusable') return refuse(no('CONTROLLERFAILED', inspected.message));
    const controller = await this.#ensure(read.registration, inspected.kind);
    const address = await this.#resolveEndpoint(controller, signal);
    const state = stateOf(controller, address, object);
    return { crd, controller: state, hookUrl: shownUrl(address), hook: controller.hookClient?.health };
  }

  /** In endpointVersion of the controller of a registration that nobody can serve. */
  async #careFor(name: string, kind: InstanceKind | undefined, why: string): Promise<void> {
    const known = this.#guards.get(name);
    if (known !== undefined && known.why === why && equalJson(known.kind, kind ?? null)) return;
    await this.#stop(name);
    if (kind === undefined) return;
    const made = startDeletionGuard({ ...this.#deps, events: this.#events, registration: name, kind, why });
    this.#guards.set(name, made);
  }

  /** The controller for this state of registration and kind; another state needs another (D-02). */
  async #ensure(registration: Registration, kind: InstanceController['kind']): Promise<InstanceController> {
    const known = this.#running.get(registration.name);
    if (known !== undefined) {
      const isSame =
        known.registration.uid === registration.uid &&
        known.registration.generation === registration.generation &&
        equalJson(known.kind, kind);
      if (isSame) return known;
    }
    await this.#stop(registration.name);
    const { environment, requeue } = this.#deps;
    const { hook } = registration;
    const changed = (): void => requeue(registration.name);
    const hookClient = hook === undefined ? undefined : this.#endpoints.client(hook, changed);
    const made = startInstanceController({
      ...this.#deps,
      environment,
      events: this.#events,
      registration,
      kind,
      hookClient,
      changed,
    });
    this.#running.set(registration.name, made);
    return made;
  }

  /** A change of where the hook is, or of what is needed to call it, concerns all instances. */
  async #resolveEndpoint(
    { registration, hookClient }: InstanceController,
    signal: AbortSignal,
  ): Promise<Address | undefined> {
    const { hook } = registration;
    if (hook === undefined || hookClient === undefined) return undefined;
    const before = hookClient.endpointVersion;
    const address = await this.#endpoints.resolveEndpoint(registration, { hook, hookClient }, signal);
    if (before !== hookClient.endpointVersion) this.#running.get(registration.name)?.requeueAll();
    return address;
  }

  #warn(object: KubeObject, warnings: readonly string[]): void {
    const name = nameOf(object);
    const told = this.#told.get(name) ?? new Set();
    for (const each of warnings) if (!told.has(each)) this.#events.record(object, warning('Doubtful', each));
    this.#told.set(name, new Set([...told, ...warnings]));
  }

  async #write(object: KubeObject, view: RegistrationView, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#deps;
    const status = registrationStatus(object, view, clock.now());
    const written = await replaceStatus(client, registrations, { object, status }, signal);
    if (written === undefined) {
      this.#newest.forget(uidOf(object));
      this.#deps.requeue(nameOf(object));
      return;
    }
    this.#newest.note(written);
    const { status: state, reason, message } = view.controller;
    const before = conditionOf(object, 'ControllerReady');
    const isNews = textAt(before, 'reason') !== reason || textAt(before, 'message') !== message;
    if (state === 'False' && isNews) this.#events.record(object, warning(reason, message));
    const wasReached = textAt(conditionOf(object, 'HookHealthy'), 'status') !== 'False';
    if (view.hook?.type === 'unreachable' && wasReached)
      this.#events.record(object, warning('HookUnreachable', view.hook.message));
  }

  async #stop(name: string): Promise<void> {
    const known = this.#running.get(name);
    const guard = this.#guards.get(name);
    this.#running.delete(name);
    this.#guards.delete(name);
    this.#endpoints.release(name);
    await Promise.all([known?.close(), guard?.close()]);
  }
}

const usableKind = (definition: KubeObject | undefined): InstanceKind | undefined => {
  const inspected = definition === undefined ? undefined : inspectCrd(definition);
  return inspected?.type === 'usable' ? inspected.kind : undefined;
};

const crdOf = (object: KubeObject): string => textAt(object, 'spec', 'crd') ?? '';

function crdVerdict(name: string, definition: KubeObject | undefined): ConditionValue {
  if (definition === undefined) return no('CRDERROR', `there is no CustomResourceDefinition ${name}`);
  const isEstablished = listAt(definition, 'status', 'conditions')
    .filter(isObject)
    .some((each) => each['type'] === 'Established' && each['status'] === 'True');
  return isEstablished
    ? crdExists
    : unknown('UNKNOWN', `CustomResourceDefinition ${name} is not established so far`);
}

function stateOf(
  controller: InstanceController,
  address: Address | undefined,
  object: KubeObject,
): ConditionValue {
  const state = controller.state();
  if (state.type === 'failed') return no('CONTROLLERFAILED', state.message);
  if (address?.type === 'unresolved') return no('HOOKFAILED', address.message);
  // A new start takes a moment, which is not worth two writes.
  const isStarted =
    state.type === 'running' || textAt(conditionOf(object, 'ControllerReady'), 'status') === 'True';
  return isStarted ? started : unknown('UNKNOWN', 'the controller is starting');
}

const conditionOf = (object: KubeObject, type: string): Json | undefined =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type);

const shownUrl = (address: Address | undefined): string | undefined =>
  address?.type === 'address' ? publicUrl(address.url) : undefined;
