import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { Metrics } from '#base/metrics.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { controlNames, type ControlName } from '#cli/install/control-names.ts';
import { scopeOf } from '#cli/shard-objects.ts';
import type { Control } from '#cli/start-controllers.ts';
import { controlClients } from '#command/control-clients.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { fencedTransport } from '#edge/kube/fenced-transport.ts';
import { heldBack } from '#edge/kube/held-back.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import type { ManualClock } from '#edge/testing/manual-clock.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Term } from '#loop/lease-term.ts';
import { pods } from '#loop/owned/resources.ts';
import { runShards } from '#loop/shards/run-shards.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { ReleaseObserver } from './release-observer.ts';
import { canMove } from './turn.ts';
import { found, never, openWorld, type WorldParts } from './world.ts';

export { never } from './world.ts';

/** How a hook service answers: what it says, or that it never does. */
type Service = (url: string) => JsonObject | 'hang';

export type ReplicaOptions = {
  readonly identity: string;
  readonly shards: number;
  readonly around?: (direct: Transport) => Transport;
};

export type Replica = {
  /** Shards whose objects it may write at this moment. */
  held(): readonly number[];
  /** Resolves when it has ended; why it lost a Lease, if it did. */
  readonly ended: Promise<string | undefined>;
  stop(): Promise<void>;
};

/** The times of the Leases of replicas: short, because every half second costs a test real time. */
const shortSpans = {
  leaseDuration: millis(3000),
  renewDeadline: millis(2000),
  retryPeriod: millis(500),
};

/** A whole cluster on a clock that stands still, with an observer who sees every change of the store. */
export type GameWorld = AsyncDisposable & {
  readonly clock: ManualClock;
  readonly client: KubeClient;
  readonly observer: ReleaseObserver;
  /** URLs that hooks have asked. */
  readonly asked: string[];
  /** How often hooks were asked with each Idempotency-Key. */
  readonly calls: ReadonlyMap<string, number>;
  /** From now on hooks are answered like this; those that still wait as well. */
  answer(service: Service): void;
  /** Starts a controller, through a way to the server that may have faults. Ends the one before. */
  control(options?: {
    readonly around?: (direct: Transport) => Transport;
    readonly names?: readonly ControlName[];
    readonly metrics?: Metrics;
  }): Promise<Control>;
  stop(): Promise<void>;
  /** Starts a replica that shares the objects with others by shards. `stop` ends it as SIGTERM would. */
  replica(options: ReplicaOptions): Replica;
  /** Lets everything happen that can. `isSeen`: the controller has then seen all of it. */
  settle(isSeen?: boolean): Promise<void>;
  /** The same, and then time passes, in steps. */
  pass(seconds: number, step?: number): Promise<void>;
  /** Lets time pass until the workload is as wanted. */
  until(isWanted: (workload: KubeObject) => boolean | Promise<boolean>, most?: number): Promise<KubeObject>;
  workload(name?: string): Promise<KubeObject>;
  patch(body: JsonObject, name?: string): Promise<KubeObject>;
  /** The pods there are, without those on their way out. */
  pods(): readonly KubeObject[];
  allPods(): readonly KubeObject[];
  runs(): readonly KubeObject[];
  deletePod(name: string): Promise<void>;
};

export async function openGameWorld(
  options: Pick<WorldParts, 'nodes' | 'profile' | 'clock'> = {},
): Promise<GameWorld> {
  const base = await openWorld({ controllers: 'all', nodes: 3, ownKinds: true, quietTurns: 10, ...options });
  const { clock, client, direct, stored } = base;
  /** Uids of pods whose deletion the controller asked for. */
  const ours = new Set<string>();
  const observer = new ReleaseObserver({ isOurDeletion: (pod) => ours.has(uidOf(pod)) });
  base.onChange((told) => {
    for (const { type, object } of told) observer.see({ type, object, at: clock.now() });
  });
  const noting: Transport = (request) => {
    const isOfPod = request.method === 'DELETE' && /\/pods\/[^/]+$/.test(request.path);
    if (isOfPod)
      ours.add(textAt(JSON.parse(request.body ?? '{}') as JsonObject, 'preconditions', 'uid') ?? '');
    return direct(request);
  };
  let control: Control | undefined;
  const asked: string[] = [];
  const calls = new Map<string, number>();
  const replicas = new Set<Replica>();
  const hanging: (() => void)[] = [];
  let service: Service = () => ({ age: 25 });
  const outgoing: Outgoing = ({ url, headers }, signal) => {
    base.touch();
    asked.push(url);
    const key = headers?.['idempotency-key'] ?? '';
    calls.set(key, (calls.get(key) ?? 0) + 1);
    const said = service(url);
    if (said !== 'hang') return Promise.resolve(answerOf(said));
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      hanging.push(() => {
        const late = service(url);
        if (late !== 'hang') resolve(answerOf(late));
      });
    });
  };
  const world: GameWorld = {
    clock,
    client,
    observer,
    asked,
    calls,
    answer(next) {
      service = next;
      for (const look of hanging.splice(0)) look();
    },
    async control({ around = (direct: Transport) => direct, names = controlNames, metrics } = {}) {
      await world.stop();
      control = base.control({ around: () => around(noting), names, outgoing, metrics });
      return control;
    },
    async stop() {
      await control?.close();
      control = undefined;
    },
    replica({ identity, shards, around = (direct) => direct }) {
      const way = around(noting);
      const terms = new Map<number, Term>();
      const stopped = new AbortController();
      const running = runShards(
        {
          client: controlClients(way, clock).client,
          clock,
          random: seededRandom(identity.length),
          lease: { namespace: 'kube-system', name: 'boathook' },
          identity,
          shards,
          ...shortSpans,
          async lead(shard, term) {
            terms.set(shard.index, term);
            const mine = base.control({
              around: () => fencedTransport(way, () => term.mayWrite()),
              outgoing: (request, signal) =>
                term.mayWrite() ? outgoing(request, signal) : Promise.reject(heldBack()),
              scope: scopeOf(shard, new Set(controlNames)),
            });
            await whenAborted(term.signal);
            await mine.close();
          },
        },
        stopped.signal,
      );
      const replica: Replica = {
        held: () => [...terms].flatMap(([index, term]) => (term.mayWrite() ? [index] : [])),
        ended: running.then(
          () => undefined,
          (error: unknown) => String(error),
        ),
        async stop() {
          stopped.abort(new Error('stopped'));
          await replica.ended;
        },
      };
      replicas.add(replica);
      return replica;
    },
    async settle(isSeen = true) {
      await base.settle();
      if (isSeen) observer.calm();
    },
    async pass(seconds, step = 0.5) {
      await world.settle();
      for (let left = seconds; left > 0; left -= step)
        if (await canMove(clock.advance(millis(Math.min(step, left) * 1000)))) await world.settle();
    },
    async until(isWanted, most = 60) {
      for (let passed = 0; ; passed += 0.5) {
        await world.settle();
        const workload = await world.workload();
        if (await isWanted(workload)) return workload;
        if (passed >= most)
          throw new Error(`it never came to be: ${JSON.stringify(workload['status'], null, 1)}`);
        while (!(await canMove(clock.advance(millis(500)))) && passed < most) passed += 0.5;
      }
    },
    workload: async (name = 'g') =>
      found(await client.get(gameDeployments, { namespace: 'default', name }, never)),
    patch: async (body, name = 'g') =>
      found(
        await client.patch(gameDeployments, { namespace: 'default', name }, { type: 'merge', body }, never),
      ),
    pods: () =>
      stored('/pods').filter((pod) => !isDeleting(pod) && textAt(pod, 'metadata', 'labels', 'app') === 'g'),
    allPods: () => stored('/pods'),
    runs: () => stored('tkex.tencent.com/hookruns'),
    async deletePod(name) {
      found(await client.remove(pods, { namespace: 'default', name }, never));
    },
    async [Symbol.asyncDispose]() {
      await world.stop();
      const left = new Set(replicas);
      for (const replica of replicas) void replica.stop().then(() => left.delete(replica));
      for (; left.size > 0; clock.advance(millis(500))) await base.settle();
      await base[Symbol.asyncDispose]();
    },
  };
  return world;
}

const answerOf = (said: JsonObject): OutgoingAnswer => readyAnswer(200, JSON.stringify(said));

export async function make(world: GameWorld, resource: Resource, object: JsonObject): Promise<KubeObject> {
  return found(await world.client.create(resource, object, never));
}

/** A web hook that passes while the age is below 30. */
export const hookTemplate = (name = 'age', metric: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name, namespace: 'default' },
  spec: {
    metrics: [
      {
        name: 'age',
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: `http://hooks.example/${name}`, jsonPath: '{$.age}' } },
        ...metric,
      },
    ],
  },
});

export const gameDeployment = (spec: JsonObject, name = 'g'): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 5,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'app:1' }], terminationGracePeriodSeconds: 1 },
    },
    ...spec,
  },
});

/** A change of the image of the template, as a merge patch. */
export const image = (tag: string): JsonObject => ({
  spec: {
    template: {
      spec: { containers: [{ name: 'c', image: `app:${tag}` }], terminationGracePeriodSeconds: 1 },
    },
  },
});

/** All is done, and what the status says is about the spec as it stands. */
export const isComplete = (workload: KubeObject): boolean =>
  textAt(workload, 'status', 'phase') === 'Complete' &&
  numberAt(workload, 'status', 'observedGeneration') === numberAt(workload, 'metadata', 'generation');

export const templates = hookTemplates;

export const conditionsOf = (workload: KubeObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listAt(workload, 'status', 'conditions').map((each) => [
      textAt(each, 'type') ?? '',
      `${textAt(each, 'status')} ${textAt(each, 'reason')}`,
    ]),
  );
