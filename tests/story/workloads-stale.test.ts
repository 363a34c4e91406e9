import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { startControllers } from '#embedded/controllers/start.ts';
import { claims, daemonSets, jobs, nodes, pods, replicaSets, statefulSets } from '#loop/owned/resources.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import { systemTasks } from '#edge/tasks.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { shareInformers } from '#loop/shared-informers.ts';
import { never, openLoopCluster, turn } from '../support/loop-cluster.ts';
import { templateOf } from '../support/workload-world.ts';

/** Held back until it is let go; knows whether anybody waits for it, and how many pods were made. */
type Gate = { readonly passed: Promise<void>; open(): void; isWaitedFor: boolean; pods: number };

function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve, isWaitedFor: false, pods: 0 };
}

/** The client, with news of pods held back by a gate. */
function heldWatches(client: KubeClient, news: Gate): KubeClient {
  async function* watch(
    resource: Resource,
    ...rest: [Parameters<KubeClient['watch']>[1], AbortSignal]
  ): AsyncGenerator<WatchEvent> {
    for await (const event of client.watch(resource, ...rest)) {
      if (resource.plural === 'pods') await news.passed;
      yield event;
    }
  }
  return { ...client, watch };
}

/** The client, with one call of a pass held back by a gate. */
function slow(client: KubeClient, call: Gate, isMeant: (resource: Resource) => boolean): KubeClient {
  let isShut = false;
  const wait = async (resource: Resource): Promise<void> => {
    if (!isMeant(resource) || !isShut) return;
    call.isWaitedFor = true;
    await call.passed;
  };
  return {
    ...client,
    async get(resource, ...rest) {
      await wait(resource);
      return client.get(resource, ...rest);
    },
    async create(resource, object, ...rest) {
      if (resource.plural !== 'pods') await wait(resource);
      const outcome = await client.create(resource, object, ...rest);
      if (resource.plural === 'pods') {
        call.pods += 1;
        // Only what comes after the first pods is held back.
        isShut = true;
      }
      return outcome;
    },
  };
}

const accounts = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };
const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'default', namespace: 'default' },
};
const one = { replicas: 1, selector: { matchLabels: { app: 'x' } } };
const stray: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'stray', namespace: 'default', labels: { app: 'y' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

type Case = {
  readonly name: 'replicaset' | 'daemonset' | 'job';
  readonly resource: Resource;
  readonly kind: string;
  readonly spec: JsonObject;
  /** What makes the next pass wait in its middle. */
  readonly change: JsonObject;
  readonly isMeant: (resource: Resource) => boolean;
};

async function turnsUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isTrue()); turns += 1) {
    if (turns > 2000) throw new Error('it never became true');
    await turn();
  }
}

const isRevision = ({ plural }: Resource): boolean => plural === 'controllerrevisions';
const toTheEnd = templateOf('i', { app: 'x' }, { restartPolicy: 'Never' });

test.for<Case>([
  {
    name: 'daemonset',
    resource: daemonSets,
    kind: 'DaemonSet',
    spec: {
      selector: { matchLabels: { app: 'x' } },
      updateStrategy: { type: 'OnDelete' },
      template: templateOf('i:1'),
    },
    change: { spec: { template: { spec: { containers: [{ name: 'c', image: 'i:2' }] } } } },
    isMeant: isRevision,
  },
  {
    name: 'replicaset',
    resource: replicaSets,
    kind: 'ReplicaSet',
    spec: { ...one, replicas: 3, template: templateOf('i:1') },
    change: { metadata: { annotations: { look: 'again' } } },
    isMeant: ({ plural }) => plural === 'replicasets',
  },
  {
    name: 'job',
    resource: jobs,
    kind: 'Job',
    spec: {
      parallelism: 3,
      completions: 3,
      manualSelector: true,
      selector: { matchLabels: { app: 'x' } },
      template: toTheEnd,
    },
    change: { metadata: { annotations: { look: 'again' } } },
    isMeant: ({ plural }) => plural === 'jobs',
  },
])(
  'what a $name did and sees in the middle of a pass is not done again',
  async ({ name, resource, kind, spec, change, isMeant }) => {
    await using cluster = await openLoopCluster();
    const { clock, client } = cluster;
    const parts = { clock, random: seededRandom(5), report: () => undefined };
    const stop = new AbortController();
    const news = gate();
    const call = gate();
    await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }, never);
    await client.create(accounts, account, never);
    // A stray is in the cache before anything is held back; it begins to match later.
    const isAdopting = name !== 'daemonset';
    const labels = { app: 'x' };
    if (isAdopting) {
      await client.create(
        pods,
        { ...stray, metadata: { ...(stray['metadata'] as JsonObject), labels } },
        never,
      );
    }
    const informers = shareInformers({ client: heldWatches(client, news), ...parts });
    const gated = slow(client, call, isMeant);
    const workloads = startControllers({
      rootCa: '',
      ...parts,
      client: gated,
      tasks: systemTasks,
      names: new Set([name]),
      informers,
    });
    const running = informers.run(stop.signal);
    const apiVersion = `${resource.group}/${resource.version}`;
    await client.create(
      resource,
      { apiVersion, kind, metadata: { name: 'w', namespace: 'default' }, spec },
      never,
    );
    const made = async (): Promise<readonly string[]> => {
      const listed = await client.list(pods, {}, never);
      return listed.type === 'ok' ? listed.items.map(nameOf) : [];
    };
    const wanted = name === 'daemonset' ? 1 : 3;
    await turnsUntil(async () => (await made()).length >= wanted);
    await client.patch(resource, { namespace: 'default', name: 'w' }, { type: 'merge', body: change }, never);
    await turnsUntil(() => call.isWaitedFor);
    news.open();
    for (let turns = 0; turns < 50; turns += 1) await turn();
    call.open();
    for (let turns = 0; turns < 200; turns += 1) await turn();
    expect(await made()).toHaveLength(wanted);
    expect(call.pods).toBe(isAdopting ? wanted - 1 : wanted);
    stop.abort();
    await workloads.close();
    await running.catch(() => undefined);
  },
);

test('a pod that is scaled away does not go before its claim belongs to it', async () => {
  await using cluster = await openLoopCluster();
  const { clock, client } = cluster;
  await client.create(accounts, account, never);
  let isDisturbed = false;
  const disturbed: KubeClient = {
    ...client,
    async update(resource, object, signal) {
      if (resource.plural === claims.plural && !isDisturbed) {
        isDisturbed = true;
        const key = { namespace: 'default', name: nameOf(object) };
        const body = { metadata: { annotations: { touched: 'yes' } } };
        await client.patch(claims, key, { type: 'merge', body }, signal);
      }
      return client.update(resource, object, signal);
    },
  };
  const workloads = startControllers({
    rootCa: '',
    client: disturbed,
    clock,
    random: seededRandom(5),
    report: () => undefined,
    tasks: systemTasks,
    names: new Set(['statefulset']),
  });
  const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const set: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      ...one,
      replicas: 2,
      podManagementPolicy: 'Parallel',
      serviceName: 'db',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      template: templateOf('i:1'),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: storage }],
    },
  };
  await client.create(statefulSets, set, never);
  const find = (resource: Resource, name: string): ReturnType<KubeClient['get']> =>
    client.get(resource, { namespace: 'default', name }, never);
  await turnsUntil(async () => (await find(pods, 'db-1')).type === 'ok');
  await client.patch(
    statefulSets,
    { namespace: 'default', name: 'db' },
    { type: 'merge', body: { spec: { replicas: 1 } } },
    never,
  );
  await turnsUntil(async () => {
    clock.advance(millis(50));
    return (await find(pods, 'db-1')).type === 'not-found';
  });
  expect(isDisturbed).toBe(true);
  expect(await find(claims, 'data-db-1')).toMatchObject({
    object: { metadata: { ownerReferences: [{ kind: 'Pod', name: 'db-1' }] } },
  });
  await workloads.close();
});
