import { objectAt, type JsonObject } from '#base/json.ts';
import { nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import { found, never, type World } from './world.ts';

export const tkex = 'tkex.tencent.com/v1alpha1';
const namespace = 'default';

/** A template as a user applies it. */
export const templateOf = (image: string): JsonObject => ({
  metadata: { labels: { app: 'game' } },
  spec: {
    containers: [
      { name: 'game', image, env: [], resources: { limits: { cpu: '0.5' } } },
      { name: 'log', image: 'log:1' },
    ],
  },
});

/** The same as the original operators write it: decoded to types of Go and encoded again. */
const goTemplateOf = (image: string): JsonObject => ({
  metadata: { creationTimestamp: null, labels: { app: 'game' } },
  spec: {
    containers: [
      { name: 'game', image, resources: { limits: { cpu: '500m' } } },
      { name: 'log', image: 'log:1', resources: {} },
    ],
  },
});

export type OriginalRelease = {
  readonly kind: 'GameDeployment' | 'GameStatefulSet';
  readonly type: 'RollingUpdate' | 'InplaceUpdate';
  readonly steps?: readonly JsonObject[];
  /** The image in the spec; the first one unless a release was started. */
  readonly image?: string;
  /** Number of pods that have it. */
  readonly updated?: number;
  readonly status?: JsonObject;
  readonly paused?: boolean;
  /** Name of the HookRun of the current step, without the revision. */
  readonly hookRun?: string;
};

export const stable = 'game-67864c6f65';
export const canary = 'game-9d78dd5db';
const ids = ['5nkbw', 'cgx42', 'vxd7z'];

/** What the original operators leave in a cluster: a workload of three pods, its revisions, and a status. */
export async function leaveOriginal(world: World, release: OriginalRelease): Promise<KubeObject> {
  const { kind, type, steps, image = 'game:1', updated = 0, paused = false } = release;
  const isDeployment = kind === 'GameDeployment';
  const workload = await world.make(isDeployment ? gameDeployments : gameStatefulSets, {
    apiVersion: tkex,
    kind,
    metadata: { name: 'game', namespace },
    spec: {
      replicas: 3,
      ...(isDeployment ? {} : { serviceName: 'game', podManagementPolicy: 'Parallel' }),
      selector: { matchLabels: { app: 'game' } },
      template: templateOf(image),
      updateStrategy: { type, paused, ...(steps === undefined ? {} : { canary: { steps } }) },
    },
  });
  const ownerReferences = [owner(workload)];
  await leaveRevision(world, { name: stable, image: 'game:1', number: 1, ownerReferences });
  if (image !== 'game:1') await leaveRevision(world, { name: canary, image, number: 2, ownerReferences });
  for (const at of ids.keys()) await world.make(pods, podAt(at, release, ownerReferences));
  await world.pass(5);
  await setReady(world);
  if (release.hookRun !== undefined) await leaveHookRun(world, workload, release.hookRun);
  return writeStatus(world, workload, { replicas: 3, updatedReplicas: updated, ...release.status });
}

function podAt(
  at: number,
  { kind, image = 'game:1', updated = 0 }: OriginalRelease,
  ownerReferences: readonly JsonObject[],
): JsonObject {
  // Both kinds update the last pods first.
  const isUpdated = at >= ids.length - updated;
  const isDeployment = kind === 'GameDeployment';
  const id = ids[at] ?? '';
  const name = isDeployment ? `game-${id}` : `game-${at}`;
  const identity = isDeployment
    ? { 'tkex.bkbcs.tencent.com/gamedeployment-instance-id': id }
    : {
        'gamestatefulset.kubernetes.io/pod-name': name,
        'gamestatefulset.kubernetes.io/pod-ordinal': String(at),
      };
  const { spec } = goTemplateOf(isUpdated ? image : 'game:1');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { app: 'game', 'controller-revision-hash': isUpdated ? canary : stable, ...identity },
      ownerReferences,
    },
    spec: {
      ...(spec as JsonObject),
      ...(isDeployment ? {} : { hostname: name, subdomain: 'game' }),
      readinessGates: [{ conditionType: 'InPlaceUpdateReady' }],
    },
  };
}

const owner = (workload: KubeObject): JsonObject => ({
  apiVersion: tkex,
  kind: workload['kind'] ?? '',
  name: nameOf(workload),
  uid: uidOf(workload),
  controller: true,
  blockOwnerDeletion: true,
});

async function leaveRevision(
  world: World,
  { name, image, number, ownerReferences }: JsonObject & { name: string; image: string; number: number },
): Promise<void> {
  const hash = name.slice('game-'.length);
  await world.make(revisions, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace,
      labels: { app: 'game', 'controller.kubernetes.io/hash': hash },
      ownerReferences: ownerReferences ?? [],
    },
    data: { spec: { template: { $patch: 'replace', ...goTemplateOf(image) } } },
    revision: number,
  });
}

/** The original operators set the readiness gate of new pods. */
async function setReady(world: World): Promise<void> {
  for (const pod of world.stored('/pods')) {
    const status = objectAt(pod, 'status') ?? {};
    const conditions = [
      ...((status['conditions'] ?? []) as readonly JsonObject[]),
      { type: 'InPlaceUpdateReady', status: 'True', lastTransitionTime: '2026-01-05T12:00:05Z' },
    ];
    found(await world.client.updateStatus(pods, { ...pod, status: { ...status, conditions } }, never));
  }
  await world.pass(5);
}

/** A HookRun of a step as the original operators name and label it. */
async function leaveHookRun(world: World, workload: KubeObject, template: string): Promise<void> {
  await world.make(hookRuns, {
    apiVersion: tkex,
    kind: 'HookRun',
    metadata: {
      name: `canary-${canary}-1-${template}`,
      namespace,
      labels: { 'hookrun-type': 'canary-step', 'workload-revision': canary, 'canary-step-index': '1' },
      ownerReferences: [owner(workload)],
    },
    spec: { metrics: [hookMetric] },
  });
}

export const hookMetric: JsonObject = {
  name: 'age',
  successCondition: 'asInt(result) < 30',
  provider: { web: { url: 'http://127.0.0.1:9091/', jsonPath: '{$.age}' } },
};

export async function writeStatus(
  world: World,
  workload: KubeObject,
  status: JsonObject,
): Promise<KubeObject> {
  const resource = workload['kind'] === 'GameDeployment' ? gameDeployments : gameStatefulSets;
  const live = found(await world.client.get(resource, { namespace, name: nameOf(workload) }, never));
  const written = { ...live, status: { ...objectAt(live, 'status'), ...status } };
  return found(
    await world.client.updateStatus(resource, written, never, {
      fieldManager: 'bcs-gamedeployment-operator',
    }),
  );
}
