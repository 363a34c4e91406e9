import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Journal } from '#base/journal.ts';
import type { ControlName } from '#cli/install/control-names.ts';
import type { Control } from '#cli/start-controllers.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { ManualClock } from '#edge/testing/manual-clock.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { startReconcileHook, type ReconcileHook } from './reconcile-hook.ts';
import { inTime } from './turn.ts';
import { found, never, openWorld, type ControlOptions as StartOptions } from './world.ts';

export { never } from './world.ts';
const resource = (group: string, version: string, plural: string, namespaced = true): Resource => ({
  group,
  version,
  plural,
  namespaced,
});
export const registrations = resource('scoby.triggermesh.io', 'v1alpha1', 'crdregistrations', false);
export const definitions = resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', false);
export const kuards = resource('extensions.triggermesh.io', 'v1', 'kuards');
export const deployments = resource('apps', 'v1', 'deployments');
export const services = resource('', 'v1', 'services');
export const serviceAccounts = resource('', 'v1', 'serviceaccounts');
export const secrets = resource('', 'v1', 'secrets');
export const configMaps = resource('', 'v1', 'configmaps');
export const knativeServices = resource('serving.knative.dev', 'v1', 'services');

const usualNames: readonly ControlName[] = ['crdregistration', 'hookrun'];

export type Write = { readonly method: string; readonly path: string };

/** A cluster on a clock that stands still, a hook service on loopback, and the controller of registrations. */
export type RegistrationWorld = AsyncDisposable & {
  readonly clock: ManualClock;
  readonly client: KubeClient;
  readonly hook: ReconcileHook;
  /** What the controller wrote, without events. */
  readonly writes: Write[];
  /** What the controller asked its server for, reads included. */
  readonly requests: TransportRequest[];
  /** What was reported as a problem. */
  readonly reports: string[];
  control(options?: ControlOptions): Promise<Control>;
  stop(): Promise<void>;
  settle(): Promise<void>;
  pass(seconds: number, step?: number): Promise<void>;
  /** Lets time pass until something is as wanted. */
  until(isWanted: () => boolean | Promise<boolean>, most?: number): Promise<void>;
  make(resource: Resource, object: JsonObject): Promise<KubeObject>;
  get(resource: Resource, name: string, namespace?: string): Promise<KubeObject | undefined>;
  patch(resource: Resource, name: string, body: JsonObject): Promise<KubeObject>;
  remove(resource: Resource, name: string): Promise<void>;
  instance(name?: string): Promise<KubeObject>;
  /** Reasons and messages of what was told about an object. */
  told(name: string): Promise<readonly string[]>;
};

export type ControlOptions = Pick<StartOptions, 'around' | 'names' | 'metrics' | 'scope'>;

export type WorldOptions = {
  readonly journal?: Journal;
  /** Whether there are nodes on which pods run; there is one unless told otherwise. */
  readonly nodes?: number;
  readonly controlled?: boolean;
};

export async function openRegistrationWorld(options: WorldOptions = {}): Promise<RegistrationWorld> {
  const { nodes = 1, journal, controlled = true } = options;
  const hook = await startReconcileHook();
  let calls = 0;
  const base = await openWorld({
    controllers: 'all',
    nodes,
    ownKinds: true,
    quietTurns: 15,
    isQuiet: () => calls <= hook.hanging,
    ...(journal && { journal }),
  });
  const { clock, client, direct, settle } = base;
  const writes: Write[] = [];
  const requests: TransportRequest[] = [];
  const noting: Transport = (request) => {
    requests.push(request);
    const isDry = request.query.includes('dryRun=All');
    if (request.method !== 'GET' && !isDry && !request.path.includes('/events'))
      writes.push({ method: request.method, path: request.path });
    base.touch();
    return direct(request);
  };
  const real = createOutgoing({
    policy: { allowLoopback: true },
    clock,
    // As on a machine outside of the cluster: nobody knows the names of Services.
    findAddresses: (host) =>
      host === 'localhost'
        ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
        : Promise.reject(Object.assign(new Error(`there is no ${host}`), { code: 'ENOTFOUND' })),
  });
  const outgoing: Outgoing = async (request, signal) => {
    calls += 1;
    try {
      return await real(request, signal);
    } finally {
      calls -= 1;
      base.touch();
    }
  };
  const reports: string[] = [];
  let control: Control | undefined;
  const world: RegistrationWorld = {
    ...base,
    hook,
    writes,
    requests,
    reports,
    async control({ around = (way: Transport) => way, names = usualNames, metrics, scope } = {}) {
      await world.stop();
      control = base.control({
        around: () => around(noting),
        names,
        metrics,
        scope,
        outgoing,
        report(message, fields, level) {
          if (level === 'warn' || level === 'error') reports.push(`${message} ${JSON.stringify(fields)}`);
        },
      });
      return control;
    },
    async stop() {
      await control?.close();
      control = undefined;
    },
    async make(of, object) {
      const made = await base.make(of, object);
      // A kind is served a moment after it was defined.
      if (of === definitions) await settle();
      return made;
    },
    async get(of, name, namespace = 'default') {
      const outcome = await client.get(of, of.namespaced ? { namespace, name } : { name }, never);
      if (outcome.type === 'not-found') return undefined;
      return found(outcome);
    },
    patch: async (of, name, body) =>
      found(await client.patch(of, keyOf(of, name), { type: 'merge', body }, never)),
    async remove(of, name) {
      found(await client.remove(of, keyOf(of, name), never));
    },
    async instance(name = 'my-kuard') {
      const object = await world.get(kuards, name);
      if (object === undefined) throw new Error(`there is no ${name}`);
      return object;
    },
    async [Symbol.asyncDispose]() {
      await world.stop();
      await real.close();
      await hook[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
    },
  };
  if (controlled) await inTime((await world.control()).synced, 'the controllers were not ready');
  return world;
}

const keyOf = ({ namespaced }: Resource, name: string): { namespace?: string; name: string } =>
  namespaced ? { namespace: 'default', name } : { name };

/** Type, status and reason of every condition. */
export const conditionsOf = (object: KubeObject | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listAt(object, 'status', 'conditions').map((each) => [
      textAt(each, 'type') ?? '',
      `${textAt(each, 'status')} ${textAt(each, 'reason')}`,
    ]),
  );

export const isReady = async (world: RegistrationWorld, name = 'my-kuard'): Promise<boolean> =>
  conditionsOf(await world.instance(name))['Ready'] === 'True CONDITIONSOK';

export const deploymentNames = async (world: RegistrationWorld): Promise<readonly string[]> => {
  const listed = await world.client.list(deployments, { namespace: 'default' }, never);
  return listed.type === 'ok' ? listed.items.map(nameOf).toSorted() : [];
};

export const messageOf = (object: KubeObject | undefined, type: string): string =>
  textAt(
    listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type),
    'message',
  ) ?? '';

/** The variables of the workload: names with values, or where they come from. */
export const envOf = (deployment: KubeObject | undefined): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    listAt(containerOf(deployment), 'env').map((each) => [
      textAt(each, 'name') ?? '',
      at(each, 'value') ?? at(each, 'valueFrom') ?? '',
    ]),
  );

export const containerOf = (workload: KubeObject | undefined): Json | undefined =>
  listAt(workload, 'spec', 'template', 'spec', 'containers').find(
    (each) => textAt(each, 'name') === 'adapter',
  );
