import { equalJson, isObject, listAt, textAt, type Json } from '#base/json.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import { addressTarget, addressUrl, publicUrl, type Address } from '#decide/registration/address.ts';
import { inspectCrd, type Inspected } from '#decide/registration/inspect-crd.ts';
import { readRegistration } from '#decide/registration/read-registration.ts';
import type {
  HookSpec,
  ObjectReference,
  Registration,
  Surroundings,
} from '#decide/registration/registration.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { warning } from '#loop/note.ts';
import { Newest } from '#loop/owned/newest.ts';
import { replaceStatus } from '#loop/owned/write.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { isDeleting, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookObjects } from './hook-secrets.ts';
import { HookLine } from './hook-line.ts';
import { startInstanceController, type InstanceController } from './instance-controller.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { ReferenceWatch } from './reference-watch.ts';
import { ownerOf } from './registration-owner.ts';
import {
  crdExists,
  no,
  registrationStatus,
  started,
  unknown,
  type RegistrationView,
  type Verdict,
} from './registration-status.ts';
import { releaseInstances } from './release-instances.ts';
import { endpoints, registrations, services } from './resources.ts';
import { wayOfService } from './service-way.ts';

export type RegistrationWorkDeps = ControlDeps & {
  readonly surroundings: Surroundings;
  readonly registrations: Informer;
  readonly definitions: Informer;
  readonly again: (name: string) => void;
};

/** Sees to it that every registration that can be served is, by a controller of its own, and says why others are not. */
export class RegistrationWork {
  readonly #deps: RegistrationWorkDeps;
  readonly #events: EventRecorder;
  readonly #running = new Map<string, InstanceController>();
  readonly #references: ReferenceWatch;
  readonly #newest = new Newest();
  /** Warnings that were told, by registration. */
  readonly #told = new Map<string, ReadonlySet<string>>();

  constructor(deps: RegistrationWorkDeps) {
    this.#deps = deps;
    this.#events = deps.recorder('crdregistration-controller');
    this.#references = new ReferenceWatch({ ...deps, changed: deps.again });
  }

  async reconcile(name: string, signal: AbortSignal): Promise<Next> {
    const shown = this.#deps.registrations.get('', name);
    if (shown === undefined) {
      await this.#stop(name);
      return settled;
    }
    const registration = this.#newest.of(shown);
    if (isDeleting(registration)) return this.#release(registration, signal);
    const object = hasFinalizer(registration)
      ? registration
      : await addFinalizer(this.#deps.client, registrations, registration, signal);
    if (object === undefined) return settled;
    this.#newest.note(object);
    const view = await this.#serve(object, signal);
    await this.#write(object, view, signal);
    return settled;
  }

  async close(): Promise<void> {
    const controllers = [...this.#running.values()];
    this.#running.clear();
    await Promise.all([this.#references.close(), ...controllers.map((each) => each.close())]);
  }

  /** Stops the controller and lets all instances go, and then the registration. */
  async #release(object: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, definitions } = this.#deps;
    await this.#stop(nameOf(object));
    if (!hasFinalizer(object)) return settled;
    const crd = crdOf(object);
    const definition = definitions.get('', crd);
    const inspected = definition === undefined ? undefined : inspectCrd(definition);
    // The instances of one that was never served are another's.
    if (inspected?.type === 'usable' && this.#ownerOf(crd) === uidOf(object))
      await releaseInstances(client, inspected.kind, signal);
    const written = await removeFinalizer(client, registrations, object, signal);
    if (written !== undefined) this.#newest.note(written);
    return settled;
  }

  #ownerOf(crd: string): string | undefined {
    const owner = ownerOf(this.#deps.registrations.list(), crd);
    return owner === undefined ? undefined : uidOf(owner);
  }

  async #serve(object: KubeObject, signal: AbortSignal): Promise<RegistrationView> {
    const name = nameOf(object);
    const { definitions } = this.#deps;
    const read = readRegistration(object);
    const crdName = crdOf(object);
    const definition = definitions.get('', crdName);
    const crd = crdVerdict(crdName, definition);
    const refuse = async (controller: Verdict): Promise<RegistrationView> => {
      await this.#stop(name);
      return { crd, controller, hookUrl: undefined };
    };
    if (read.type === 'refused') {
      const why = read.errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
      return refuse(no(/hook/.test(why) ? 'HOOKINVALID' : 'REGISTRATIONINVALID', why));
    }
    this.#warn(object, read.warnings);
    const owner = ownerOf(this.#deps.registrations.list(), crdName);
    if (owner !== undefined && uidOf(owner) !== uidOf(object))
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
    const address = await this.#orient(controller, signal);
    return { crd, controller: stateOf(controller, address, object), hookUrl: shownUrl(address) };
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
      await this.#stop(registration.name);
    }
    const { surroundings, again } = this.#deps;
    const line = registration.hook === undefined ? undefined : this.#line(registration.hook);
    const made = startInstanceController({
      ...this.#deps,
      surroundings,
      events: this.#events,
      registration,
      kind,
      line,
      changed: () => again(registration.name),
    });
    this.#running.set(registration.name, made);
    return made;
  }

  #line(hook: HookSpec): HookLine {
    const { surroundings, client } = this.#deps;
    const target = addressTarget(hook.address, surroundings.namespace);
    const isService = target?.apiVersion === 'v1' && target.kind === 'Service';
    return new HookLine({
      ...this.#deps,
      hook,
      namespace: surroundings.namespace,
      detour: async (url, signal) => {
        if (!isService) return undefined;
        const [service, behind] = await Promise.all(
          [services, endpoints].map((resource) => client.get(resource, target, signal)),
        );
        if (service?.type !== 'ok') return undefined;
        return wayOfService(url, service.object, behind?.type === 'ok' ? behind.object : undefined);
      },
    });
  }

  /** Finds the hook, and what is needed to call it; a change of either concerns all instances. */
  async #orient(
    { registration, line }: InstanceController,
    signal: AbortSignal,
  ): Promise<Address | undefined> {
    const { surroundings } = this.#deps;
    const { hook } = registration;
    if (hook === undefined || line === undefined) {
      this.#references.release(registration.name);
      return undefined;
    }
    const ref = addressTarget(hook.address, surroundings.namespace);
    const kept = hookObjects(hook, surroundings.namespace);
    const wanted: readonly ObjectReference[] = [...kept, ...(ref === undefined ? [] : [ref])];
    const found = await this.#references.hold(registration.name, wanted, signal);
    const target = ref === undefined ? undefined : found[kept.length];
    const address = addressUrl({ address: { ...hook.address, ref }, target, surroundings });
    const before = line.place;
    line.bearings = {
      address,
      kept: (kind, name) => found[kept.findIndex((each) => each.kind === kind && each.name === name)],
      versions: kept.map((_, i) => resourceVersionOf(found[i] ?? {})).join(' '),
    };
    if (before !== line.place) this.#running.get(registration.name)?.lookAtAll();
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
      this.#deps.again(nameOf(object));
      return;
    }
    this.#newest.note(written);
    const { status: state, reason, message } = view.controller;
    const before = controllerReady(object);
    const isNews = textAt(before, 'reason') !== reason || textAt(before, 'message') !== message;
    if (state === 'False' && isNews) this.#events.record(object, warning(reason, message));
  }

  async #stop(name: string): Promise<void> {
    const known = this.#running.get(name);
    this.#running.delete(name);
    this.#references.release(name);
    this.#told.delete(name);
    await known?.close();
  }
}

const crdOf = (object: KubeObject): string => textAt(object, 'spec', 'crd') ?? '';

function crdVerdict(name: string, definition: KubeObject | undefined): Verdict {
  if (definition === undefined) return no('CRDERROR', `there is no CustomResourceDefinition ${name}`);
  const isEstablished = listAt(definition, 'status', 'conditions')
    .filter(isObject)
    .some((each) => each['type'] === 'Established' && each['status'] === 'True');
  return isEstablished
    ? crdExists
    : unknown('UNKNOWN', `CustomResourceDefinition ${name} is not established so far`);
}

function stateOf(controller: InstanceController, address: Address | undefined, object: KubeObject): Verdict {
  const state = controller.state();
  if (state.type === 'failed') return no('CONTROLLERFAILED', state.message);
  if (address?.type === 'unresolved') return no('HOOKFAILED', address.message);
  // A new start takes a moment, which is not worth two writes.
  const isStarted = state.type === 'running' || textAt(controllerReady(object), 'status') === 'True';
  return isStarted ? started : unknown('UNKNOWN', 'the controller is starting');
}

const controllerReady = (object: KubeObject): Json | undefined =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'ControllerReady');

const shownUrl = (address: Address | undefined): string | undefined =>
  address?.type === 'address' ? publicUrl(address.url) : undefined;
