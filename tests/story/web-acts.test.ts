import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import type { ReleasePage } from '#web/wire/release-page.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { gameDeployment, hookTemplate, image } from '../support/game-world.ts';
import { startHookService } from '../support/hook-service.ts';
import { openWebWorld, type WebTab, type WebUser, type WebWorld } from '../support/web-server-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const tkex = '/apis/tkex.tencent.com/v1alpha1/namespaces/default';
const path = `${tkex}/gamedeployments/g`;
const topic = 'release/GameDeployment/default/g';

const pageIn = (message: StreamMessage): ReleasePage | undefined =>
  message.type === 'object' && message.object.type === 'release' ? message.object.page : undefined;

/** The newest page, once one has come that is as wanted. */
async function pageWhen(tab: WebTab, isWanted: (page: ReleasePage) => boolean): Promise<ReleasePage> {
  const found = await tab.until((message) => {
    const page = pageIn(message);
    return page !== undefined && isWanted(page);
  });
  return pageIn(found)!;
}

const offer = (page: ReleasePage, verb: string) => page.acts.find((each) => each.verb === verb)!;

/** A release that waits at a pause, and the tab of a user who looks at it. */
async function paused(steps: readonly JsonObject[]): Promise<{
  readonly at: WebWorld;
  readonly user: WebUser;
  readonly tab: WebTab;
  readonly page: ReleasePage;
}> {
  const at = await closedAfterTest(openWebWorld({ hasControllers: true }));
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 3, canary: { steps } };
  await at.server.create(`${tkex}/gamedeployments`, gameDeployment({ replicas: 3, updateStrategy }));
  const user = await at.signIn('token-of-alice');
  const tab = await user.follow(`topic=${topic}`);
  await pageWhen(tab, ({ view }) => view.phase === 'Complete');
  await at.server.send('PATCH', path, { body: image('2'), type: 'application/merge-patch+json' });
  const page = await pageWhen(tab, ({ view }) => view.phase === 'Paused');
  return { at, user, tab, page };
}

test('promote, by the user who clicked and for the pause that was shown', async () => {
  const { at, user, tab, page } = await paused([
    { partition: 2 },
    { pause: {} },
    { partition: 0 },
    { pause: {} },
  ]);
  expect(offer(page, 'promote')).toMatchObject({ isUseful: true, permission: { isAllowed: true } });
  expect(offer(page, 'retry').isUseful).toBe(false);
  expect(page.changes).toEqual([{ path: 'spec.containers[name=c].image', from: 'app:1', to: 'app:2' }]);
  expect(page.explanation.why[0]).toMatchObject({ reason: 'PausedByCanaryPauseStep' });
  const { identity } = page;
  const done = await user.act({ topic, verb: 'promote', identity, reason: 'looks good' });
  expect(done).toMatchObject({ result: 'Done' });
  const next = await pageWhen(tab, ({ view }) => view.step?.current === 4 && view.phase === 'Paused');
  expect(next.identity).not.toBe(identity);
  // Events and history are read at the same time: one can be a moment ahead of the other.
  const events = await pageWhen(
    tab,
    (each) =>
      each.events.some(({ reason }) => reason === 'PromotedByUser') && each.history[0]?.acts.length === 1,
  );
  expect(events.events.find(({ reason }) => reason === 'PromotedByUser')?.message).toContain('user alice');
  expect(events.history[0]?.acts).toMatchObject([{ verb: 'promote', by: 'alice', reason: 'looks good' }]);
  // The page of before does not promote the pause of now.
  expect(await user.act({ topic, verb: 'promote', identity })).toMatchObject({ result: 'Nothing' });
  expect(await user.act({ topic, verb: 'pause', identity })).toMatchObject({ result: 'Refused' });
  expect(at.audits).toMatchObject([
    { user: 'alice', verb: 'promote', object: topic, reason: 'looks good', result: 'Done' },
    { user: 'alice', verb: 'promote', result: 'Nothing' },
    { user: 'alice', verb: 'pause', result: 'Refused' },
  ]);
  expect(at.problems).toEqual([]);
});

test('abort, undo and images', async () => {
  const { at, user, tab, page } = await paused([{ partition: 2 }, { pause: {} }]);
  expect(await user.act({ topic, verb: 'undo', identity: 'other/1' })).toMatchObject({ result: 'Refused' });
  expect(
    await user.act({ topic, verb: 'set-image', identity: 'other/1', images: ['c=app:3'] }),
  ).toMatchObject({
    result: 'Refused',
    message: expect.stringContaining('nothing was changed') as string,
  });
  const bad = await user.act({ topic, verb: 'set-image', identity: page.identity, images: ['web=app:3'] });
  expect(bad).toMatchObject({ result: 'Invalid', message: 'gd/g has no container web: it has c' });
  expect(await user.act({ topic, verb: 'set-image', identity: page.identity, images: ['c'] })).toMatchObject({
    result: 'Invalid',
  });
  const set = await user.act({ topic, verb: 'set-image', identity: page.identity, images: ['c=app:3'] });
  expect(set).toMatchObject({ result: 'Done' });
  // The new image is shown before the controller has seen it: with the pause of the release before.
  const third = await pageWhen(
    tab,
    ({ view, identity }) =>
      view.phase === 'Paused' && view.images[0]?.image === 'app:3' && identity !== page.identity,
  );
  expect(await user.act({ topic, verb: 'abort', identity: third.identity })).toMatchObject({
    result: 'Done',
  });
  const aborted = await pageWhen(tab, ({ view }) => view.verdict === 'failed');
  const undone = await user.act({ topic, verb: 'undo', identity: aborted.identity, toRevision: 1 });
  expect(undone).toMatchObject({ result: 'Done' });
  await pageWhen(tab, ({ view }) => view.phase === 'Complete' && view.images[0]?.image === 'app:1');
  expect(textAt((await at.server.send('GET', path)).body, 'spec', 'template', 'spec')).toBeUndefined();
});

test('the page says that a user may not patch, and a request of that user is refused', async () => {
  const { at, page } = await paused([{ partition: 2 }, { pause: {} }]);
  const bob = await at.signIn('token-of-bob');
  const tab = await bob.follow(`topic=${topic}`);
  const seen = await pageWhen(tab, ({ view }) => view.phase === 'Paused');
  expect(offer(seen, 'promote')).toMatchObject({
    isUseful: true,
    permission: {
      isAllowed: false,
      message: expect.stringMatching(
        /^bob may not patch gamedeployments\.tkex\.tencent\.com g in namespace default/,
      ) as string,
    },
  });
  for (const verb of ['promote', 'abort', 'undo'] as const)
    expect(await bob.act({ topic, verb, identity: page.identity })).toMatchObject({ result: 'Forbidden' });
  expect(at.audits.map(({ user, result }) => `${user} ${result}`)).toEqual(Array(3).fill('bob Forbidden'));
  const carol = await at.signIn('token-of-carol');
  expect(await carol.act({ topic, verb: 'abort', identity: page.identity })).toMatchObject({
    result: 'Forbidden',
  });
});

test.for<readonly [string, object, string]>([
  ['no verb', { verb: 'delete' }, 'Invalid'],
  ['no release', { topic: 'overview', verb: 'pause' }, 'Invalid'],
  ['a hostile name', { topic: 'release/GameDeployment/default/<script>', verb: 'pause' }, 'Invalid'],
  ['a step that is no number', { verb: 'promote', toStep: '2' }, 'Invalid'],
  ['a long reason', { verb: 'pause', reason: 'x'.repeat(501) }, 'Invalid'],
  ['images that are no texts', { verb: 'set-image', images: [1] }, 'Invalid'],
  ['what does not exist', { verb: 'pause', topic: 'release/GameDeployment/default/none' }, 'Refused'],
  ['an example where there is none', { verb: 'load-example', topic: 'canary' }, 'Invalid'],
])('no act: %s', async ([, body, result]) => {
  const at = await closedAfterTest(openWebWorld());
  const user = await at.signIn();
  expect(await user.act({ topic, identity: 'a/1', ...body })).toMatchObject({ result });
});

test('a hook that fails: its measurements, the threshold and the evidence', async () => {
  await using service = await startHookService({ age: 45 });
  const at = await closedAfterTest(openWebWorld({ hasControllers: true }));
  const provider = { web: { url: `${service.url}/age`, jsonPath: '{$.age}' } };
  await at.server.create(`${tkex}/hooktemplates`, hookTemplate('age', { provider }));
  const steps = [{ partition: 2 }, { hook: { templateName: 'age' } }];
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 3, canary: { steps } };
  await at.server.create(`${tkex}/gamedeployments`, gameDeployment({ replicas: 3, updateStrategy }));
  const user = await at.signIn();
  const tab = await user.follow(`topic=${topic}`);
  await pageWhen(tab, ({ view }) => view.phase === 'Complete');
  await at.server.send('PATCH', path, { body: image('2'), type: 'application/merge-patch+json' });
  const { charts, view } = await pageWhen(tab, (each) => each.view.phase === 'Paused');
  const run = view.steps[1]?.hookRun?.name ?? '';
  expect(charts[run]).toMatchObject([
    {
      metric: 'age',
      phase: 'Failed',
      thresholds: [{ value: 30, label: 'passes if < 30' }],
      points: [
        { phase: 'Failed', number: 45, value: '45', request: expect.stringContaining('/age') as string },
      ],
    },
  ]);
  const other = await user.follow(`topic=hookrun/default/${run}&topic=template/default/age`);
  const ofRun = await other.until((each) => each.type === 'object' && each.object.type === 'hookrun');
  expect(ofRun).toMatchObject({ object: { page: { release: topic, run: { phase: 'Failed' } } } });
  const ofTemplate = await other.until((each) => each.type === 'object' && each.object.type === 'template');
  expect(ofTemplate).toMatchObject({ object: { page: { runs: [{ name: run, phase: 'Failed' }] } } });
});

test('a HookTemplate is tried against a server and with a recorded answer', async () => {
  await using service = await startHookService({ age: 45 });
  const at = await closedAfterTest(openWebWorld());
  await at.server.create(`${tkex}/hooktemplates`, hookTemplate('age'));
  const user = await at.signIn();
  const attempt = async (body: object, as = user): Promise<JsonObject> =>
    (await as.send('POST', '/api/hooks/test', { topic: 'template/default/age', args: [], ...body })).body;
  expect(await attempt({ url: service.url })).toMatchObject({
    type: 'tried',
    phase: 'Failed',
    charts: [{ metric: 'age', points: [{ number: 45 }] }],
  });
  expect(service.asked).toEqual(['/age']);
  expect(await attempt({ reply: '{"age":25}' })).toMatchObject({ type: 'tried', phase: 'Successful' });
  expect(await attempt({ metric: 'none' })).toMatchObject({ type: 'refused' });
  expect(await attempt({ url: 'file:///etc/passwd' })).toMatchObject({ type: 'refused' });
  const bob = await at.signIn('token-of-bob');
  expect(await attempt({ url: service.url }, bob)).toMatchObject({
    type: 'refused',
    message: expect.stringContaining('bob may not create hookruns') as string,
  });
  expect(service.asked).toHaveLength(1);
});
