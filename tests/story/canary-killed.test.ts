import { expect, test } from 'vitest';
import { at, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { annotationsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import {
  breaking,
  hookRuns,
  hookTemplates,
  never,
  openHooksWorld,
  webMetric,
  type HooksWorld,
} from '../support/hooks-world.ts';

const gameDeployments: Resource = { ...hookRuns, plural: 'gamedeployments' };
const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };

const game = (updateStrategy: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name: 'game', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'game' } },
    template: {
      metadata: { labels: { app: 'game' } },
      spec: { containers: [{ name: 'c', image: 'game:1' }] },
    },
    updateStrategy,
    ...more,
  },
});

const template: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'ask', namespace: 'default' },
  spec: { metrics: [webMetric('age')] },
};

async function change(world: HooksWorld, path: string, value: Json): Promise<void> {
  const body = [{ op: 'replace', path, value }];
  const key = { namespace: 'default', name: 'game' };
  const outcome = await world.client.patch(gameDeployments, key, { type: 'json', body }, never);
  if (outcome.type !== 'ok') throw new Error(outcome.message);
}

async function look(world: HooksWorld): Promise<KubeObject> {
  const found = await world.client.get(gameDeployments, { namespace: 'default', name: 'game' }, never);
  if (found.type !== 'ok') throw new Error(found.message);
  return found.object;
}

const items = async (world: HooksWorld, resource: Resource): Promise<readonly KubeObject[]> => {
  const listed = await world.client.list(resource, { namespace: 'default' }, never);
  return listed.type === 'ok' ? listed.items : [];
};

const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';

/** Brings a workload up with a healthy controller, which then ends. */
async function settled(world: HooksWorld, workload: JsonObject): Promise<void> {
  const control = world.control();
  await control.synced;
  await world.client.create(hookTemplates, template, never);
  await world.client.create(gameDeployments, workload, never);
  await world.pass(3, 1);
  expect((await look(world))['status']).toMatchObject({ phase: 'Complete', readyReplicas: 3 });
  await control.close();
}

/** A controller whose way to the server breaks at a write, and then one whose way does not. */
async function killedAt(world: HooksWorld, write: number, when: 'before' | 'after'): Promise<boolean> {
  const { around, broken } = breaking(write, when);
  const doomed = world.control({ around, names: ['gamedeployment', 'hookrun'] });
  let isBroken = false;
  void broken.then(() => (isBroken = true));
  await world.pass(8, 1);
  await doomed.close();
  await world.control().synced;
  return isBroken;
}

const ways = ['before', 'after'] as const;
const writes = Array.from({ length: 26 }, (_none, index) => index + 1);

test.for(ways.flatMap((when) => writes.map((write) => [write, when] as const)))(
  'killed at write %i, %s it: the release in place stops at its hook all the same',
  async ([write, when]) => {
    await using world = await openHooksWorld({ nodes: 1, controlled: false });
    world.service = () => ({ age: 45 });
    const steps = [{ partition: 2 }, { pause: { duration: 1 } }, { hook: { templateName: 'ask' } }];
    await settled(world, game({ type: 'InplaceUpdate', canary: { steps } }));
    const before = (await items(world, pods)).map(nameOf);
    const stable = textAt(await look(world), 'status', 'updateRevision');
    await change(world, '/spec/template/spec/containers/0/image', 'game:2');
    await killedAt(world, write, when);
    await world.pass(45, 1);

    const seen = await look(world);
    const revision = textAt(seen, 'status', 'updateRevision') ?? '';
    expect(seen['status']).toMatchObject({
      currentStepIndex: 2,
      canary: { revision: stable, currentStepHookRun: `${revision}-2-ask` },
      pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
      updatedReplicas: 1,
      updatedReadyReplicas: 1,
      readyReplicas: 3,
      replicas: 3,
    });
    expect(at(seen, 'spec', 'updateStrategy', 'paused')).toBe(true);
    expect((await items(world, hookRuns)).map(nameOf)).toEqual([`${revision}-2-ask`]);
    const after = await items(world, pods);
    expect(after.map(nameOf)).toEqual(before);
    expect(after.map(imageOf).sort()).toEqual(['game:1', 'game:1', 'game:2']);
  },
);

test.for(ways.flatMap((when) => writes.slice(0, 16).map((write) => [write, when] as const)))(
  'killed at write %i, %s it: pods are asked about once each and replaced',
  async ([write, when]) => {
    await using world = await openHooksWorld({ nodes: 1, controlled: false });
    const hook = { preDeleteUpdateStrategy: { hook: { templateName: 'ask' } } };
    await settled(world, game({ type: 'RollingUpdate', maxUnavailable: 1 }, hook));
    const before = new Set((await items(world, pods)).map(uidOf));
    await change(world, '/spec/template/spec/containers/0/image', 'game:2');
    await killedAt(world, write, when);
    await world.pass(60, 1);

    expect((await look(world))['status']).toMatchObject({
      phase: 'Complete',
      updatedReadyReplicas: 3,
      replicas: 3,
    });
    const after = await items(world, pods);
    expect(after.filter((pod) => before.has(uidOf(pod)))).toEqual([]);
    expect(after.map(imageOf)).toEqual(['game:2', 'game:2', 'game:2']);
    expect(after.filter((pod) => annotationsOf(pod)['boathook.dev/leaving'] !== undefined)).toEqual([]);
    expect(await items(world, hookRuns)).toEqual([]);
    // A run whose writer died may have been judged twice, but nobody was asked about for whom there was no need.
    expect(world.asked.length).toBeGreaterThanOrEqual(3);
    expect(world.asked.length).toBeLessThanOrEqual(4);
    expect(numberAt(await look(world), 'status', 'availableReplicas')).toBe(3);
  },
);

test('the writes that were broken are all there are', async () => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  world.service = () => ({ age: 45 });
  const steps = [{ partition: 2 }, { pause: { duration: 1 } }, { hook: { templateName: 'ask' } }];
  await settled(world, game({ type: 'InplaceUpdate', canary: { steps } }));
  await change(world, '/spec/template/spec/containers/0/image', 'game:2');
  expect(await killedAt(world, writes.length + 1, 'before')).toBe(false);
});
