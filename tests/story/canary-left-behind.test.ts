import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import {
  events,
  hookRuns,
  hookTemplates,
  never,
  openHooksWorld,
  webMetric,
  type HooksWorld,
} from '../support/hooks-world.ts';

const gameDeployments: Resource = { ...hookRuns, plural: 'gamedeployments' };
const gameStatefulSets: Resource = { ...hookRuns, plural: 'gamestatefulsets' };
const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };

const finalizer = 'boathook.dev/pre-delete-hook';

const kinds = [
  { kind: 'GameDeployment', resource: gameDeployments, more: {} },
  { kind: 'GameStatefulSet', resource: gameStatefulSets, more: { serviceName: 'game' } },
] as const;

const template: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'ask', namespace: 'default' },
  spec: { metrics: [{ ...webMetric('age'), successCondition: 'false' }] },
};

const workload = (kind: string, more: JsonObject): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind,
  metadata: { name: 'game', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'game' } },
    template: {
      metadata: { labels: { app: 'game' } },
      spec: { containers: [{ name: 'c', image: 'game:1' }] },
    },
    ...more,
  },
});

const enforced: JsonObject = {
  preDeleteUpdateStrategy: { enforce: 'Always', hook: { templateName: 'ask' } },
};

const items = async (world: HooksWorld, resource: Resource): Promise<readonly KubeObject[]> => {
  const listed = await world.client.list(resource, { namespace: 'default' }, never);
  return listed.type === 'ok' ? listed.items : [];
};

async function patchPod(world: HooksWorld, pod: KubeObject, metadata: JsonObject): Promise<void> {
  const key = { namespace: 'default', name: nameOf(pod) };
  const outcome = await world.client.patch(pods, key, { type: 'merge', body: { metadata } }, never);
  if (outcome.type !== 'ok') throw new Error(outcome.message);
}

const finalizersOf = async (world: HooksWorld, name: string): Promise<readonly unknown[]> =>
  listAt(
    (await items(world, pods)).find((pod) => nameOf(pod) === name),
    'metadata',
    'finalizers',
  );

test.for(kinds)('a pod that a $kind lets go waits for no hook', async ({ kind, resource, more }) => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  await world.control().synced;
  await world.client.create(hookTemplates, template, never);
  await world.client.create(resource, workload(kind, { ...enforced, ...more }), never);
  await world.pass(3, 1);
  const [pod] = await items(world, pods);
  if (pod === undefined) throw new Error('no pod was made');
  expect(await finalizersOf(world, nameOf(pod))).toEqual([finalizer]);
  await patchPod(world, pod, { labels: { app: 'other' } });
  await world.pass(3, 1);
  expect(await finalizersOf(world, nameOf(pod))).toEqual([]);
});

test.for(kinds)('nor does one whose $kind left it behind', async ({ kind, resource, more }) => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  const first = world.control();
  await first.synced;
  await world.client.create(hookTemplates, template, never);
  await world.client.create(resource, workload(kind, { ...enforced, ...more }), never);
  await world.pass(3, 1);
  await first.close();
  const left = await items(world, pods);
  expect(left).toHaveLength(2);
  for (const pod of left) await patchPod(world, pod, { ownerReferences: null });
  const key = { namespace: 'default', name: 'game' };
  await world.client.remove(resource, key, never);
  for (const pod of left) await world.client.remove(pods, { namespace: 'default', name: nameOf(pod) }, never);
  await world.control().synced;
  await world.pass(3, 1);
  for (const pod of left) expect(await finalizersOf(world, nameOf(pod))).toEqual([]);
});

test('a pod that is taken up again has its finalizer again', async () => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  await world.control().synced;
  await world.client.create(hookTemplates, template, never);
  await world.client.create(gameDeployments, workload('GameDeployment', enforced), never);
  await world.pass(3, 1);
  const [pod] = await items(world, pods);
  if (pod === undefined) throw new Error('no pod was made');
  await patchPod(world, pod, { ownerReferences: null });
  await world.pass(3, 1);
  expect(await finalizersOf(world, nameOf(pod))).toEqual([finalizer]);
});

test('a step that cannot ask its hook is told in a Warning', async () => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  await world.control().synced;
  const updateStrategy = {
    type: 'InplaceUpdate',
    canary: { steps: [{ partition: 1 }, { hook: { templateName: 'nowhere' } }] },
  };
  await world.client.create(gameDeployments, workload('GameDeployment', { updateStrategy }), never);
  await world.pass(3, 1);
  const body = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'game:2' }];
  const key = { namespace: 'default', name: 'game' };
  await world.client.patch(gameDeployments, key, { type: 'json', body }, never);
  await world.pass(8, 1);
  const warnings = (await items(world, events)).filter((event) => textAt(event, 'type') === 'Warning');
  expect(warnings.map((event) => textAt(event, 'reason'))).toEqual(['HookTemplateMissing']);
  expect(textAt(warnings[0], 'message')).toContain('create the HookTemplate nowhere in namespace default');
});

test('the hook that follows an update in place is told when it is asked', async () => {
  await using world = await openHooksWorld({ nodes: 1, controlled: false });
  await world.control().synced;
  await world.client.create(hookTemplates, template, never);
  const more = {
    updateStrategy: { type: 'InplaceUpdate' },
    postInplaceUpdateStrategy: { hook: { templateName: 'ask' } },
  };
  await world.client.create(gameDeployments, workload('GameDeployment', more), never);
  await world.pass(3, 1);
  const body = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'game:2' }];
  const key = { namespace: 'default', name: 'game' };
  await world.client.patch(gameDeployments, key, { type: 'json', body }, never);
  await world.pass(8, 1);
  const reasons = (await items(world, events)).map((event) => textAt(event, 'reason'));
  expect(reasons.filter((reason) => reason === 'SuccessfulCreatePostHookRun')).toHaveLength(2);
});
