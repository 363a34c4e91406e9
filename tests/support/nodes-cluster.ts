import { isObject, listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { instant, millis, parseTime } from '#base/time.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { startNodes, type SimulatedNodes, type StartNodesDeps } from '#embedded/nodes/start.ts';
import { moves, turn } from './turn.ts';
import { found, never, openWorld } from './world.ts';

export { never } from './world.ts';
export const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };
export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};
const accounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };

export type NodesCluster = AsyncDisposable & {
  readonly clock: ManualClock;
  readonly client: KubeClient;
  readonly nodes: SimulatedNodes;
  readonly problems: readonly unknown[];
  /** Everything the store was told, in order. */
  readonly commits: readonly string[];
  /** Lets time pass in steps, and everybody finish at each. */
  pass(span: number, step?: number): Promise<void>;
  /** The nodes' process ends, as if killed, and another begins. */
  restart(options?: Partial<StartNodesDeps>): Promise<void>;
  create(pod: KubeObject): Promise<KubeObject>;
  pod(name: string): Promise<KubeObject | undefined>;
  node(name: string): Promise<KubeObject>;
  /** What was told about an object, in order: `Reason xCOUNT`. */
  told(name: string): Promise<readonly string[]>;
};

/** A control plane and simulated nodes on a clock that stands still. */
export async function openNodes(options: Partial<StartNodesDeps> = {}): Promise<NodesCluster> {
  const clock = manualClock(parseTime('2026-05-04T03:02:01Z') ?? instant(0));
  const problems: unknown[] = [];
  const commits: string[] = [];
  const base = await openWorld({ clock, seed: 7, report: (error) => problems.push(error) });
  const unsubscribe = base.onChange((changes) =>
    commits.push(JSON.stringify(changes.map(({ object, ...change }) => ({ ...change, after: { object } })))),
  );
  const client = createClient({ transport: base.direct, clock, userAgent: 'story' });
  const start = (more: Partial<StartNodesDeps>): SimulatedNodes =>
    startNodes({
      client,
      clock,
      random: seededRandom(3),
      tasks: systemTasks,
      nodes: 3,
      profile: 'instant',
      timeScale: 1,
      seed: 1,
      report: (message, fields) => problems.push([message, fields]),
      ...options,
      ...more,
    });
  let played = start({});
  /** Everybody is done when nobody has written for a while. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0, last = -1; quiet < 12; quiet += 1) {
      await turn();
      await played.idle();
      const count = commits.length + moves();
      if (count !== last) quiet = 0;
      last = count;
    }
  };
  await played.synced;
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace: 'default' },
  };
  await client.create(accounts, account, never);
  await settle();
  const get = async (resource: Resource, name: string): Promise<KubeObject | undefined> => {
    const key = resource.namespaced ? { namespace: 'default', name } : { name };
    const found = await client.get(resource, key, never);
    return found.type === 'ok' ? found.object : undefined;
  };
  return {
    clock,
    client,
    get nodes() {
      return played;
    },
    problems,
    commits,
    async pass(span, step = 1000) {
      await settle();
      for (let left = span; left > 0; left -= step) {
        clock.advance(millis(Math.min(step, left)));
        await settle();
      }
    },
    async restart(more = {}) {
      await played.close();
      played = start(more);
      await played.synced;
      await settle();
    },
    async create(pod) {
      const made = found(await client.create(pods, pod, never));
      await settle();
      return made;
    },
    pod: (name) => get(pods, name),
    async node(name) {
      const found = await get(nodes, name);
      if (found === undefined) throw new Error(`there is no node ${name}`);
      return found;
    },
    async told(name) {
      const listed = await client.list(events, { namespace: 'default' }, never);
      if (listed.type !== 'ok') throw new Error(listed.message);
      return listed.items
        .filter((event) => textAt(event, 'involvedObject', 'name') === name)
        .toSorted((left, right) => Number(resourceVersionOf(left)) - Number(resourceVersionOf(right)))
        .map((event) => `${textAt(event, 'reason')} x${numberAt(event, 'count')}`);
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await played.close();
      await base[Symbol.asyncDispose]();
    },
  };
}

export type StoryPod = {
  readonly annotations?: JsonObject;
  readonly spec?: JsonObject;
  readonly container?: JsonObject;
  readonly meta?: JsonObject;
};

export const storyPod = (
  name: string,
  { annotations = {}, spec = {}, container = {}, meta = {} }: StoryPod = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'default',
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`sim.boathook.dev/${key}`, value]),
    ),
    ...meta,
  },
  spec: { containers: [{ name: 'c', image: 'app:1', ...container }], ...spec },
});

export const conditionOf = (object: KubeObject | undefined, type: string): JsonObject | undefined =>
  listAt(object, 'status', 'conditions')
    .filter(isObject)
    .find((each) => each['type'] === type);

export const containerOf = (pod: KubeObject | undefined): JsonObject =>
  listAt(pod, 'status', 'containerStatuses').filter(isObject)[0] ?? {};
