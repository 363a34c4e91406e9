import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { instant, seconds, type Clock } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { Secret } from '#edge/secret.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { startServer } from '#edge/testing/server.ts';
import type { ApiBody, ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import {
  badRequest,
  conflict,
  forbiddenAccess,
  alreadyExists,
  notFound,
  statusOf,
  type ApiError,
} from '#kube/status.ts';
import { createClient, type KubeClient } from './client.ts';
import { inProcessTransport } from './in-process-transport.ts';
import type { Refusal } from './outcome.ts';
import type { Resource } from '#kube/resource.ts';
import type { Transport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';
import type { WatchEvent } from './watch.ts';

const never = new AbortController().signal;
const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', namespaced: false };

type Way = { readonly name: string; open(serve: Serve): Promise<{ transport: Transport } & AsyncDisposable> };

const overTls: Way = {
  name: 'over TLS',
  async open(serve) {
    const server = await startServer(serve);
    const { ca, admin } = server.certificates;
    const certificate = { certificate: admin.certificate, key: new Secret(admin.key) };
    const user = { certificate, login: { type: 'none' }, impersonate: undefined } as const;
    const access = {
      server: server.url,
      ca,
      insecure: false,
      serverName: undefined,
      namespace: 'default',
      user,
    };
    const cluster = undiciTransport(access, systemClock, { terminal: false, env: {} });
    return {
      transport: cluster.transport,
      async [Symbol.asyncDispose]() {
        await cluster.close();
        await server[Symbol.asyncDispose]();
      },
    };
  },
};

const inProcess: Way = {
  name: 'in process',
  open: (serve) =>
    Promise.resolve({
      transport: inProcessTransport(serve, { user: 'boathook-admin', groups: ['system:masters'] }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

const ways = [overTls, inProcess];

async function open(
  way: Way,
  serve: Serve,
  clock: Clock = systemClock,
): Promise<{ client: KubeClient } & AsyncDisposable> {
  const opened = await way.open(serve);
  const client = createClient({
    transport: opened.transport,
    clock,
    userAgent: 'boathook/test',
    pageSize: 2,
  });
  return { client, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

const answer = (json: Json, status = 200): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { type: 'text', text: JSON.stringify(json) },
});
const refuse = (error: ApiError): ApiResponse => answer(statusOf(error), error.code);

type Seen = {
  line: string;
  type: string | undefined;
  body: Json;
  user: string | undefined;
  agent: string | undefined;
};

/** Notes every request and answers with an object. */
function noting(seen: Seen[]): Serve {
  return async (asked) => {
    const { method, path, query, headers, peer } = asked;
    const text = Buffer.from(await asked.body(10_000)).toString();
    const line = `${method} ${path}${query === '' ? '' : `?${query}`}`;
    const body = text === '' ? null : (JSON.parse(text) as Json);
    const [type, user, agent] = [headers['content-type'], peer.certificate?.user, headers['user-agent']];
    seen.push({ line, type, body, user, agent });
    return answer({ kind: 'ConfigMap', metadata: { name: 'answered' } });
  };
}

const map = (name: string, namespace = 'default'): JsonObject => ({ metadata: { name, namespace } });
const json = 'application/json';

type Call = {
  name: string;
  call: (client: KubeClient) => Promise<unknown>;
  line: string;
  type?: string;
  body?: Json;
};

const table: readonly Call[] = [
  {
    name: 'get',
    call: (client) => client.get(configMaps, { namespace: 'default', name: 'a:b' }, never),
    line: 'GET /api/v1/namespaces/default/configmaps/a%3Ab',
  },
  {
    name: 'get of a node',
    call: (client) => client.get(nodes, { name: 'n' }, never),
    line: 'GET /api/v1/nodes/n',
  },
  {
    name: 'create',
    call: (client) => client.create(deployments, map('a'), never, { fieldManager: 'me', dryRun: true }),
    line: 'POST /apis/apps/v1/namespaces/default/deployments?fieldManager=me&dryRun=All',
    type: json,
    body: map('a'),
  },
  {
    name: 'create of a subresource',
    call: (client) => client.create(configMaps, map('a'), never, { subresource: 'eviction' }),
    line: 'POST /api/v1/namespaces/default/configmaps/a/eviction',
    type: json,
    body: map('a'),
  },
  {
    name: 'update',
    call: (client) => client.update(configMaps, map('a'), never, { fieldValidation: 'Strict' }),
    line: 'PUT /api/v1/namespaces/default/configmaps/a?fieldValidation=Strict',
    type: json,
    body: map('a'),
  },
  {
    name: 'update of the status',
    call: (client) => client.updateStatus(configMaps, map('a'), never, { fieldManager: 'me' }),
    line: 'PUT /api/v1/namespaces/default/configmaps/a/status?fieldManager=me',
    type: json,
    body: map('a'),
  },
  ...(['json', 'merge', 'strategic'] as const).map((type) => ({
    name: `${type} patch`,
    call: (client: KubeClient) =>
      client.patch(configMaps, { namespace: 'x', name: 'a' }, { type, body: [] }, never),
    line: 'PATCH /api/v1/namespaces/x/configmaps/a',
    type: `application/${type === 'strategic' ? 'strategic-merge' : type}-patch+json`,
    body: [],
  })),
  {
    name: 'apply',
    call: (client) =>
      client.patch(
        configMaps,
        { namespace: 'x', name: 'a' },
        { type: 'apply', body: map('a'), force: true, fieldManager: 'me', subresource: 'status' },
        never,
      ),
    line: 'PATCH /api/v1/namespaces/x/configmaps/a/status?fieldManager=me&force=true',
    type: 'application/apply-patch+yaml',
    body: map('a'),
  },
  {
    name: 'remove',
    call: (client) => client.remove(configMaps, { namespace: 'x', name: 'a' }, never),
    line: 'DELETE /api/v1/namespaces/x/configmaps/a',
  },
  {
    name: 'remove with conditions',
    call: (client) =>
      client.remove(configMaps, { namespace: 'x', name: 'a' }, never, {
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u' },
        dryRun: true,
      }),
    line: 'DELETE /api/v1/namespaces/x/configmaps/a',
    type: json,
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    },
  },
  {
    name: 'remove many',
    call: (client) =>
      client.removeCollection(configMaps, { namespace: 'x', labelSelector: 'a in (b,c)' }, never),
    line: 'DELETE /api/v1/namespaces/x/configmaps?labelSelector=a+in+%28b%2Cc%29',
  },
  { name: 'raw', call: (client) => client.raw('/version', never), line: 'GET /version' },
];

test.for(ways)('verbs become requests, $name', async (way) => {
  const seen: Seen[] = [];
  await using opened = await open(way, noting(seen));
  for (const { call } of table)
    expect(await call(opened.client)).toMatchObject({ type: 'ok', object: { kind: 'ConfigMap' } });
  const common = { user: 'boathook-admin', agent: 'boathook/test' };
  expect(seen).toEqual(table.map(({ line, type, body = null }) => ({ line, type, body, ...common })));
});

test.for([
  (client: KubeClient) => client.get(configMaps, { name: 'a' }, never),
  (client: KubeClient) => client.get(configMaps, { namespace: 'x', name: '' }, never),
  (client: KubeClient) => client.create(configMaps, { metadata: { name: 'a' } }, never),
])('an address with a hole is a bug', async (call) => {
  await using opened = await open(inProcess, noting([]));
  await expect(async () => call(opened.client)).rejects.toThrow(/needs a (name|namespace)/);
});

const cm = { group: '', resource: 'configmaps' };
const refusals: readonly [ApiResponse, Partial<Refusal>][] = [
  [refuse(notFound(cm, 'a')), { type: 'not-found', code: 404, message: 'configmaps "a" not found' }],
  [refuse(alreadyExists(cm, 'a')), { type: 'exists', code: 409 }],
  [refuse(conflict(cm, 'a', 'no')), { type: 'conflict', code: 409 }],
  [refuse(badRequest('bad')), { type: 'invalid', code: 400, message: 'bad' }],
  [answer({ kind: 'Status', reason: 'Invalid', message: 'x' }, 422), { type: 'invalid', code: 422 }],
  [answer({ kind: 'Status', reason: 'Expired', message: 'old' }, 410), { type: 'gone', code: 410 }],
  [refuse(forbiddenAccess(cm, 'a', 'no')), { type: 'forbidden', code: 403 }],
  [
    answer({ kind: 'Status', reason: 'Unauthorized' }, 401),
    { type: 'unauthorized', message: 'the server answered 401' },
  ],
  [answer({ kind: 'Status', reason: 'MethodNotAllowed', message: 'x' }, 405), { type: 'refused', code: 405 }],
  [
    { status: 404, headers: {}, body: { type: 'text', text: '404 page not found\n' } },
    { type: 'not-found', message: '404 page not found' },
  ],
];

test.for(refusals)('a refusal is an outcome (%#)', async ([response, refusal]) => {
  await using opened = await open(overTls, async () => response);
  expect(await opened.client.get(configMaps, { namespace: 'x', name: 'a' }, never)).toMatchObject(refusal);
});

test.for<[number, ApiBody, RegExp]>([
  [500, { type: 'text', text: '{"kind":"Status","message":"broken"}' }, /\(500\): broken/],
  [503, { type: 'text', text: 'down' }, /\(503\): down/],
  [429, { type: 'text', text: '{}' }, /\(429\)/],
  [200, { type: 'text', text: '<html>' }, /not JSON/],
])('an outage is thrown (%i)', async ([status, body, why]) => {
  await using opened = await open(overTls, async () => ({ status, headers: {}, body }));
  const asked = opened.client.get(configMaps, { namespace: 'x', name: 'a' }, never);
  await expect(asked).rejects.toMatchObject({ name: 'Unavailable', message: expect.stringMatching(why) });
});

/** Five objects in pages; from the third page on `trouble` answers, if there is any. */
function paged(seen: string[], trouble?: ApiResponse): Serve {
  return async ({ query }) => {
    seen.push(query);
    const asked = new URLSearchParams(query);
    const start = Number(asked.get('continue') ?? 0);
    const limit = Number(asked.get('limit') ?? 100);
    if (trouble !== undefined && start >= 4) return trouble;
    const items = [0, 1, 2, 3, 4].slice(start, start + limit).map((i) => map(`m${i}`));
    const proceed = start + limit < 5 ? { continue: String(start + limit) } : {};
    return answer({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7', ...proceed },
      items,
    });
  };
}

const whole = [0, 1, 2, 3, 4].map((i) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...map(`m${i}`) }));

test.for(ways)('a list is read page by page, $name', async (way) => {
  const seen: string[] = [];
  await using opened = await open(way, paged(seen));
  const selection = { namespace: 'default', labelSelector: 'a=b', resourceVersion: '0' };
  expect(await opened.client.list(configMaps, selection, never)).toEqual({
    type: 'ok',
    items: whole,
    resourceVersion: '7',
  });
  expect(seen).toEqual([
    'labelSelector=a%3Db&limit=2&resourceVersion=0',
    'labelSelector=a%3Db&limit=2&continue=2',
    'labelSelector=a%3Db&limit=2&continue=4',
  ]);
  const sizes: number[] = [];
  for await (const page of opened.client.pages(configMaps, {}, never)) {
    if (page.type === 'page') sizes.push(page.items.length);
  }
  expect(sizes).toEqual([2, 2, 1]);
});

test('a list whose pages grow too old is read in one piece', async () => {
  const seen: string[] = [];
  const gone = answer({ kind: 'Status', reason: 'Expired', message: 'old' }, 410);
  await using opened = await open(inProcess, paged(seen, gone));
  expect(await opened.client.list(configMaps, {}, never)).toEqual({
    type: 'ok',
    items: whole,
    resourceVersion: '7',
  });
  expect(seen.at(-1)).toBe('');
  const types: string[] = [];
  for await (const page of opened.client.pages(configMaps, {}, never)) types.push(page.type);
  expect(types).toEqual(['page', 'page', 'gone']);
});

test('a refused list is an outcome', async () => {
  await using opened = await open(inProcess, async () => refuse(forbiddenAccess(cm, '', 'no')));
  expect(await opened.client.list(configMaps, {}, never)).toMatchObject({ type: 'forbidden' });
});

const streamOf =
  (make: (asked: ApiRequest) => AsyncIterable<string>, cut: AbortSignal = never): Serve =>
  async (asked) => ({ status: 200, headers: {}, body: { type: 'stream', stream: make(asked), cut } });

const event = (type: string, object: Json): string => `${JSON.stringify({ type, object })}\n`;

async function take(
  events: AsyncIterable<WatchEvent>,
  count = Number.POSITIVE_INFINITY,
): Promise<WatchEvent[]> {
  const taken: WatchEvent[] = [];
  for await (const each of events) {
    taken.push(each);
    if (taken.length >= count) break;
  }
  return taken;
}

test.for(ways)('a watch gives events until the server ends it, $name', async (way) => {
  const queries: string[] = [];
  async function* events({ query }: ApiRequest): AsyncGenerator<string> {
    queries.push(query);
    yield event('ADDED', map('a')) + event('MODIFIED', map('ä')).slice(0, 20);
    yield event('MODIFIED', map('ä')).slice(20);
    yield event('DELETED', map('a'));
    yield event('BOOKMARK', { metadata: { resourceVersion: '9' } });
  }
  await using opened = await open(way, streamOf(events));
  const options = { namespace: 'x', resourceVersion: '5', fieldSelector: 'a=b', timeoutSeconds: 30 };
  expect(await take(opened.client.watch(configMaps, options, never))).toEqual([
    { type: 'ADDED', object: map('a') },
    { type: 'MODIFIED', object: map('ä') },
    { type: 'DELETED', object: map('a') },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
  ]);
  expect(queries).toEqual([
    'resourceVersion=5&fieldSelector=a%3Db&timeoutSeconds=30&watch=true&allowWatchBookmarks=true',
  ]);
});

const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', message: 'too old', code: 410 };

test.for<[string, Serve]>([
  [
    'in an event',
    streamOf(async function* () {
      yield event('ADDED', map('a')) + event('ERROR', expired);
    }),
  ],
  ['at once', async () => answer(expired, 410)],
])('history that is gone is the last event: %s', async ([, serve]) => {
  await using opened = await open(overTls, serve);
  const events = await take(opened.client.watch(configMaps, {}, never));
  expect(events.at(-1)).toMatchObject({ type: 'gone', code: 410, message: 'too old' });
});

test.for<[string, string]>([
  ['an error of the server', event('ERROR', { kind: 'Status', message: 'etcd', code: 500 })],
  ['half a line', '{"type":"ADDED","object":{"me'],
  ['a stranger', event('SOMETHING', {})],
])('%s in a watch is an outage', async ([, text]) => {
  await using opened = await open(
    overTls,
    streamOf(async function* () {
      yield text;
    }),
  );
  await expect(take(opened.client.watch(configMaps, {}, never))).rejects.toMatchObject({
    name: 'Unavailable',
  });
});

/** One event, then silence until the client leaves. */
function oneEvent(left: () => void): (asked: ApiRequest) => AsyncGenerator<string> {
  return async function* ({ signal }) {
    try {
      yield event('ADDED', map('a'));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      left();
    }
  };
}

test.for(ways)('who leaves a watch closes it, $name', async (way) => {
  const left = Promise.withResolvers<void>();
  await using opened = await open(way, streamOf(oneEvent(left.resolve)));
  expect(await take(opened.client.watch(configMaps, {}, never), 1)).toHaveLength(1);
  await left.promise;
});

test.for(ways)('an aborted watch fails with the reason, $name', async (way) => {
  const left = Promise.withResolvers<void>();
  await using opened = await open(way, streamOf(oneEvent(left.resolve)));
  const stop = new AbortController();
  const reason = new Error('enough');
  const read = async (): Promise<void> => {
    for await (const each of opened.client.watch(configMaps, {}, stop.signal)) {
      if (each.type === 'ADDED') stop.abort(reason);
    }
  };
  await expect(read()).rejects.toBe(reason);
  await left.promise;
});

test('a silent watch ends, for its connection may be dead', async () => {
  const left = Promise.withResolvers<void>();
  const clock = manualClock(0);
  await using opened = await open(overTls, streamOf(oneEvent(left.resolve)), clock);
  const read = async (): Promise<void> => {
    for await (const each of opened.client.watch(configMaps, { idle: seconds(60) }, never)) {
      expect(each.type).toBe('ADDED');
      // Time that the reader itself takes does not count.
      clock.advance(seconds(59));
      setImmediate(() => clock.advance(seconds(59)));
      setImmediate(() => clock.advance(seconds(1)));
    }
  };
  await read();
  expect(clock.now()).toBe(119_000);
  await left.promise;
});

test('a watch is silent no longer because the clock was set back', async () => {
  const left = Promise.withResolvers<void>();
  const steady = manualClock(7_200_000);
  let behind = 0;
  const clock = { ...steady, now: () => instant(steady.now() - behind), steady: () => steady.now() };
  await using opened = await open(overTls, streamOf(oneEvent(left.resolve)), clock);
  for await (const each of opened.client.watch(configMaps, { idle: seconds(60) }, never)) {
    expect(each.type).toBe('ADDED');
    setImmediate(() => {
      behind = 3_600_000;
      steady.advance(seconds(60));
    });
  }
  expect(steady.now()).toBe(7_260_000);
  await left.promise;
});

test.for(ways)('a watch that the server cuts is an outage, $name', async (way) => {
  const cut = new AbortController();
  await using opened = await open(
    way,
    streamOf(
      oneEvent(() => undefined),
      cut.signal,
    ),
  );
  const read = async (): Promise<void> => {
    for await (const each of opened.client.watch(configMaps, {}, never))
      if (each.type === 'ADDED') cut.abort();
  };
  await expect(read()).rejects.toMatchObject({ name: 'Unavailable' });
});

test('the resource of a kind is looked up once; one that is missing is looked up again', async () => {
  const seen: string[] = [];
  let resources: Json[] = [{ name: 'widgets/status', kind: 'Widget', namespaced: true }];
  await using opened = await open(inProcess, async ({ path }) => {
    seen.push(path);
    return path.includes('none') ? refuse(notFound(cm, 'x')) : answer({ kind: 'APIResourceList', resources });
  });
  const find = (apiVersion: string, kind: string): Promise<unknown> =>
    opened.client.resourceOf({ apiVersion, kind }, never);
  expect(await find('demo.io/v1', 'Widget')).toMatchObject({
    type: 'not-found',
    message: expect.stringContaining('Widget'),
  });
  resources = [...resources, { name: 'widgets', kind: 'Widget', namespaced: true }];
  const widgets = { group: 'demo.io', version: 'v1', plural: 'widgets', namespaced: true };
  expect(await find('demo.io/v1', 'Widget')).toEqual({ type: 'ok', resource: widgets });
  expect(await find('demo.io/v1', 'Widget')).toEqual({ type: 'ok', resource: widgets });
  expect(await find('v1', 'Widget')).toEqual({ type: 'ok', resource: { ...widgets, group: '' } });
  expect(await find('none.io/v1', 'Widget')).toMatchObject({ type: 'not-found' });
  expect(seen).toEqual(['/apis/demo.io/v1', '/apis/demo.io/v1', '/api/v1', '/apis/none.io/v1']);
});
