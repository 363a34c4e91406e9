import { kinds } from '#cli/kinds.ts';
import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Journal } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import type { Metrics } from '#base/metrics.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { controlClients } from '#command/control-clients.ts';
import { startEmbedded } from '#embedded/start.ts';
import { loadControllers, startControl, type Control, type ControlName } from '#cli/start-controllers.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { KubeObject } from '#kube/object.ts';
import { startReconcileHook, type ReconcileHook } from './reconcile-hook.ts';

export const never = new AbortController().signal;
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
const events = resource('', 'v1', 'events');
export const knativeServices = resource('serving.knative.dev', 'v1', 'services');

const asItIs = (way: Transport): Transport => way;
const usualNames: readonly ControlName[] = ['crdregistration', 'hookrun'];
const start = Date.UTC(2026, 0, 5, 12);
/** So many turns of the event loop without a change: nobody has anything left to do. */
const quietTurns = 15;
const admin = { user: 'admin', groups: ['system:masters'] };

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
  /** What was reported. */
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

export type ControlOptions = {
  readonly around?: (direct: Transport) => Transport;
  readonly names?: readonly ControlName[];
  readonly metrics?: Metrics;
};

export type WorldOptions = {
  readonly journal?: Journal;
  /** Whether there are nodes on which pods run; there is one unless told otherwise. */
  readonly nodes?: number;
  readonly controlled?: boolean;
};

export async function openRegistrationWorld(options: WorldOptions = {}): Promise<RegistrationWorld> {
  const clock = manualClock(start);
  const { nodes = 1 } = options;
  const embedded = await startEmbedded({
    journal: options.journal ?? memoryJournal(),
    clock,
    random: seededRandom(11),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'ca',
    kubeControllers: new Set(controllerNames),
    ...(nodes === 0 ? {} : { nodes: { count: nodes, profile: 'instant', timeScale: 1, seed: 1 } }),
    kinds,
    report: (error) => {
      throw error;
    },
  });
  const hook = await startReconcileHook();
  let changes = 0;
  embedded.server.context.store.subscribe(() => (changes += 1));
  const direct = inProcessTransport(embedded.server.serve, admin);
  const { client } = controlClients(direct, clock);
  const writes: Write[] = [];
  const requests: TransportRequest[] = [];
  const noting: Transport = (request) => {
    requests.push(request);
    const isDry = request.query.includes('dryRun=All');
    if (request.method !== 'GET' && !isDry && !request.path.includes('/events'))
      writes.push({ method: request.method, path: request.path });
    changes += 1;
    return direct(request);
  };
  const door = createOutgoing({
    policy: { allowLoopback: true },
    clock,
    // As on a machine outside of the cluster: nobody knows the names of Services.
    findAddresses: (host) =>
      host === 'localhost'
        ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
        : Promise.reject(Object.assign(new Error(`there is no ${host}`), { code: 'ENOTFOUND' })),
  });
  let calls = 0;
  const outgoing: Outgoing = async (request, signal) => {
    calls += 1;
    try {
      return await door(request, signal);
    } finally {
      calls -= 1;
      changes += 1;
    }
  };
  const reports: string[] = [];
  let control: Control | undefined;
  const world: RegistrationWorld = {
    clock,
    client,
    hook,
    writes,
    requests,
    reports,
    async control(wish: ControlOptions = {}) {
      const { around = asItIs, names = usualNames, metrics } = wish;
      await world.stop();
      const made = startControl({
        ...controlClients(around(noting), clock),
        outgoing,
        hmac: hmacSha256Hex,
        metrics,
        clock,
        random: seededRandom(5),
        tasks: systemTasks,
        report: (message, fields) => reports.push(`${message} ${JSON.stringify(fields)}`),
        names: new Set(names),
        loaded: await loadControllers(names),
      });
      control = made;
      return made;
    },
    async stop() {
      await control?.close();
      control = undefined;
    },
    async settle() {
      for (let [quiet, seen] = [0, changes]; quiet < quietTurns; seen = changes) {
        await new Promise((resolve) => setImmediate(resolve));
        quiet = changes === seen && calls <= hook.hanging ? quiet + 1 : 0;
      }
    },
    async pass(seconds, step = 0.5) {
      await world.settle();
      for (let left = seconds; left > 0; left -= step) {
        clock.advance(millis(Math.min(step, left) * 1000));
        await world.settle();
      }
    },
    async until(isWanted, most = 120) {
      for (let passed = 0; ; passed += 0.5) {
        await world.settle();
        if (await isWanted()) return;
        if (passed >= most) throw new Error('it never came to be');
        clock.advance(millis(500));
      }
    },
    async make(of, object) {
      const made = found(await client.create(of, object, never));
      // A kind is served a moment after it was defined.
      if (of === definitions) await world.settle();
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
    async told(name) {
      const listed = await client.list(events, { namespace: 'default' }, never);
      if (listed.type !== 'ok') throw new Error(listed.message);
      return listed.items
        .filter((event) => textAt(event, 'involvedObject', 'name') === name)
        .map((event) => ['type', 'reason', 'message'].map((field) => textAt(event, field)).join(' '));
    },
    async [Symbol.asyncDispose]() {
      await world.stop();
      await door.close();
      await hook[Symbol.asyncDispose]();
      await embedded.close();
    },
  };
  await embedded.ready;
  if (options.controlled !== false) await (await world.control()).synced;
  return world;
}

const keyOf = ({ namespaced }: Resource, name: string): { namespace?: string; name: string } =>
  namespaced ? { namespace: 'default', name } : { name };

function found(outcome: Outcome): KubeObject {
  if (outcome.type === 'ok') return outcome.object;
  throw new Error(outcome.message);
}

/** Type, status and reason of every condition. */
export const conditionsOf = (object: KubeObject | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listAt(object, 'status', 'conditions').map((each) => [
      textAt(each, 'type') ?? '',
      `${textAt(each, 'status')} ${textAt(each, 'reason')}`,
    ]),
  );

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
