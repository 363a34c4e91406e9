import { afterEach, expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { budgets, nodes, pods } from '#loop/owned/resources.ts';
import {
  conditionsOf,
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';
import { relisting } from '../support/relist.ts';
import { found } from '../support/world.ts';

const hook = { hook: { templateName: 'age' } };

/** Two of five pods, the hook, one more, a person, the rest. */
const spec = (type: string, more: JsonObject = {}): JsonObject => ({
  replicas: 5,
  progressDeadlineSeconds: 60,
  updateStrategy: {
    type,
    maxUnavailable: 2,
    canary: { steps: [{ partition: 3 }, hook, { partition: 2 }, { pause: {} }] },
  },
  ...more,
});

const types = ['InplaceUpdate', 'RollingUpdate'] as const;

let world: GameWorld | undefined;
afterEach(async () => {
  const ended = world;
  world = undefined;
  await ended?.[Symbol.asyncDispose]();
});

/** Five pods of the first template. */
async function begin(wanted: JsonObject, around?: (direct: Transport) => Transport): Promise<GameWorld> {
  const made = await openGameWorld();
  world = made;
  await made.control(around === undefined ? {} : { around });
  await make(made, templates, hookTemplate());
  await make(made, gameDeployments, gameDeployment(wanted));
  await made.until(isComplete);
  return made;
}

const isPausedAt =
  (step: number) =>
  (workload: KubeObject): boolean =>
    numberAt(workload, 'status', 'currentStepIndex') === step &&
    listAt(workload, 'status', 'pauseConditions').length > 0;

const goOn = (at: GameWorld): Promise<KubeObject> =>
  at.patch({ spec: { updateStrategy: { paused: false } } });

/** How many pods run each image. */
const imagesOf = (at: GameWorld): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const pod of at.pods()) {
    const tag = textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
    counts[tag] = (counts[tag] ?? 0) + 1;
  }
  return counts;
};

async function ends(at: GameWorld, images: Readonly<Record<string, number>>): Promise<void> {
  await at.until(isComplete, 120);
  await at.pass(2);
  expect(imagesOf(at)).toEqual(images);
  expect(at.observer.complaints).toEqual([]);
  expect(Math.min(at.observer.judged.updated, at.observer.judged.outOfService)).toBeGreaterThan(0);
}

const nodesOf = (at: GameWorld): readonly string[] =>
  at.pods().map((pod) => textAt(pod, 'spec', 'nodeName') ?? '');

const messageOf = (workload: KubeObject): string => textAt(workload, 'status', 'message') ?? '';

test.for(types)('%s: somebody else writes to the workload and to pods before every write', async (type) => {
  let left = 40;
  const disturbing =
    (direct: Transport): Transport =>
    async (request) => {
      const [, plural, name] = /\/(gamedeployments|pods)\/([^/]+)(?:\/status)?$/.exec(request.path) ?? [];
      if (request.method !== 'GET' && plural !== undefined && name !== undefined && left > 0) {
        left -= 1;
        const body = { metadata: { annotations: { touched: String(left) } } };
        const resource = plural === 'pods' ? pods : gameDeployments;
        await world?.client.patch(resource, { namespace: 'default', name }, { type: 'merge', body }, never);
      }
      return direct(request);
    };
  const at = await begin(spec(type), disturbing);
  await at.patch(image('2'));
  await at.until(isPausedAt(3), 120);
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  await goOn(at);
  await ends(at, { 'app:2': 5 });
  expect(left).toBe(0);
});

test.for(
  types.flatMap((type) =>
    [['pods'], ['hookruns'], ['gamedeployments'], ['controllerrevisions'], ['pods', 'hookruns']].map(
      (plurals) => ({ type, plurals }),
    ),
  ),
)('$type: news of $plurals come late', async ({ type, plurals }) => {
  const news = heldWatches(plurals);
  const at = await begin(spec(type, { preDeleteUpdateStrategy: hook }), (direct) => news.around(direct));
  news.hold();
  await at.patch(image('2'));
  for (let round = 0; round < 30; round += 1) {
    await at.settle(false);
    at.clock.advance(500 as never);
    if (round % 3 !== 2) continue;
    news.release();
    await at.settle(false);
    news.hold();
  }
  news.release();
  await at.until(isPausedAt(3), 120);
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  news.hold();
  await goOn(at);
  await at.settle(false);
  news.release();
  await ends(at, { 'app:2': 5 });
});

test.for(types)('%s: pods that are deleted by hand come back in their own revision', async (type) => {
  const at = await begin(spec(type));
  await at.patch(image('2'));
  await at.until(isPausedAt(3));
  for (const tag of ['app:1', 'app:2']) {
    const victim = at.pods().find((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image') === tag);
    if (victim === undefined) throw new Error(`no pod has ${tag}`);
    await at.deletePod(nameOf(victim));
  }
  await at.pass(5);
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  // All old ones at once.
  const old = at.pods().filter((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image') === 'app:1');
  for (const pod of old) await at.deletePod(nameOf(pod));
  await at.pass(5);
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  await goOn(at);
  await ends(at, { 'app:2': 5 });
});

test.for(types)('%s: a node is lost while pods are updated', async (type) => {
  const at = await begin(
    spec(type, { preDeleteUpdateStrategy: { ...hook, deadlineSeconds: 5, onDeadline: 'Proceed' } }),
  );
  const lost = textAt(at.pods()[0], 'spec', 'nodeName') ?? '';
  const key = { name: lost };
  const down = { metadata: { annotations: { 'sim.boathook.dev/down': 'true' } } };
  await at.client.patch(nodes, key, { type: 'merge', body: down }, never);
  await at.settle();
  await at.patch(image('2'));
  await at.until(isPausedAt(3), 900);
  await goOn(at);
  await at.until((workload) => isComplete(workload) && !nodesOf(at).includes(lost), 900);
  await at.pass(2);
  expect(imagesOf(at)).toEqual({ 'app:2': 5 });
  expect(at.observer.complaints).toEqual([]);
});

test.for(types)('%s: the hook of the step never answers, and then it does', async (type) => {
  const at = await begin(spec(type));
  at.answer(() => 'hang');
  await at.patch(image('2'));
  const waiting = await at.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 1);
  expect(waiting).toMatchObject({ status: { canary: { currentStepHookRun: expect.any(String) as string } } });
  await at.pass(20);
  expect(imagesOf(at)).toEqual({ 'app:1': 3, 'app:2': 2 });
  const told = await at.workload();
  expect(messageOf(told)).toMatch(/Step 2\/4 waits for HookRun .* which is /);
  await at.patch({ spec: { replicas: 6 } });
  await at.pass(2);
  expect(at.pods()).toHaveLength(6);
  at.answer(() => ({ age: 25 }));
  await at.until(isPausedAt(3), 120);
  await goOn(at);
  await ends(at, { 'app:2': 6 });
});

test('the controller of hooks is not there', async () => {
  const made = await openGameWorld();
  world = made;
  await made.control({ names: ['gamedeployment'] });
  await make(made, templates, hookTemplate());
  await make(made, gameDeployments, gameDeployment(spec('InplaceUpdate')));
  await made.until(isComplete);
  await made.patch(image('2'));
  await made.pass(31);
  expect(conditionsOf(await made.workload())).toMatchObject({ Progressing: 'False NoHookController' });
  await made.control();
  await made.until(isPausedAt(3));
  await goOn(made);
  await ends(made, { 'app:2': 5 });
});

test.for([
  ['Block', { 'app:1': 5 }],
  ['Proceed', { 'app:2': 5 }],
] as const)('pods whose hook never answers, at the deadline: %s', async ([onDeadline, images]) => {
  const strategy = { ...hook, deadlineSeconds: 10, onDeadline };
  const plain = { updateStrategy: { type: 'RollingUpdate', maxUnavailable: 2 } };
  const at = await begin(spec('RollingUpdate', { ...plain, preDeleteUpdateStrategy: strategy }));
  at.answer(() => 'hang');
  await at.patch(image('2'));
  await at.pass(8);
  expect(imagesOf(at)).toEqual({ 'app:1': 5 });
  await at.pass(35);
  expect(imagesOf(at)).toEqual(images);
  expect(at.observer.complaints).toEqual([]);
  if (onDeadline === 'Proceed') return;
  expect(conditionsOf(await at.workload())).toMatchObject({ Progressing: 'False PodHookDeadline' });
  // Still alive: a retry and an answer, and it goes on.
  at.answer(() => ({ age: 25 }));
  await at.patch({ spec: { preDeleteUpdateStrategy: { deadlineSeconds: 600 } } });
  await ends(at, { 'app:2': 5 });
});

test.for(types)(
  '%s: a template that never becomes ready is stuck at its step, and the next one heals it',
  async (type) => {
    const at = await begin({ ...spec(type), template: templateWith('1', 'ok') });
    await at.patch({ spec: { template: templateWith('2', 'fail') } });
    await at.pass(30);
    expect(imagesOf(at)).toEqual({ 'app:1': 3, 'app:2': 2 });
    await at.pass(40);
    expect(conditionsOf(await at.workload())).toMatchObject({
      Progressing: 'False ProgressDeadlineExceeded',
    });
    expect(imagesOf(at)).toEqual({ 'app:1': 3, 'app:2': 2 });
    await at.patch({ spec: { template: templateWith('3', 'ok') } });
    await at.until(isPausedAt(3), 120);
    await goOn(at);
    await ends(at, { 'app:3': 5 });
  },
);

const templateWith = (tag: string, probe: string): JsonObject => ({
  metadata: { labels: { app: 'g' }, annotations: { 'sim.boathook.dev/probe': probe } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'c',
        image: `app:${tag}`,
        readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
      },
    ],
  },
});

test.for(types)('%s: no replicas in the middle of a canary, and back', async (type) => {
  const at = await begin(spec(type, { preDeleteUpdateStrategy: hook }));
  await at.patch(image('2'));
  await at.until(isPausedAt(3));
  await at.patch({ spec: { replicas: 0 } });
  await at.pass(5);
  expect(at.pods()).toHaveLength(0);
  await at.patch({ spec: { replicas: 5 } });
  await at.pass(5);
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  await goOn(at);
  await ends(at, { 'app:2': 5 });
});

test.for(types)('%s: steps are edited in the middle of a canary', async (type) => {
  const at = await begin(spec(type));
  await at.patch(image('2'));
  await at.until(isPausedAt(3));
  // Back to fewer than are updated already: they stay, and the step counts as reached.
  const edited = [{ partition: 4 }, { pause: {} }, { partition: 1 }, hook];
  await at.patch({ spec: { updateStrategy: { canary: { steps: edited } } } });
  await at.until(isPausedAt(1));
  expect(imagesOf(at)).toEqual({ 'app:1': 2, 'app:2': 3 });
  await goOn(at);
  await ends(at, { 'app:2': 5 });
});

test.for(types)('%s: the template changes again, and then back', async (type) => {
  const at = await begin(spec(type));
  await at.patch(image('2'));
  await at.until(isPausedAt(3));
  await at.patch(image('3'));
  await at.until(isPausedAt(3));
  expect(imagesOf(at)['app:3']).toBe(3);
  expect(Object.values(imagesOf(at)).reduce((sum, count) => sum + count)).toBe(5);
  await at.patch(image('1'));
  await ends(at, { 'app:1': 5 });
  expect(await at.workload()).toMatchObject({ status: { currentStepIndex: 4, step: '4/4' } });
  // One for each release that asked, kept for people to look at.
  expect(at.runs().map((run) => textAt(run, 'status', 'phase'))).toEqual(['Successful', 'Successful']);
});

test.for(types)('%s: the HookTemplate comes late and goes early', async (type) => {
  const at = await begin(spec(type));
  const key = { namespace: 'default', name: 'age' };
  await at.client.remove(templates, key, never);
  await at.patch(image('2'));
  await at.pass(10);
  expect(imagesOf(at)).toEqual({ 'app:1': 3, 'app:2': 2 });
  const told = await at.workload();
  expect(conditionsOf(told)).toMatchObject({ Progressing: 'False HookTemplateMissing' });
  expect(messageOf(told)).toMatch(/create the HookTemplate age in namespace default/);
  at.answer(() => 'hang');
  await make(at, templates, hookTemplate());
  await at.pass(2);
  expect(at.runs()).toHaveLength(1);
  // What was asked goes on without its template.
  await at.client.remove(templates, key, never);
  at.answer(() => ({ age: 25 }));
  await at.until(isPausedAt(3), 120);
  await goOn(at);
  await ends(at, { 'app:2': 5 });
});

test('a PodDisruptionBudget stops restarts in place until it is gone', async () => {
  const at = await begin(spec('InplaceUpdate'));
  const metadata = { name: 'b', namespace: 'default' };
  await make(at, budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { minAvailable: 5, selector: { matchLabels: { app: 'g' } } },
  });
  await at.pass(2);
  await at.patch(image('2'));
  await at.pass(10);
  expect(imagesOf(at)).toEqual({ 'app:1': 5 });
  expect(messageOf(await at.workload())).toMatch(/PodDisruptionBudget/);
  const body = { spec: { minAvailable: 4 } };
  await at.client.patch(budgets, metadata, { type: 'merge', body }, never);
  await at.until((workload) => numberAt(workload, 'status', 'currentStepIndex') !== 0);
  await at.client.patch(budgets, metadata, { type: 'merge', body: { spec: { minAvailable: 5 } } }, never);
  await at.pass(2);
  await at.client.remove(budgets, metadata, never);
  await at.until(isPausedAt(3));
  await goOn(at);
  await ends(at, { 'app:2': 5 });
});

test('a person pauses in the middle of everything: nothing is updated, but sizes and gates go on', async () => {
  const at = await begin(spec('InplaceUpdate'));
  await at.patch({
    ...image('2'),
    spec: { ...(image('2')['spec'] as JsonObject), updateStrategy: { paused: true } },
  });
  await at.pass(5);
  expect(imagesOf(at)).toEqual({ 'app:1': 5 });
  await at.patch({ spec: { replicas: 7 } });
  await at.pass(5);
  expect(await at.workload()).toMatchObject({ status: { readyReplicas: 7, phase: 'Paused' } });
  // New pods are of the revision that the partition has room for; nothing else changes.
  expect(imagesOf(at)).toEqual({ 'app:1': 5, 'app:2': 2 });
  await goOn(at);
  await at.until(isPausedAt(3));
  await goOn(at);
  await ends(at, { 'app:2': 7 });
});

test.for([
  { what: 'never arrives', isWritten: false },
  { what: 'is written, and its answer is lost', isWritten: true },
])('a disruption is paid once when a write to the status of a pod $what', async ({ isWritten }) => {
  let lost = 0;
  const losing =
    (direct: Transport): Transport =>
    async (request) => {
      const isGate = request.method === 'PATCH' && /\/pods\/[^/]+\/status$/.test(request.path);
      if (!isGate || lost > 0) return direct(request);
      lost += 1;
      if (isWritten) await direct(request);
      throw new Unavailable('The connection was lost.');
    };
  const at = await begin(
    { replicas: 5, updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2 } },
    (direct) => losing(direct),
  );
  await make(at, budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'one', namespace: 'default' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'g' } } },
  });
  await at.settle();
  lost = 0;
  await at.patch(image('2'));
  await at.until(isComplete, 120);
  expect(lost).toBe(1);
  expect(imagesOf(at)).toEqual({ 'app:2': 5 });
  expect(at.observer.complaints).toEqual([]);
});

test('a pod is deleted only as it was seen: it may be in service by now, and the request may arrive late', async () => {
  const versions = new Map<string, string | undefined>();
  const noting =
    (direct: Transport): Transport =>
    (request) => {
      const name = /\/pods\/([^/]+)$/.exec(request.path)?.[1];
      if (request.method === 'DELETE' && name !== undefined)
        versions.set(name, textAt(parseJson(request.body ?? '{}'), 'preconditions', 'resourceVersion'));
      return direct(request);
    };
  const at = await begin(
    { replicas: 3, updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1 } },
    noting,
  );
  const [ill = '', ...healthy] = at.pods().map(nameOf);
  const annotations = { 'sim.boathook.dev/probe': 'fail' };
  const patch = { type: 'merge', body: { metadata: { annotations } } } as const;
  await at.client.patch(pods, { namespace: 'default', name: ill }, patch, never);
  await at.pass(60, 1);
  await at.patch(image('2'));
  await at.until(isComplete, 120);
  expect(new Set(versions.keys())).toEqual(new Set([ill, ...healthy]));
  for (const version of versions.values()) expect(version).toMatch(/^\d+$/);
});

test.for([
  { kind: 'GameDeployment', resource: gameDeployments, more: {} },
  { kind: 'GameStatefulSet', resource: gameStatefulSets, more: { serviceName: 'k' } },
])(
  'a $kind does not spend the disruption of a shared budget that another workload spends on a slow server',
  async ({ kind, resource, more }) => {
    const answer = Promise.withResolvers<void>();
    const sent: string[] = [];
    let isSlow = false;
    const slow =
      (direct: Transport): Transport =>
      async (request) => {
        if (isSlow && request.method === 'PATCH' && /\/pods\/[^/]+\/status$/.test(request.path)) {
          sent.push(request.path);
          await answer.promise;
        }
        return direct(request);
      };
    const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 2 };
    const at = await begin({ replicas: 3, updateStrategy }, slow);
    const second = gameDeployment({ replicas: 3, updateStrategy, ...more }, 'k');
    await make(at, resource, { ...second, kind });
    await make(at, budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'one', namespace: 'default' },
      spec: {
        maxUnavailable: 1,
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['g', 'k'] }] },
      },
    });
    await at.pass(10);
    isSlow = true;
    await at.patch(image('2'));
    const key = { namespace: 'default', name: 'k' };
    await at.client.patch(resource, key, { type: 'merge', body: image('2') }, never);
    await at.settle();
    const { length } = sent;
    answer.resolve();
    expect(length).toBe(1);
    const other = async () => found(await at.client.get(resource, key, never));
    await at.until(async (workload) => isComplete(workload) && isComplete(await other()), 120);
    expect(sent.length).toBeGreaterThan(1);
  },
);

test.for(types)('%s: pods are healed and scaled while the server refuses a revision', async (type) => {
  const refusing =
    (direct: Transport): Transport =>
    (request) => {
      const isRevision = request.method === 'POST' && request.path.endsWith('/controllerrevisions');
      if (!isRevision || !isRefusing) return direct(request);
      const body = {
        kind: 'Status',
        status: 'Failure',
        code: 403,
        reason: 'Forbidden',
        message: 'exceeded quota',
      };
      return Promise.resolve({
        status: 403,
        headers: {},
        text: () => Promise.resolve(JSON.stringify(body)),
      } as unknown as Awaited<ReturnType<Transport>>);
    };
  let isRefusing = false;
  const at = await begin(spec(type), refusing);
  isRefusing = true;
  await at.patch(image('2'));
  await at.pass(2);
  const [victim = {}] = at.pods();
  await at.deletePod(nameOf(victim));
  await at.pass(5);
  await at.patch({ spec: { replicas: 7 } });
  await at.pass(30);
  expect(imagesOf(at)).toEqual({ 'app:1': 7 });
  const told = await at.workload();
  expect(textAt(told, 'status', 'phase')).toBe('Blocked');
  expect(messageOf(told)).toMatch(/refuses the ControllerRevision of the template: .*exceeded quota/);
  isRefusing = false;
  await at.until((workload) => imagesOf(at)['app:2'] !== undefined && !isComplete(workload), 900);
});

test('a pod that comes and goes while no watch tells of it is made again after the next list', async () => {
  const [news, way] = [heldWatches(['pods']), relisting()];
  const at = await begin({ replicas: 2 }, (direct) => way.around(news.around(direct)));
  const before = new Set(at.pods().map(nameOf));
  news.hold();
  await at.patch({ spec: { replicas: 3 } });
  await at.pass(1);
  const [made] = at.pods().filter((pod) => !before.has(nameOf(pod)));
  const key = { namespace: 'default', name: made === undefined ? '' : nameOf(made) };
  const removed = await at.client.remove(pods, key, never, { gracePeriodSeconds: 0 });
  expect(removed.type).toBe('ok');
  way.lose();
  news.release();
  await at.pass(20);
  expect(at.pods()).toHaveLength(3);
  expect(isComplete(await at.workload())).toBe(true);
});
