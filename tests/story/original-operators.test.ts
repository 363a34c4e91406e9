import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatMicroTime } from '#base/time.ts';
import { findOthers } from '#cli/doctor/find-others.ts';
import type { OtherTraces } from '#cli/doctor/other-operators.ts';
import { productKinds } from '#cli/product-kinds.ts';
import type { Control } from '#cli/start-controllers.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { isDeleting, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import {
  canary,
  hookMetric,
  leaveOriginal,
  stable,
  templateOf,
  tkex,
  writeStatus,
  type OriginalRelease,
} from '../support/original-operator.ts';
import { found, never, openWorld, type World } from '../support/world.ts';

const key = { namespace: 'default', name: 'game' };

type MovedWorld = World & { readonly asked: string[]; begin(): Control };

/** A cluster with nodes, in which the original operators ran so far. */
async function openMoved(): Promise<MovedWorld> {
  const world = await openWorld({ controllers: 'all', nodes: 2, ownKinds: true });
  const asked: string[] = [];
  const outgoing: Outgoing = ({ url }) => {
    world.touch();
    asked.push(url);
    return Promise.resolve(readyAnswer(200, '{"age":25}'));
  };
  let control: Control | undefined;
  return {
    ...world,
    asked,
    begin: () => (control = world.control({ outgoing })),
    async [Symbol.asyncDispose]() {
      await control?.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

const workloadIn = (world: World): KubeObject =>
  [
    ...world.stored('tkex.tencent.com/gamedeployments'),
    ...world.stored('tkex.tencent.com/gamestatefulsets'),
  ][0] ?? {};
const podsIn = (world: World): readonly KubeObject[] =>
  world.stored('/pods').filter((pod) => !isDeleting(pod));
const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
const restarts = (pod: KubeObject): number =>
  listAt(pod, 'status', 'containerStatuses').reduce<number>(
    (sum, each) => sum + (numberAt(each, 'restartCount') ?? 0),
    0,
  );
const asTheyAre = (world: World): readonly string[] =>
  podsIn(world).map((pod) => `${nameOf(pod)} ${uidOf(pod)} ${imageOf(pod)} ${restarts(pod)}`);
const revisionsIn = (world: World): readonly string[] => world.stored('apps/controllerrevisions').map(nameOf);
const isComplete = (world: World): boolean => textAt(workloadIn(world), 'status', 'phase') === 'Complete';
const template = {
  apiVersion: tkex,
  kind: 'HookTemplate',
  metadata: { name: 'ask', namespace: 'default' },
  spec: { metrics: [hookMetric] },
};

const steps = [{ partition: 2 }, { pause: {} }, { partition: 0 }];
const done: JsonObject = {
  readyReplicas: 3,
  updatedReplicas: 3,
  updatedReadyReplicas: 3,
  updateRevision: stable,
  currentStepIndex: 3,
  currentStepHash: '7c9b4d5f68',
  canary: { revision: stable },
  collisionCount: 0,
};

test.for<OriginalRelease>([
  { kind: 'GameDeployment', type: 'RollingUpdate', steps, status: done },
  { kind: 'GameDeployment', type: 'InplaceUpdate', status: { ...done, canary: {} } },
  { kind: 'GameStatefulSet', type: 'RollingUpdate', steps, status: { ...done, currentRevision: stable } },
  { kind: 'GameStatefulSet', type: 'InplaceUpdate', steps, status: { ...done, currentRevision: stable } },
])('a finished release of the original operators stays as it is: $kind, $type', async (release) => {
  await using world = await openMoved();
  await leaveOriginal(world, release);
  const before = asTheyAre(world);
  expect(before).toHaveLength(3);
  world.begin();
  await world.pass(30);
  expect(asTheyAre(world)).toEqual(before);
  expect(revisionsIn(world)).toEqual([stable]);
  expect(workloadIn(world)['status']).toMatchObject({
    phase: 'Complete',
    updateRevision: stable,
    readyReplicas: 3,
  });
});

const started: JsonObject = {
  readyReplicas: 3,
  updatedReplicas: 1,
  updatedReadyReplicas: 1,
  updateRevision: canary,
  currentStepIndex: 1,
  currentStepHash: '7c9b4d5f68',
  canary: { revision: stable },
};
const pausedNow: JsonObject = {
  ...started,
  pauseConditions: [{ reason: 'PausedByCanaryPauseStep', startTime: '2026-01-05T12:00:01Z' }],
};

test.for<OriginalRelease['kind']>(['GameDeployment', 'GameStatefulSet'])(
  'a release that is paused continues from its step: %s',
  async (kind) => {
    await using world = await openMoved();
    const release = {
      kind,
      type: 'InplaceUpdate',
      steps,
      image: 'game:2',
      updated: 1,
      status: pausedNow,
      paused: true,
    } as const;
    await leaveOriginal(world, release);
    const before = asTheyAre(world);
    world.begin();
    await world.pass(30);
    expect(asTheyAre(world)).toEqual(before);
    expect(revisionsIn(world).toSorted()).toEqual([stable, canary].toSorted());
    expect(workloadIn(world)['status']).toMatchObject({
      phase: 'Paused',
      reason: 'PausedByCanaryPauseStep',
      step: '2/3',
      currentStepIndex: 1,
      canary: { revision: stable },
      pauseConditions: [{ startTime: '2026-01-05T12:00:01Z' }],
    });

    const body = { spec: { updateStrategy: { paused: false } } };
    const resource =
      kind === 'GameDeployment' ? gameDeployments : { ...gameDeployments, plural: 'gamestatefulsets' };
    found(await world.client.patch(resource, key, { type: 'merge', body }, never));
    await world.until(() => isComplete(world));
    const uids = before.map((line) => line.split(' ')[1]);
    expect(podsIn(world).map(uidOf)).toEqual(uids);
    expect(podsIn(world).map(imageOf)).toEqual(['game:2', 'game:2', 'game:2']);
    expect(podsIn(world).map(restarts)).toEqual(before.map((line) => (line.includes('game:2') ? 0 : 1)));
  },
);

test('a pause that a user has ended while no operator ran is over', async () => {
  await using world = await openMoved();
  const release = {
    kind: 'GameDeployment',
    type: 'InplaceUpdate',
    steps,
    image: 'game:2',
    updated: 1,
    status: pausedNow,
  } as const;
  await leaveOriginal(world, release);
  world.begin();
  await world.until(() => isComplete(world));
  expect(podsIn(world).map(imageOf)).toEqual(['game:2', 'game:2', 'game:2']);
});

test('the hook of a step is not run again: the HookRun of the original operator counts', async () => {
  await using world = await openMoved();
  await world.make(hookTemplates, template);
  const run = `canary-${canary}-1-ask`;
  await leaveOriginal(world, {
    kind: 'GameDeployment',
    type: 'InplaceUpdate',
    steps: [{ partition: 2 }, { hook: { templateName: 'ask' } }],
    image: 'game:2',
    updated: 1,
    hookRun: 'ask',
    status: { ...started, canary: { revision: stable, currentStepHookRun: run } },
  });
  world.begin();
  await world.until(() => isComplete(world));
  expect(world.stored('tkex.tencent.com/hookruns').map(nameOf)).toEqual([run]);
  expect(world.asked).toHaveLength(1);
  expect(listAt(workloadIn(world), 'status', 'history')).toMatchObject([
    { revision: canary, outcome: 'Complete', verdicts: [{ hookRun: run, phase: 'Successful' }] },
  ]);
});

test('the next release after the move is done in place, and back again', async () => {
  await using world = await openMoved();
  await leaveOriginal(world, { kind: 'GameDeployment', type: 'InplaceUpdate', steps, status: done });
  world.begin();
  await world.pass(5);
  const uids = podsIn(world).map(uidOf);
  const change = async (image: string): Promise<void> => {
    const body = { spec: { template: templateOf(image) } };
    found(await world.client.patch(gameDeployments, key, { type: 'merge', body }, never));
  };
  await change('game:2');
  await world.until(() => textAt(workloadIn(world), 'status', 'reason') === 'PausedByCanaryPauseStep');
  expect(podsIn(world).map(imageOf).sort()).toEqual(['game:1', 'game:1', 'game:2']);
  await change('game:1');
  await world.until(() => isComplete(world));
  expect(textAt(workloadIn(world), 'status', 'updateRevision')).toBe(stable);
  expect(podsIn(world).map(imageOf)).toEqual(['game:1', 'game:1', 'game:1']);
  expect(podsIn(world).map(uidOf)).toEqual(uids);
});

test('a workload that an original operator still writes is left alone for a while, and an event says so', async () => {
  await using world = await openMoved();
  const workload = await leaveOriginal(world, {
    kind: 'GameDeployment',
    type: 'InplaceUpdate',
    steps,
    status: done,
  });
  world.begin();
  await world.pass(5);
  // It writes its own hash of the steps, and drops what it does not know.
  for (let round = 0; round < 3; round += 1) {
    await writeStatus(world, workload, { currentStepHash: `7c9b4d5f6${round}`, phase: 'Progressing' });
    await world.pass(2);
  }
  const said = await world.told('game');
  expect(said.filter((line) => line.includes('OtherController'))).toEqual([
    expect.stringMatching(
      /^Warning OtherController bcs-gamedeployment-operator writes the status of this GameDeployment, too .* leaves it alone for 5 minutes.* boathook doctor/,
    ),
  ]);
  const body = { spec: { template: templateOf('game:2') } };
  found(await world.client.patch(gameDeployments, key, { type: 'merge', body }, never));
  await world.pass(60, 5);
  expect(podsIn(world).map(imageOf)).toEqual(['game:1', 'game:1', 'game:1']);
  await world.pass(300, 5);
  expect(podsIn(world).map(imageOf).sort()).toEqual(['game:1', 'game:1', 'game:2']);
});

/** Kinds that the embedded server has not. */
async function serve(world: World, group: string, kind: string): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  await world.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  await world.settle();
}

test('what other controllers leave behind is found', async () => {
  await using world = await openMoved();
  const workload = await leaveOriginal(world, {
    kind: 'GameDeployment',
    type: 'InplaceUpdate',
    steps,
    status: done,
  });
  const look = (): Promise<OtherTraces> =>
    findOthers(
      { client: world.client, now: world.clock.now(), signal: never, kinds: productKinds },
      'boathook-system',
    );
  const nothing = { leaders: [], installations: [], writes: [], webhooks: [], services: [] };
  expect(await look()).toEqual(nothing);
  const control = world.begin();
  await world.pass(5);
  await control.close();
  await world.pass(2);
  await writeStatus(world, workload, { currentStepHash: '7c9b4d5f69' });
  const lease = (namespace: string, name: string): JsonObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace },
    spec: {
      holderIdentity: 'someone',
      leaseDurationSeconds: 15,
      renewTime: formatMicroTime(world.clock.now()),
    },
  });
  const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
  await world.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'bcs-system' },
  });
  await world.make(leases, lease('bcs-system', 'gamestatefulset'));
  await world.make(leases, lease('default', 'boathook-controller'));
  await serve(world, 'admissionregistration.k8s.io', 'ValidatingWebhookConfiguration');
  await serve(world, 'apiregistration.k8s.io', 'APIService');
  await world.create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'bcs-gamedeployment' },
    webhooks: [{ name: 'a.example.com', rules: [{ apiGroups: ['tkex.tencent.com'] }] }],
  });
  await world.create('/apis/apiregistration.k8s.io/v1/apiservices', {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.platform.tkestack.io' },
    spec: { group: 'platform.tkestack.io', service: { namespace: 'tke', name: 'tke-platform-api' } },
  });
  expect(await look()).toMatchObject({
    leaders: [{ operator: { name: 'bcs-gamestatefulset-operator' }, holder: 'someone' }],
    installations: ['default/boathook-controller'],
    writes: [{ object: 'GameDeployment default/game', manager: 'bcs-gamedeployment-operator' }],
    webhooks: ['ValidatingWebhookConfiguration bcs-gamedeployment'],
    services: ['platform.tkestack.io is served by tke/tke-platform-api'],
  });
});

test('an event says when another controller measures the same HookRun', async () => {
  await using world = await openMoved();
  world.begin();
  const metric = { ...hookMetric, count: 4, interval: '2s' };
  const run = { apiVersion: tkex, kind: 'HookRun', metadata: { name: 'asks', namespace: 'default' } };
  await world.make(hookRuns, { ...run, spec: { metrics: [metric] } });
  await world.pass(3);
  const live = found(await world.client.get(hookRuns, { namespace: 'default', name: 'asks' }, never));
  const status = { ...objectAt(live, 'status'), message: 'measured by another' };
  found(
    await world.client.updateStatus(hookRuns, { ...live, status }, never, {
      fieldManager: 'bcs-hook-operator',
    }),
  );
  await world.pass(10);
  expect((await world.told('asks')).filter((line) => line.includes('OtherController'))).toEqual([
    expect.stringMatching(
      /^Warning OtherController bcs-hook-operator writes the status of this HookRun, too/,
    ),
  ]);
});
