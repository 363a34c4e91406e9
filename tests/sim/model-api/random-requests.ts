import type { Json, JsonObject } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Patch, RemoveOptions } from '#edge/kube/write-verbs.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { resourceVersionOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { budgets, claims, pods, revisions } from '#loop/owned/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { below, pick } from '../choice.ts';

const never = new AbortController().signal;
const namespace = 'default';

/** A request that can be sent to two servers: versions and uids are those that each of them gave. */
export type RandomRequest = {
  readonly text: string;
  send(client: KubeClient, known: ReadonlyMap<string, KubeObject>): Promise<Outcome>;
};

type Sort = { readonly resource: Resource; readonly make: (name: string, random: Random) => JsonObject };

const sorts: readonly Sort[] = [
  {
    resource: pods,
    make: (name, random) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels: { app: pick(random, ['a', 'b']) },
        ...finalizers(random, 'example.com/hold'),
      },
      spec: {
        ...(random.next() < 0.5 ? { nodeName: 'node-0' } : {}),
        containers: [{ name: 'c', image: 'app:1' }],
        terminationGracePeriodSeconds: pick(random, [0, 1, 30]),
      },
    }),
  },
  {
    resource: gameDeployments,
    make: (name, random) => ({
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'GameDeployment',
      metadata: { name, namespace, ...finalizers(random, 'example.com/hold') },
      spec: {
        replicas: below(random, 4),
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'app:1' }] },
        },
      },
      status: { replicas: 9 },
    }),
  },
  {
    resource: hookRuns,
    make: (name) => ({
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'HookRun',
      metadata: { name, namespace },
      spec: { metrics: [{ name: 'm', provider: { web: { url: 'http://127.0.0.1/' } } }] },
    }),
  },
  {
    resource: revisions,
    make: (name) => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name, namespace, labels: { app: 'a' } },
      data: { spec: {} },
      revision: 1,
    }),
  },
  {
    resource: claims,
    make: (name) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace, labels: { app: 'a' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeMode: 'Filesystem',
      },
    }),
  },
  {
    resource: budgets,
    make: (name) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'a' } } },
    }),
  },
];

const finalizers = (random: Random, name: string): JsonObject =>
  random.next() < 0.3 ? { finalizers: [name] } : {};

/** One request, about one of a few names, so that many meet objects that are there. */
export function randomRequest(random: Random): RandomRequest {
  const { resource, make } = pick(random, sorts);
  const name = pick(random, ['x', 'y', 'z']);
  const key = { namespace, name };
  const id = `${resource.plural}/${name}`;
  switch (below(random, 8)) {
    case 0:
    case 1: {
      const object = make(name, random);
      return { text: `create ${id}`, send: (client) => client.create(resource, object, never) };
    }
    case 2:
      return { text: `get ${id}`, send: (client) => client.get(resource, key, never) };
    case 3:
      return put(resource, id, random);
    case 4:
    case 5:
      return patchOf(resource, key, id, random);
    case 6:
      return putStatus(resource, id, random);
    default:
      return removal(resource, key, id, random);
  }
}

/** A PUT over what the client last saw: sometimes an old version, sometimes none. */
function put(resource: Resource, id: string, random: Random): RandomRequest {
  const [version, label] = [pick(random, ['known', 'none', 'old']), pick(random, ['1', '2', '3'])];
  const isSpec = random.next() < 0.4;
  return {
    text: `put ${id} version ${version} label ${label} spec ${isSpec}`,
    send: (client, known) => {
      const object = known.get(id);
      if (object === undefined) return Promise.resolve(nothing);
      const labelled = withMeta(object, { labels: { app: 'a', label }, ...versionOf(object, version) });
      const changed = isSpec ? withSpec(resource, labelled, label) : labelled;
      return client.update(resource, changed, never);
    },
  };
}

const versionOf = (object: KubeObject, version: string): JsonObject => {
  if (version === 'known') return { resourceVersion: resourceVersionOf(object) };
  return { resourceVersion: version === 'old' ? '1' : '' };
};

function withSpec(resource: Resource, object: KubeObject, label: string): KubeObject {
  const spec = object['spec'] as JsonObject | undefined;
  if (resource === gameDeployments) return { ...object, spec: { ...spec, replicas: Number(label) } };
  if (resource === hookRuns) return { ...object, spec: { ...spec, terminate: true } };
  if (resource === budgets) return { ...object, spec: { ...spec, maxUnavailable: Number(label) } };
  return object;
}

function putStatus(resource: Resource, id: string, random: Random): RandomRequest {
  const value = below(random, 3);
  const status: JsonObject =
    resource === pods
      ? { phase: 'Running', qosClass: 'BestEffort', conditions: [{ type: 'Ready', status: 'True' }] }
      : resource === hookRuns
        ? { phase: 'Running', message: String(value) }
        : { observedGeneration: value };
  return {
    text: `put status ${id} ${value}`,
    send: (client, known) => {
      const object = known.get(id);
      if (object === undefined || [revisions, budgets, claims].includes(resource))
        return Promise.resolve(nothing);
      return client.updateStatus(resource, { ...withMeta(object, { labels: { app: 'c' } }), status }, never);
    },
  };
}

function patchOf(
  resource: Resource,
  key: { readonly namespace: string; readonly name: string },
  id: string,
  random: Random,
): RandomRequest {
  const isOld = random.next() < 0.2;
  const uid = pick(random, ['none', 'none', 'right', 'wrong']);
  const { type, body } = pick(random, bodiesFor(resource));
  return {
    text: `patch ${id} ${type} ${JSON.stringify(body)} uid ${uid} old ${isOld}`,
    send: (client, known) => {
      const object = known.get(id);
      const meta = {
        ...(isOld && { resourceVersion: '1' }),
        ...(uid === 'right' && object !== undefined && { uid: uidOf(object) }),
        ...(uid === 'wrong' && { uid: '11111111-1111-4111-8111-111111111111' }),
      };
      const whole = type === 'json' ? body : withMeta(body as KubeObject, meta);
      return client.patch(resource, key, { type, body: whole }, never);
    },
  };
}

function bodiesFor(resource: Resource): readonly Patch[] {
  const common: readonly Patch[] = [
    { type: 'merge', body: { metadata: { annotations: { a: '1' } } } },
    { type: 'merge', body: { metadata: { annotations: { a: null } } } },
    { type: 'merge', body: { metadata: { finalizers: null } } },
    { type: 'merge', body: { metadata: { finalizers: ['example.com/more'] } } },
    { type: 'json', body: [{ op: 'add', path: '/metadata/labels', value: { j: '1' } }] },
  ];
  if (resource === gameDeployments)
    return [
      ...common,
      { type: 'merge', body: { spec: { replicas: 2 } } },
      { type: 'merge', body: { spec: { updateStrategy: { paused: true } } } },
      { type: 'strategic', body: { spec: { replicas: 2 } } },
    ];
  if (resource !== pods) return common;
  return [
    ...common,
    {
      type: 'strategic',
      body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] } },
    },
    { type: 'strategic', body: { metadata: { finalizers: ['boathook.dev/pre-delete-hook'] } } },
    { type: 'strategic', body: { spec: { containers: [{ name: 'c', image: 'app:2' }] } } },
    { type: 'strategic', body: { metadata: { labels: { revision: 'r2' }, annotations: { b: '2' } } } },
  ];
}

function removal(
  resource: Resource,
  key: { readonly namespace: string; readonly name: string },
  id: string,
  random: Random,
): RandomRequest {
  const uid = pick(random, ['none', 'right', 'wrong']);
  const policy = pick(random, ['Background', 'Background', 'Foreground', 'Orphan'] as const);
  const grace = pick(random, [undefined, undefined, 0, 5]);
  return {
    text: `delete ${id} uid ${uid} ${policy} grace ${grace}`,
    send: (client, known) => {
      const object = known.get(id);
      const options: RemoveOptions = {
        propagationPolicy: policy,
        ...(grace !== undefined && { gracePeriodSeconds: grace }),
        ...(uid === 'right' && object !== undefined && { preconditions: { uid: uidOf(object) } }),
        ...(uid === 'wrong' && { preconditions: { uid: '11111111-1111-4111-8111-111111111111' } }),
      };
      return client.remove(resource, key, never, options);
    },
  };
}

const nothing: Outcome = { type: 'not-found', code: 404, message: 'nothing is known', status: {} };

export const resourcesOfRequests: readonly Resource[] = sorts.map(({ resource }) => resource);

/** What both servers must agree on: no versions, no uids, no empty maps. */
export function comparable(object: Json): Json {
  if (Array.isArray(object)) return object.map((each: Json) => comparable(each));
  if (typeof object !== 'object' || object === null) return object;
  const entries = Object.entries(object).filter(([key, value]) => !ignored.has(key) && !isEmpty(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, comparable(value)]));
}

const isEmpty = (value: Json): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const ignored = new Set(['uid', 'resourceVersion', 'managedFields', 'lastTransitionTime', 'lastProbeTime']);
