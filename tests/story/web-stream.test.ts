import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { millis, minutes, seconds } from '#base/time.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { OverviewRow } from '#web/wire/overview.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { gameDeployment, hookTemplate } from '../support/game-world.ts';
import { openWebWorld, type WebTab, type WebWorld } from '../support/web-server-world.ts';
import { noon } from '../support/world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const tkex = '/apis/tkex.tencent.com/v1alpha1';
const workloads = `${tkex}/namespaces/default/gamedeployments`;
const create = (at: WebWorld, name: string, spec: JsonObject = {}): Promise<JsonObject> =>
  at.server.create(workloads, gameDeployment(spec, name));

type Of<Type> = Extract<StreamMessage, { readonly type: Type }>;
const isOverview = (message: StreamMessage): message is Of<'overview'> => message.type === 'overview';
const putting =
  (name: string) =>
  (message: StreamMessage): message is Of<'rows'> =>
    message.type === 'rows' && message.put.some((row) => row.name === name);

test('the overview is sent once, and then what changed', async () => {
  const at = await closedAfterTest(openWebWorld());
  await create(at, 'first');
  const user = await at.signIn();
  const tab = await user.follow('topic=overview');
  const { overview } = await tab.until(isOverview);
  expect(overview).toMatchObject({ missing: [], left: 0, examples: [] });
  expect(overview.rows.map(({ key }) => key)).toEqual(['release/GameDeployment/default/first']);
  await create(at, 'second');
  const { put, removed } = await tab.until(putting('second'));
  expect(put.map(({ name }: OverviewRow) => name)).toEqual(['second']);
  expect(removed).toEqual([]);
  await at.server.send('DELETE', `${workloads}/first`);
  const gone = await tab.until((each) => each.type === 'rows' && each.removed.length > 0);
  expect(gone).toMatchObject({ put: [], removed: ['release/GameDeployment/default/first'] });
  expect(tab.messages.filter(isOverview)).toHaveLength(1);
});

test('a tab that comes back receives what is newer than what it has', async () => {
  const at = await closedAfterTest(openWebWorld());
  await create(at, 'first');
  const user = await at.signIn();
  const tab = await user.follow('topic=overview');
  const { version } = await tab.until(isOverview);
  expect(tab.ids).toContain(`overview@${version}`);
  tab.close();
  await tab.ended;
  await create(at, 'second');
  const back = await user.follow(`topic=overview&have=overview@${version}`);
  const { put } = await back.until(putting('second'));
  expect(put.map(({ name }) => name)).toEqual(['second']);
  expect(back.messages.some(isOverview)).toBe(false);
  const stranger = await user.follow('topic=overview&have=overview@00000000.1');
  const { overview } = await stranger.until(isOverview);
  expect(overview.rows).toHaveLength(2);
});

test('an object that a tab has already is not sent again', async () => {
  const at = await closedAfterTest(openWebWorld());
  await at.server.create(`${tkex}/namespaces/default/hooktemplates`, hookTemplate());
  const user = await at.signIn();
  const tab = await user.follow('topic=template/default/age');
  const message = await tab.until((each): each is Of<'object'> => each.type === 'object');
  expect(message.object).toMatchObject({
    type: 'template',
    page: { name: 'age', metrics: ['age'], runs: [] },
  });
  const have = encodeURIComponent(`template/default/age@${message.version}`);
  const back = await user.follow(`topic=template/default/age&have=${have}&topic=hookrun/default/none`);
  await back.until((each) => each.type === 'gone');
  expect(back.messages.map(({ type }) => type)).toEqual(['gone']);
});

/** Lets time pass, a little with each turn of the event loop, until the promise settles. */
async function passing<Value>(clock: ManualClock, promise: Promise<Value>): Promise<Value> {
  const turn = async (): Promise<undefined> => {
    await new Promise((resolve) => setImmediate(resolve));
    return undefined;
  };
  const settled = promise.then((value) => ({ value }));
  for (;;) {
    const found = await Promise.race([settled, turn()]);
    if (found !== undefined) return found.value;
    clock.advance(millis(2));
  }
}

const overviewWatches = {
  gamedeployments: 1,
  gamestatefulsets: 1,
  hookruns: 1,
  clusters: 1,
  crdregistrations: 1,
};

/** Settles when the watches are these: they open and end in turns of the event loop. */
async function watchesAre(at: WebWorld, wanted: Readonly<Record<string, number>>): Promise<void> {
  const isWanted = (): boolean =>
    at.watches.size === Object.keys(wanted).length &&
    Object.entries(wanted).every(([name, count]) => at.watches.get(name) === count);
  for (let turns = 0; turns < 100_000 && !isWanted(); turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(Object.fromEntries(at.watches)).toEqual(wanted);
}

/** A topic of each page, so that every kind that can be watched is. */
const everyPage = [
  'overview',
  'release/GameDeployment/default/first',
  'release/GameDeployment/default/second',
  'release/GameStatefulSet/default/third',
  'hookrun/default/run',
  'template/default/age',
  'cluster//prod',
  'registration//kuards',
];
const pageWatches = { ...overviewWatches, pods: 1, events: 1, hooktemplates: 1 };
const query = (topics: readonly string[]): string => topics.map((topic) => `topic=${topic}`).join('&');

test('50 tabs with pages of all kinds share one watch for each kind, and none is left when they are closed', async () => {
  const clock = manualClock(noon);
  const at = await closedAfterTest(openWebWorld({ clock }));
  await create(at, 'first');
  await create(at, 'second');
  await at.server.create(`${tkex}/namespaces/default/hooktemplates`, hookTemplate());
  const users = [await at.signIn(), await at.signIn()];
  const tabs: WebTab[] = [];
  for (let count = 0; count < 50; count += 1)
    tabs.push(await users[count % 2]!.follow(query(['overview', everyPage[count % everyPage.length] ?? ''])));
  await passing(clock, Promise.all(tabs.map((tab) => tab.until(isOverview))));
  const isPage = ({ type }: StreamMessage): boolean => type === 'object' || type === 'gone';
  const pages = tabs.filter((_, count) => count % everyPage.length !== 0);
  await passing(clock, Promise.all(pages.map((tab) => tab.until(isPage))));
  await watchesAre(at, pageWatches);
  const other = await at.signIn('token-of-bob');
  const look = await other.follow(query(everyPage.slice(0, 3)));
  await passing(clock, look.until(isOverview));
  await passing(clock, look.until(isPage));
  const both = Object.entries(pageWatches).map(([name, count]) => [name, count * 2] as const);
  await watchesAre(at, { ...Object.fromEntries(both), hooktemplates: 1 });
  for (const tab of [...tabs, look]) tab.close();
  await Promise.all([...tabs, look].map(({ ended }) => ended));
  // The server notices that a tab is closed when its connection ends.
  for (let turns = 0; turns < 1000; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(seconds(31));
  await watchesAre(at, {});
});

test('the page of who may watch one namespace is live, by watches of this namespace', async () => {
  const at = await closedAfterTest(openWebWorld());
  await create(at, 'first', { replicas: 1 });
  const group = 'rbac.authorization.k8s.io';
  const roles = `/apis/${group}/v1/namespaces/default`;
  await at.server.create(`${roles}/roles`, {
    metadata: { name: 'look' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  });
  await at.server.create(`${roles}/rolebindings`, {
    metadata: { name: 'look' },
    roleRef: { apiGroup: group, kind: 'Role', name: 'look' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'carol' }],
  });
  const carol = await at.signIn('token-of-carol');
  const tab = await carol.follow('topic=release/GameDeployment/default/first');
  await tab.until(({ type }) => type === 'object');
  await watchesAre(at, { gamedeployments: 1, hookruns: 1, pods: 1, events: 1 });
  const type = 'application/merge-patch+json';
  await at.server.send('PATCH', `${workloads}/first`, { body: { spec: { replicas: 7 } }, type });
  await tab.until((message) => JSON.stringify(message).includes('"desired":7'));
});

test('a session that ends takes its watches with it', async () => {
  const clock = manualClock(noon);
  const at = await closedAfterTest(openWebWorld({ clock }));
  const user = await at.signIn('token-of-bob');
  const tab = await user.follow('topic=overview');
  await passing(clock, tab.until(isOverview));
  await watchesAre(at, overviewWatches);
  clock.advance(minutes(12 * 60));
  await watchesAre(at, {});
});

test('who may list nothing is told so, kind by kind', async () => {
  const at = await closedAfterTest(openWebWorld());
  const carol = await at.signIn('token-of-carol');
  const tab = await carol.follow('topic=overview&topic=release/GameDeployment/default/x');
  const { overview } = await tab.until(isOverview);
  expect(overview.rows).toEqual([]);
  expect(overview.missing).toHaveLength(5);
  expect(overview.missing[0]?.message).toMatch(
    /^GameDeployments cannot be listed: .*User "carol" cannot list/,
  );
  const refused = await tab.until((each): each is Of<'refused'> => each.type === 'refused');
  expect(refused.message).toMatch(/^GameDeployment x in namespace default cannot be read: .*carol/);
});

test('who may list one namespace sees that one', async () => {
  const at = await closedAfterTest(openWebWorld());
  await create(at, 'first');
  const group = 'rbac.authorization.k8s.io';
  const roles = `/apis/${group}/v1/namespaces/default`;
  await at.server.create(`${roles}/roles`, {
    metadata: { name: 'look' },
    rules: [{ apiGroups: ['*'], resources: ['gamedeployments'], verbs: ['list', 'watch'] }],
  });
  await at.server.create(`${roles}/rolebindings`, {
    metadata: { name: 'look' },
    roleRef: { apiGroup: group, kind: 'Role', name: 'look' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'carol' }],
  });
  const carol = await at.signIn('token-of-carol');
  const tab = await carol.follow('topic=overview');
  const { overview } = await tab.until(isOverview);
  expect(overview.rows.map(({ name }) => name)).toEqual(['first']);
  expect(overview.missing[0]?.message).toMatch(/^Only GameDeployments of namespace default are shown: /);
  await create(at, 'second');
  await tab.until(putting('second'));
});

test('a kind that is not installed is told with the remedy, and found when it is', async () => {
  const at = await closedAfterTest(openWebWorld());
  const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const name = 'clusters.platform.tkestack.io';
  const { body: crd } = await at.server.send('GET', `${definition}/${name}`);
  await at.server.send('DELETE', `${definition}/${name}`);
  const user = await at.signIn();
  const tab = await user.follow('topic=overview&topic=cluster//prod');
  const { overview } = await tab.until(isOverview);
  expect(overview.missing).toEqual([
    {
      kind: 'cluster',
      message:
        'The cluster has no Clusters: install clusters.platform.tkestack.io with boathook crds | kubectl apply -f -',
    },
  ]);
  const { message } = await tab.until((each): each is Of<'refused'> => each.type === 'refused');
  expect(message).toBe(
    'Cluster prod cannot be read, because its kind is not installed: boathook crds | kubectl apply -f -',
  );
  await at.server.create(definition, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: crd['spec'] ?? {},
  });
  await tab.until((each) => isOverview(each) && each.overview.missing.length === 0);
});

test('an API server that is away and back', async () => {
  let isAway = false;
  const clock = manualClock(noon);
  const cut = new AbortController();
  const at = await closedAfterTest(
    openWebWorld({
      clock,
      around: (connector) => ({
        ...connector,
        open(login) {
          const opened = connector.open(login);
          const { client } = opened;
          const gone = (): void => {
            if (isAway) throw new Unavailable('connect ECONNREFUSED');
          };
          return {
            ...opened,
            client: {
              ...client,
              get: (...given) => (gone(), client.get(...given)),
              list: (...given) => (gone(), client.list(...given)),
              async raw(...given) {
                gone();
                return client.raw(...given);
              },
              async *pages(...given) {
                gone();
                yield* client.pages(...given);
              },
              async *watch(resource, options, signal) {
                gone();
                yield* client.watch(
                  resource,
                  options,
                  AbortSignal.any([signal, ...(isAway ? [] : [cut.signal])]),
                );
              },
            },
          };
        },
      }),
    }),
  );
  const user = await at.signIn();
  const tab = await user.follow('topic=overview');
  await passing(clock, tab.until(isOverview));
  isAway = true;
  cut.abort(new Unavailable('connection reset'));
  const lost = await passing(
    clock,
    tab.until((each) => each.type === 'connection'),
  );
  expect(lost).toMatchObject({ isUp: false, since: expect.stringMatching(/^2026-01-05T12:0/) as string });
  expect(lost).toMatchObject({ message: expect.stringMatching(/does not answer/) as string });
  isAway = false;
  await create(at, 'meanwhile');
  await passing(
    clock,
    Promise.all([
      tab.until((each) => each.type === 'connection' && each.isUp),
      tab.until(putting('meanwhile')),
    ]),
  );
});

test('hostile texts of objects stay texts', async () => {
  const at = await closedAfterTest(openWebWorld());
  const hostile = '</script><img src=x onerror=alert(1)>\n\nid: x\ndata: {"type":"signed-out"}\r\n\u2028';
  const runs = `${tkex}/namespaces/default/hookruns`;
  const spec = { args: [{ name: 'a', value: hostile }], metrics: [] };
  await at.server.create(runs, { ...gameDeployment({}, 'r'), kind: 'HookRun', spec });
  const type = 'application/merge-patch+json';
  const status = { phase: 'Failed', message: hostile };
  await at.server.send('PATCH', `${runs}/r/status`, { body: { status }, type });
  const user = await at.signIn();
  const tab = await user.follow('topic=overview&topic=hookrun/default/r');
  const { overview } = await tab.until(isOverview);
  expect(overview.rows[0]).toMatchObject({ message: hostile, isFailed: true });
  const page = await tab.until((each) => each.type === 'object');
  expect(page).toMatchObject({ object: { page: { args: [{ value: hostile }], run: { message: hostile } } } });
  expect(tab.messages.map((each) => each.type).toSorted()).toEqual(['object', 'overview']);
});

test('a token that the cluster does not accept any more signs out', async () => {
  let isRevoked = false;
  const refusal = { type: 'unauthorized', code: 401, message: 'Unauthorized', status: {} } as const;
  const at = await closedAfterTest(
    openWebWorld({
      around: (connector) => ({
        ...connector,
        open(login) {
          const opened = connector.open(login);
          const { client } = opened;
          const get: KubeClient['get'] = (...given) =>
            isRevoked ? Promise.resolve(refusal) : client.get(...given);
          return { ...opened, client: { ...client, get } };
        },
      }),
    }),
  );
  await create(at, 'first');
  const user = await at.signIn('token-of-bob');
  const tab = await user.follow('topic=release/GameDeployment/default/first');
  await tab.until(({ type }) => type === 'object');
  isRevoked = true;
  await at.server.send('PATCH', `${workloads}/first`, {
    body: { spec: { replicas: 1 } },
    type: 'application/merge-patch+json',
  });
  expect(await tab.until(({ type }) => type === 'signed-out')).toMatchObject({
    message: 'the cluster does not accept the token any more: Unauthorized',
  });
  expect(await user.send('GET', '/api/session')).toMatchObject({ body: { isSignedIn: false } });
});
