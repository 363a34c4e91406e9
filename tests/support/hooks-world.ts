import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { kinds } from '#cli/kinds.ts';
import { startEmbedded } from '#embedded/start.ts';
import { controlClients } from '#command/control-clients.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import {
  controlNames,
  loadControllers,
  startControl,
  type Control,
  type ControlName,
} from '#cli/start-controllers.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Resource } from '#kube/resource.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { KubeObject } from '#kube/object.ts';

export const hookRuns: Resource = {
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  plural: 'hookruns',
  namespaced: true,
};
export const hookTemplates: Resource = { ...hookRuns, plural: 'hooktemplates' };
export const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };
export const never = new AbortController().signal;

/** What a hook service answers; `hang` means that it never does. */
export type Service = (url: string) => Json | Promise<Json>;

export type HooksWorld = AsyncDisposable & {
  readonly clock: ManualClock;
  readonly client: KubeClient;
  /** What was asked of the hook service, with the time in seconds since the beginning. */
  readonly asked: { readonly url: string; readonly at: number }[];
  /** Calls that were given up by the caller. */
  readonly givenUp: string[];
  /** Writes of statuses of runs, in the order of the store. */
  readonly statuses: KubeObject[];
  service: Service;
  /** Lets everything happen that can, and then time pass, in steps. */
  pass(seconds: number, step?: number): Promise<void>;
  run(name: string): Promise<KubeObject>;
  create(name: string, spec: JsonObject): Promise<KubeObject>;
  /** Type, reason and message of what was told about an object. */
  told(name: string): Promise<readonly string[]>;
  /** Starts a controller beside those there are. */
  control(options?: ControlOptions): Control;
};

export type ControlOptions = {
  /** Stands between the controller and the server. */
  readonly around?: (direct: Transport) => Transport;
  readonly names?: readonly ControlName[];
};

export type WorldOptions = ControlOptions & {
  /** Whether a controller is started with the world; it is, unless told otherwise. */
  readonly controlled?: boolean;
  readonly kubeControllers?: readonly ControllerName[];
  readonly authorization?: 'allow' | 'rbac';
  readonly nodes?: number;
};

const start = Date.UTC(2026, 0, 5, 12);
/** So many turns of the event loop without a change: nobody has anything left to do. */
const quietTurns = 12;
const admin = { user: 'admin', groups: ['system:masters'] };

export async function openHooksWorld(options: WorldOptions = {}): Promise<HooksWorld> {
  const clock = manualClock(start);
  const embedded = await startEmbedded({
    journal: memoryJournal(),
    clock,
    random: seededRandom(11),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'ca',
    authorization: options.authorization ?? 'allow',
    kubeControllers: new Set(options.kubeControllers ?? controllerNames),
    ...(options.nodes === undefined
      ? {}
      : { nodes: { count: options.nodes, profile: 'instant', timeScale: 1, seed: 1 } }),
    kinds,
    report: (error) => {
      throw error;
    },
  });
  const direct = inProcessTransport(embedded.server.serve, admin);
  const { client } = controlClients(direct, clock);
  const controls: Control[] = [];
  const loaded = await loadControllers();
  const asked: { readonly url: string; readonly at: number }[] = [];
  const givenUp: string[] = [];
  const statuses: KubeObject[] = [];
  let changes = 0;
  embedded.server.context.store.subscribe((told) => {
    changes += 1;
    for (const { resource, type, after } of told)
      if (resource === 'tkex.tencent.com/hookruns' && type === 'MODIFIED') statuses.push(after.object);
  });
  const outgoing: Outgoing = (request, signal) => {
    changes += 1;
    asked.push({ url: request.url, at: (clock.now() - start) / 1000 });
    return answerTo(world, request, signal);
  };
  const settle = async (): Promise<void> => {
    for (let [quiet, seen] = [0, changes]; quiet < quietTurns; seen = changes) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = changes === seen ? quiet + 1 : 0;
    }
  };
  const world: HooksWorld = {
    clock,
    client,
    asked,
    givenUp,
    statuses,
    service: () => ({ age: 25 }),
    async pass(seconds, step = 0.25) {
      await settle();
      for (let left = seconds; left > 0; left -= step) {
        clock.advance(millis(Math.min(step, left) * 1000));
        await settle();
      }
    },
    async run(name) {
      const found = await client.get(hookRuns, { namespace: 'default', name }, never);
      if (found.type !== 'ok') throw new Error(found.message);
      return found.object;
    },
    async create(name, spec) {
      const object = {
        apiVersion: 'tkex.tencent.com/v1alpha1',
        kind: 'HookRun',
        metadata: { name, namespace: 'default' },
        spec,
      };
      const created = await client.create(hookRuns, object, never);
      if (created.type !== 'ok') throw new Error(created.message);
      return created.object;
    },
    async told(name) {
      const listed = await client.list(events, { namespace: 'default' }, never);
      if (listed.type !== 'ok') throw new Error(listed.message);
      return listed.items
        .filter((event) => textAt(event, 'involvedObject', 'name') === name)
        .map((event) => ['type', 'reason', 'message'].map((field) => textAt(event, field)).join(' '));
    },
    control(wish = {}) {
      const transport = wish.around?.(direct) ?? direct;
      const control = startControl({
        ...controlClients(transport, clock),
        outgoing,
        hmac: hmacSha256Hex,
        clock,
        random: seededRandom(5),
        tasks: systemTasks,
        report: () => undefined,
        names: new Set(wish.names ?? controlNames),
        loaded,
      });
      controls.push(control);
      return control;
    },
    async [Symbol.asyncDispose]() {
      for (const control of controls) await control.close();
      await embedded.close();
    },
  };
  await embedded.ready;
  if (options.controlled !== false) await world.control(options).synced;
  return world;
}

async function answerTo(
  world: HooksWorld,
  { url }: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const said = await world.service(url);
  if (said === 'hang')
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        world.givenUp.push(url);
        reject(signal.reason as Error);
      });
    });
  return { type: 'answer', status: 200, headers: {}, body: JSON.stringify(said), latency: millis(0) };
}

const isWrite = ({ method }: TransportRequest): boolean => method !== 'GET';
export const isStatusWrite = ({ method, path }: TransportRequest): boolean =>
  method === 'PUT' && path.endsWith('/status');

/** A way to the server that breaks for good at a certain write: before it is sent, or before its answer is heard. */
export function breaking(
  at: number,
  when: 'before' | 'after',
): {
  readonly around: (direct: Transport) => Transport;
  readonly broken: Promise<void>;
} {
  const broken = Promise.withResolvers<void>();
  let writes = 0;
  let isBroken = false;
  const fail = (): never => {
    isBroken = true;
    broken.resolve();
    throw new Unavailable('The connection broke.');
  };
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      if (isBroken) return fail();
      if (!isWrite(request)) return direct(request);
      writes += 1;
      if (writes === at && when === 'before') return fail();
      const answer = await direct(request);
      return writes >= at ? fail() : answer;
    };
  return { around, broken: broken.promise };
}

/** A web metric that asks the hook service. */
export const webMetric = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  successCondition: 'asInt(result) < 30',
  provider: { web: { url: `http://hooks.example/${name}`, jsonPath: '{$.age}' } },
  ...more,
});

export const resultOf = (run: KubeObject, metric: string): JsonObject =>
  (listAt(run, 'status', 'metricResults').find((each) => textAt(each, 'name') === metric) ??
    {}) as JsonObject;
