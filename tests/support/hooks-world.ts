import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Control } from '#cli/start-controllers.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import type { ManualClock } from '#edge/testing/manual-clock.ts';
import type { ControllerName } from '#embedded/controllers/start.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { found, never, noon, openWorld, type ControlOptions, type WorldParts } from './world.ts';

export { never } from './world.ts';
export const hookRuns: Resource = {
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  plural: 'hookruns',
  namespaced: true,
};
export const hookTemplates: Resource = { ...hookRuns, plural: 'hooktemplates' };
export const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };

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
  control(options?: Partial<ControlOptions>): Control;
};

export type WorldOptions = Partial<ControlOptions> &
  Pick<WorldParts, 'authorization' | 'clock' | 'nodes'> & {
    /** Whether a controller is started with the world; it is, unless told otherwise. */
    readonly controlled?: boolean;
    readonly kubeControllers?: readonly ControllerName[];
  };

export async function openHooksWorld(options: WorldOptions = {}): Promise<HooksWorld> {
  const { authorization = 'allow', clock: given, nodes, kubeControllers = 'all' } = options;
  const base = await openWorld({
    authorization,
    nodes,
    controllers: kubeControllers,
    ownKinds: true,
    ...(given && { clock: given }),
  });
  const { clock, client } = base;
  const controls: Control[] = [];
  const asked: { readonly url: string; readonly at: number }[] = [];
  const statuses: KubeObject[] = [];
  base.onChange((told) => {
    for (const { resource, type, object } of told)
      if (resource === 'tkex.tencent.com/hookruns' && type === 'MODIFIED') statuses.push(object);
  });
  const outgoing: Outgoing = (request, signal) => {
    base.touch();
    asked.push({ url: request.url, at: (clock.now() - noon) / 1000 });
    return answerTo(world, request, signal);
  };
  const world: HooksWorld = {
    clock,
    client,
    asked,
    givenUp: [],
    statuses,
    service: () => ({ age: 25 }),
    pass: (seconds, step = 0.25) => base.pass(seconds, step),
    run: async (name) => found(await client.get(hookRuns, { namespace: 'default', name }, never)),
    create: (name, spec) =>
      base.make(hookRuns, {
        apiVersion: 'tkex.tencent.com/v1alpha1',
        kind: 'HookRun',
        metadata: { name, namespace: 'default' },
        spec,
      }),
    told: (name) => base.told(name),
    control(wish = {}) {
      const control = base.control({ ...wish, outgoing });
      controls.push(control);
      return control;
    },
    async [Symbol.asyncDispose]() {
      for (const control of controls) await control.close();
      await base[Symbol.asyncDispose]();
    },
  };
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
  return readyAnswer(200, JSON.stringify(said));
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
