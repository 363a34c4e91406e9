import { expect, test } from 'vitest';
import { at, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { seconds } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { annotationsOf, labelsOf, nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { ActingIn } from '#releases/cli/acting-in.ts';
import { changeTemplate } from '#releases/cli/change-template.ts';
import { claimedUser } from '#releases/cli/claimed-user.ts';
import { findWorkload } from '#releases/cli/find-workload.ts';
import { performAct } from '#releases/cli/perform-act.ts';
import type { ReleaseReport } from '#releases/cli/release-report.ts';
import { signatureOf } from '#releases/cli/signature.ts';
import { gameDeploymentKind } from '#releases/controller/game-deployment-controller.ts';
import type { ActOptions, ReleaseVerb } from '#releases/decide/act-plan/act-plan.ts';
import { planImages } from '#releases/decide/template-change/plan-images.ts';
import { actTargetOf, readAct } from '#releases/model/act.ts';
import { readChange } from '#releases/model/release-change.ts';
import { found, never, openWorld, type World } from '../support/world.ts';

const { resource } = gameDeploymentKind;
const key = { namespace: 'default', name: 'shop' };

const shop: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: key,
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'shop' } },
    template: {
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ name: 'python', image: 'python:3.5' }] },
    },
    updateStrategy: {
      canary: { steps: [{ partition: 3 }, { pause: {} }, { partition: 2 }, { pause: { duration: 60 } }] },
    },
  },
};

const atPause = (step: number, more: JsonObject = {}): JsonObject => ({
  updateRevision: 'shop-new',
  currentStepIndex: step,
  pauseConditions: [{ reason: 'PausedByCanaryPauseStep', startTime: '2026-01-05T12:00:00Z' }],
  canary: { revision: 'shop-old', releaseID: 'r1', ...more },
});

/** A workload in a cluster without controllers: the test writes its status. */
class Shop {
  readonly world: World;
  readonly notes: string[] = [];
  readonly #random = seededRandom(3);

  constructor(world: World) {
    this.world = world;
  }

  read = async (): Promise<KubeObject> => found(await this.world.client.get(resource, key, never));

  /** Writes a status as the controller does. */
  async status(status: JsonObject): Promise<void> {
    const object = await this.read();
    const observedGeneration = at(object, 'metadata', 'generation') ?? 0;
    const next = { ...object, status: { observedGeneration, ...status } };
    found(await this.world.client.updateStatus(resource, next, never));
  }

  async label(name: string, value: string): Promise<void> {
    const body = { metadata: { labels: { [name]: value } } };
    found(await this.world.client.patch(resource, key, { type: 'merge', body }, never));
  }

  /** `meddle` runs before each patch of the command. */
  cluster(meddle: () => Promise<void> = () => Promise.resolve()): ActingIn {
    const { client, clock } = this.world;
    const patch: KubeClient['patch'] = async (...given) => {
      await meddle();
      return client.patch(...given);
    };
    return {
      client: { ...client, patch },
      namespace: 'default',
      signal: () => never,
      whole: never,
      clock,
      random: this.#random,
      note: (line) => void this.notes.push(line),
    };
  }

  async act(
    verb: ReleaseVerb,
    options: Omit<ActOptions, 'title'> & { readonly wait?: number } = {},
    cluster: ActingIn = this.cluster(),
  ): Promise<ReleaseReport> {
    const { wait = 10, ...more } = options;
    const workload = await findWorkload(cluster, 'gd/shop');
    const signed = signatureOf(cluster, 'ann', 'a reason');
    return performAct(cluster, workload, { verb, options: more, signed, wait: seconds(wait) });
  }

  async setImage(image: string, cluster: ActingIn = this.cluster()): Promise<ReleaseReport> {
    const workload = await findWorkload(cluster, 'gd/shop');
    return changeTemplate(cluster, workload, {
      verb: 'set image',
      signed: signatureOf(cluster, 'ann', undefined),
      plan: (each) => planImages(each, new Map([['python', image]]), 'gd/shop'),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

async function openShop(status?: JsonObject): Promise<Shop> {
  const world = await openWorld({ ownKinds: true });
  found(await world.client.create(resource, shop, never));
  const opened = new Shop(world);
  if (status !== undefined) await opened.status(status);
  return opened;
}

test('a request names the state it is meant for, who asked and why, and stays valid without a controller', async () => {
  await using open = await openShop(atPause(1));
  const acting = open.act('promote');
  await open.world.pass(11);
  const report = await acting;
  expect(report).toMatchObject({ result: 'Requested' });
  expect(report.message).toMatch(
    /^gd\/shop: the request to end the pause of step 2\/4 and continue is written, but no/,
  );
  const written = await open.read();
  expect(readAct(written)).toMatchObject({
    type: 'act',
    act: { id: report.id, verb: 'promote', target: actTargetOf(written), by: 'ann', reason: 'a reason' },
  });
  expect(at(written, 'spec', 'updateStrategy', 'paused')).toBe(false);
});

test('the user is the one that the server reports', async () => {
  await using open = await openShop();
  expect(await claimedUser(open.cluster())).toBe('admin');
});

test('a write of somebody else in between is no obstacle when the release is where it was', async () => {
  await using open = await openShop(atPause(1));
  let writes = 0;
  const busy = open.cluster(async () => {
    writes += 1;
    if (writes < 5) await open.label('writes', String(writes));
  });
  const acting = open.act('promote', { wait: 0 }, busy);
  expect(await acting).toMatchObject({ result: 'Requested', code: 0 });
  expect(writes).toBe(5);
  expect(readAct(await open.read()).type).toBe('act');
  expect(labelsOf(await open.read())).toEqual({ writes: '4' });
});

test('after five conflicts the command gives up with 3, and has changed nothing', async () => {
  await using open = await openShop(atPause(1));
  let writes = 0;
  const busy = open.cluster(() => open.label('writes', String((writes += 1))));
  const failed = await open.act('promote', {}, busy).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ExitError);
  expect(failed).toMatchObject({
    code: 3,
    message: expect.stringMatching(/^another writer keeps changing gd\/shop/) as string,
  });
  expect(writes).toBe(5);
  expect(readAct(await open.read()).type).toBe('none');
});

test.for<[string, JsonObject, Partial<ReleaseReport>, RegExp]>([
  ['at another pause', atPause(3), { result: 'Refused' }, /it was at step 2\/4 and is at step 4\/4 now$/],
  [
    'of another release',
    atPause(1, { releaseID: 'r2' }),
    { result: 'Refused' },
    /its release was started again$/,
  ],
  [
    'of another revision',
    { ...atPause(1), updateRevision: 'shop-newer' },
    { result: 'Refused' },
    /its template was changed: the release is now of revision shop-newer$/,
  ],
  [
    'past the pause',
    { ...atPause(2), pauseConditions: [] },
    { result: 'Nothing' },
    /^another writer was faster: it was at step 2\/4 and is at step 3\/4 now; step 3\/4 of gd\/shop is under way/,
  ],
  [
    'done',
    { ...atPause(4), pauseConditions: [] },
    { result: 'Nothing' },
    /all 4 steps of gd\/shop are done$/,
  ],
])('a release that is %s when the request arrives is left alone', async ([, status, result, message]) => {
  await using open = await openShop(atPause(1));
  const late = open.cluster(() => open.status(status));
  const report = await open.act('promote', {}, late);
  expect(report).toMatchObject(result);
  expect(report.message).toMatch(message);
  expect(readAct(await open.read()).type).toBe('none');
});

test('two people at the same moment: one request, one result for both', async () => {
  await using open = await openShop(atPause(1));
  let waiting: (() => void) | undefined;
  const bothRead = new Promise<void>((resolve) => (waiting = resolve));
  let readers = 0;
  const together = open.cluster(async () => {
    readers += 1;
    if (readers === 2) waiting?.();
    await bothRead;
  });
  const both = Promise.all([open.act('promote', {}, together), open.act('promote', {}, together)]);
  await open.world.settle();
  const request = readAct(await open.read());
  if (request.type !== 'act') throw new Error('nothing was written');
  await open.status({
    ...atPause(2),
    canary: { releaseID: 'r1', lastAct: { id: request.act.id, result: 'Done', message: 'Promoted.' } },
  });
  const reports = await both;
  expect(reports.map(({ result, id }) => [result, id])).toEqual([
    ['Done', request.act.id],
    ['Done', request.act.id],
  ]);
  expect(reports.map(({ message }) => message).sort()).toEqual([
    'gd/shop: Promoted.',
    'gd/shop: Promoted. (ann had requested the same before)',
  ]);
});

test('a request that another one replaces is reported as such', async () => {
  await using open = await openShop(atPause(1));
  const promoting = open.act('promote');
  await open.world.settle();
  const aborting = open.act('abort', { wait: 0 });
  expect(await aborting).toMatchObject({ result: 'Requested' });
  expect(await promoting).toMatchObject({
    result: 'Ignored',
    message: 'gd/shop: another request (abort by ann) replaced this one before a controller acted on it',
  });
});

test('what the controller ignored is reported with its words', async () => {
  await using open = await openShop(atPause(1));
  const acting = open.act('promote');
  await open.world.settle();
  const request = readAct(await open.read());
  const id = request.type === 'act' ? request.act.id : '';
  await open.status(
    atPause(3, { lastAct: { id, result: 'Ignored', message: 'The request promote was ignored.' } }),
  );
  expect(await acting).toMatchObject({
    result: 'Ignored',
    message: 'gd/shop: The request promote was ignored.',
  });
});

test('a spec that the controller has not seen yet is waited for', async () => {
  await using open = await openShop({ ...atPause(4), pauseConditions: [] });
  await open.setImage('python:3.6');
  const acting = open.act('promote');
  await open.world.pass(2);
  await open.status(atPause(1, { releaseID: 'r2' }));
  await open.world.settle();
  expect(readAct(await open.read())).toMatchObject({
    type: 'act',
    act: { target: { release: 'r2', step: 1 } },
  });
  await open.world.pass(11);
  expect(await acting).toMatchObject({ result: 'Requested' });
});

test("pause and resume change a user's own pause and nothing else", async () => {
  await using open = await openShop({ ...atPause(2), pauseConditions: [] });
  const pausing = open.act('pause');
  await open.world.settle();
  const paused = await open.read();
  expect(at(paused, 'spec', 'updateStrategy', 'paused')).toBe(true);
  expect(readChange(paused)).toMatchObject({
    verb: 'pause',
    by: 'ann',
    reason: 'a reason',
    revision: 'shop-new',
  });
  await open.status({ ...atPause(2), pauseConditions: [{ reason: 'PausedByUser' }] });
  expect(await pausing).toMatchObject({
    result: 'Done',
    message: expect.stringMatching(/^gd\/shop is paused: no pod/) as string,
  });
  expect(await open.act('pause')).toMatchObject({ result: 'Nothing' });

  const resuming = open.act('resume');
  await open.world.settle();
  expect(at(await open.read(), 'spec', 'updateStrategy', 'paused')).toBe(false);
  await open.status({ ...atPause(2), pauseConditions: [], message: 'Updating.' });
  expect(await resuming).toMatchObject({ result: 'Done', message: 'gd/shop continues: Updating.' });
  expect(await open.act('resume')).toMatchObject({ result: 'Nothing', message: 'gd/shop is not paused' });
});

test('resume at the pause of a step writes nothing, names promote and exits with 4', async () => {
  await using open = await openShop(atPause(1));
  const before = resourceVersionOf(await open.read());
  const report = await open.act('resume');
  expect(report).toMatchObject({ result: 'Nothing', code: 4 });
  expect(report.message).toMatch(/use: boathook release promote gd\/shop$/);
  expect(resourceVersionOf(await open.read())).toBe(before);
});

test('a change of the template keeps everything else, also what others write meanwhile', async () => {
  await using open = await openShop();
  let writes = 0;
  const busy = open.cluster(async () => {
    writes += 1;
    if (writes === 1) await open.label('team', 'games');
  });
  const before = await open.read();
  const report = await open.setImage('python:3.6', busy);
  expect(report).toMatchObject({
    result: 'Done',
    message: 'gd/shop: images set: python: python:3.5 -> python:3.6. A release starts at step 1/4.',
  });
  const after = await open.read();
  expect(labelsOf(after)).toEqual({ team: 'games' });
  const spec = objectAt(before, 'spec') ?? {};
  const template = {
    ...objectAt(spec, 'template'),
    spec: { containers: [{ name: 'python', image: 'python:3.6' }] },
  };
  expect(after['spec']).toEqual({ ...spec, template });
  expect(readChange(after)).toMatchObject({ verb: 'set image', by: 'ann' });
  expect(textAt(after, 'metadata', 'name')).toBe(nameOf(before));
  expect(Object.keys(annotationsOf(after))).toEqual(['boathook.dev/release-change']);
});

test('another template in between is not overwritten', async () => {
  await using open = await openShop();
  const late = open.cluster(async () => {
    const path = '/spec/template/spec/containers/0/image';
    const body = [{ op: 'replace', path, value: 'python:4' }];
    found(await open.world.client.patch(resource, key, { type: 'json', body }, never));
  });
  const report = await open.setImage('python:3.6', late);
  expect(report).toMatchObject({ result: 'Refused' });
  expect(report.message).toMatch(
    /^another writer has changed the template of gd\/shop, and nothing was done/,
  );
  expect(await open.read()).toMatchObject({
    spec: { template: { spec: { containers: [{ image: 'python:4' }] } } },
  });
});
