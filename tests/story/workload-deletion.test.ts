import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { Resource } from '#kube/resource.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';

const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

const kinds = [
  { kind: 'GameDeployment', resource: gameDeployments },
  { kind: 'GameStatefulSet', resource: gameStatefulSets },
] as const;
type Kind = (typeof kinds)[number];

const key = { namespace: 'default', name: 'g' };

type OpenOptions = { readonly replicas?: number; readonly around?: (direct: Transport) => Transport };

/** Pods whose hook is enforced on every path, three unless given. */
async function open(
  { kind, resource }: Kind,
  strategy: JsonObject = {},
  { replicas = 3, around = (direct) => direct }: OpenOptions = {},
): Promise<GameWorld> {
  const world = await openGameWorld();
  await world.control({ around });
  await make(world, templates, hookTemplate());
  const preDeleteUpdateStrategy = { enforce: 'Always', hook: { templateName: 'age' }, ...strategy };
  const more = kind === 'GameStatefulSet' ? { serviceName: 'g', podManagementPolicy: 'Parallel' } : {};
  const object = gameDeployment({ replicas, preDeleteUpdateStrategy, ...more });
  await make(world, resource, { ...object, kind });
  await world.pass(5);
  expect(world.pods()).toHaveLength(replicas);
  return world;
}

const isThere = async (world: GameWorld, { resource }: Kind): Promise<boolean> =>
  (await world.client.get(resource, key, never)).type === 'ok';

async function remove(
  world: GameWorld,
  { resource }: Kind,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
): Promise<void> {
  const outcome = await world.client.remove(resource, key, never, { propagationPolicy });
  if (outcome.type !== 'ok') throw new Error(outcome.message);
}

async function reasons(world: GameWorld, kind: string): Promise<readonly string[]> {
  const listed = await world.client.list(events, { namespace: 'default' }, never);
  return (listed.type === 'ok' ? listed.items : [])
    .filter((event) => textAt(event, 'involvedObject', 'kind') === kind)
    .map((event) => `${textAt(event, 'reason')}: ${textAt(event, 'message')}`);
}

const policies = ['Background', 'Foreground'] as const;

test.for(kinds.flatMap((kind) => policies.map((policy) => ({ ...kind, policy }))))(
  'deleting a $kind ($policy) waits for the hooks of its pods',
  async ({ policy, ...kind }) => {
    await using world = await open(kind);
    world.answer(() => 'hang');
    await remove(world, kind, policy);
    await world.pass(20);
    expect(await isThere(world, kind)).toBe(true);
    expect(world.allPods()).toHaveLength(3);
    expect(world.asked).toHaveLength(3);
    const told = (await reasons(world, 'Pod')).filter((each) => each.startsWith('WaitingForPreDeleteHook'));
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/kept until HookRun predelete-\S+ is Successful/);
    world.answer(() => ({ age: 20 }));
    await world.pass(20);
    expect(await isThere(world, kind)).toBe(false);
    expect(world.allPods()).toEqual([]);
    expect(world.runs()).toEqual([]);
    expect(world.asked).toHaveLength(3);
  },
);

test.for(kinds)('a pod that is not seen yet is asked about before its $kind goes', async (kind) => {
  const news = heldWatches(['pods']);
  await using world = await open(kind, {}, { replicas: 0, around: (direct) => news.around(direct) });
  news.hold();
  await world.client.patch(kind.resource, key, { type: 'merge', body: { spec: { replicas: 1 } } }, never);
  await world.pass(5);
  expect(world.pods()).toHaveLength(1);
  world.answer(() => 'hang');
  await remove(world, kind, 'Background');
  await world.pass(2);
  news.release();
  await world.pass(15);
  expect(world.allPods()).toHaveLength(1);
  expect(await isThere(world, kind)).toBe(true);
  expect(world.asked).toHaveLength(1);
  world.answer(() => ({ age: 20 }));
  await world.pass(15);
  expect(world.allPods()).toEqual([]);
  expect(await isThere(world, kind)).toBe(false);
});

test.for(kinds)('deleting a $kind is held by a failed hook until its deadline', async (kind) => {
  await using world = await open(kind, { deadlineSeconds: 60, onDeadline: 'Proceed' });
  world.answer(() => ({ age: 45 }));
  await remove(world, kind, 'Background');
  await world.pass(50, 5);
  expect(world.allPods()).toHaveLength(3);
  await world.pass(30, 5);
  expect(world.allPods()).toEqual([]);
  expect(await isThere(world, kind)).toBe(false);
});

test.for(kinds)('a person breaks the glass of a $kind that is being deleted', async (kind) => {
  await using world = await open(kind);
  world.answer(() => ({ age: 45 }));
  await remove(world, kind, 'Background');
  await world.pass(10);
  expect(world.allPods()).toHaveLength(3);
  const body = { metadata: { annotations: { 'boathook.dev/break-glass': 'alice: the region is gone' } } };
  await world.client.patch(kind.resource, key, { type: 'merge', body }, never);
  await world.pass(10);
  expect(world.allPods()).toEqual([]);
  expect(await isThere(world, kind)).toBe(false);
  expect(world.runs()).toEqual([]);
  const told = await reasons(world, kind.kind);
  expect(
    told.filter((each) => /^BreakGlass: .*alice broke the glass \(the region is gone\)/.test(each)),
  ).toHaveLength(1);
});

test.for(kinds)('a $kind deleted with --cascade=orphan leaves its pods and asks no hook', async (kind) => {
  await using world = await open(kind);
  await remove(world, kind, 'Orphan');
  await world.pass(10);
  expect(await isThere(world, kind)).toBe(false);
  expect(world.pods()).toHaveLength(3);
  expect(world.asked).toEqual([]);
});

test.for(kinds)('a $kind whose hook is no longer enforced goes at once', async (kind) => {
  await using world = await open(kind);
  const body = { spec: { preDeleteUpdateStrategy: { enforce: 'Controller' } } };
  await world.client.patch(kind.resource, key, { type: 'merge', body }, never);
  await world.pass(5);
  const found = await world.client.get(kind.resource, key, never);
  expect(found.type === 'ok' ? listAt(found.object, 'metadata', 'finalizers') : undefined).toEqual([]);
  await remove(world, kind, 'Background');
  await world.pass(10);
  expect(await isThere(world, kind)).toBe(false);
  expect(world.allPods()).toEqual([]);
  expect(world.asked).toEqual([]);
});

test.for(kinds)('the failed step of a $kind that is being deleted is not tried again', async (kind) => {
  await using world = await open(kind);
  await make(world, templates, hookTemplate('step'));
  const steps = [{ hook: { templateName: 'step' } }, { partition: 0 }];
  const patch = (body: JsonObject) => world.client.patch(kind.resource, key, { type: 'merge', body }, never);
  await patch({ spec: { updateStrategy: { canary: { steps } } } });
  world.answer(() => ({ age: 45 }));
  await patch(image('2'));
  await world.pass(5);
  const status = async (): Promise<JsonObject> => {
    const found = await world.client.get(kind.resource, key, never);
    return found.type === 'ok' ? ((found.object['status'] as JsonObject | undefined) ?? {}) : {};
  };
  expect(await status()).toMatchObject({ phase: 'Paused', currentStepIndex: 0 });
  const asked = (): number => world.asked.filter((each) => each.includes('step')).length;
  expect(asked()).toBe(1);
  await remove(world, kind, 'Foreground');
  await world.pass(30);
  expect(asked()).toBe(1);
  expect(await status()).toMatchObject({ currentStepIndex: 0 });
});

test.for(['g', `g-${'x'.repeat(70)}`])(
  'a HookRun whose creation arrives after its workload is gone is deleted: %s',
  async (name) => {
    const world = await closedAfterTest(openGameWorld());
    const asked: JsonObject[] = [];
    const around =
      (direct: Transport): Transport =>
      (request) => {
        if (request.method === 'POST' && request.path.endsWith('/hookruns'))
          asked.push(JSON.parse(request.body ?? '{}') as JsonObject);
        return direct(request);
      };
    await world.control({ around });
    await make(world, templates, hookTemplate());
    const { spec } = gameDeployment({ replicas: 1 });
    const preDeleteUpdateStrategy = { enforce: 'Always', hook: { templateName: 'age' } };
    await make(world, gameDeployments, {
      ...gameDeployment({}, name),
      spec: { ...(spec as JsonObject), preDeleteUpdateStrategy },
    });
    await world.pass(5);
    expect(world.pods()).toHaveLength(1);
    await world.client.remove(gameDeployments, { namespace: 'default', name }, never);
    await world.pass(20);
    expect([world.allPods(), world.runs()]).toEqual([[], []]);
    expect(asked).toHaveLength(1);
    for (const run of asked) await make(world, hookRuns, run);
    await world.pass(5);
    expect(world.runs()).toEqual([]);
  },
);

test('a namespace that is deleted waits for no hook, since none can be asked', async () => {
  const [kind] = kinds;
  await using world = await openGameWorld();
  await world.control();
  await make(world, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'arena' } });
  const inArena = (object: JsonObject): KubeObject => ({
    ...object,
    metadata: { ...(object['metadata'] as JsonObject), namespace: 'arena' },
  });
  await make(world, templates, inArena(hookTemplate()));
  const preDeleteUpdateStrategy = { enforce: 'Always', hook: { templateName: 'age' } };
  await make(world, kind.resource, inArena(gameDeployment({ replicas: 2, preDeleteUpdateStrategy })));
  await world.pass(5);
  expect(world.allPods().map((pod) => annotationsOf(pod)['none'] ?? nameOf(pod))).toHaveLength(2);
  await world.client.remove(namespaces, { namespace: '', name: 'arena' }, never);
  await world.pass(30);
  expect(world.allPods()).toEqual([]);
  expect((await world.client.get(namespaces, { namespace: '', name: 'arena' }, never)).type).toBe(
    'not-found',
  );
});
