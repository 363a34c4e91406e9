import { expect, test } from 'vitest';
import { textAt, type Json, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { millis, minutes, seconds } from '#base/time.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Resource } from '#kube/resource.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import type { ApiResponse } from '#kube/http.ts';
import { metaOf, nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { Delta } from './delta.ts';
import { createInformer, type InformerDeps } from './informer.ts';

const widgets: Resource = { group: 'shop.example', version: 'v1', plural: 'widgets', namespaced: true };
const turns = async (count = 5): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise<void>((resolve) => systemTasks.soon(resolve));
};

const widget = (name: string, version: number, uid = `uid-${name}`): KubeObject => ({
  apiVersion: 'shop.example/v1',
  kind: 'Widget',
  metadata: { namespace: 'n', name, uid, resourceVersion: String(version) },
});
const json = (value: Json, status = 200): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { type: 'text', text: JSON.stringify(value) },
});
const list = (version: number, items: readonly KubeObject[] = [], proceed?: string): ApiResponse =>
  json({
    kind: 'WidgetList',
    apiVersion: 'shop.example/v1',
    metadata: { resourceVersion: String(version), ...(proceed === undefined ? {} : { continue: proceed }) },
    items,
  });
const gone = (): ApiResponse =>
  json({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }, 410);
const broken = (): ApiResponse => json({ kind: 'Status', code: 500, message: 'no' }, 500);

type Event = readonly [type: string, object: JsonObject];
const bookmark = (version: number): Event => ['BOOKMARK', { metadata: { resourceVersion: String(version) } }];
const stream = (events: readonly Event[], end: Promise<void> = Promise.resolve()): ApiResponse => ({
  status: 200,
  headers: {},
  body: {
    type: 'stream',
    cut: new AbortController().signal,
    stream: (async function* () {
      for (const [type, object] of events) yield `${JSON.stringify({ type, object })}\n`;
      await end;
    })(),
  },
});
/** A watch that stays open and sends nothing more. */
const open = (...events: readonly Event[]): ApiResponse => stream(events, new Promise(() => undefined));
const ended = (...events: readonly Event[]): ApiResponse => stream(events);

/** An informer of a server that answers as it is written down, one answer after the other. */
function start(
  answers: readonly (() => ApiResponse | Promise<ApiResponse>)[],
  chance = 0,
  { streamsLists = false, keeps }: Pick<InformerDeps, 'streamsLists' | 'keeps'> = {},
) {
  const clock = manualClock(0);
  const asked: string[] = [];
  const left = [...answers];
  const serve = (request: { readonly query: string }): Promise<ApiResponse> => {
    const query = new URLSearchParams(request.query);
    const what = query.get('watch') === 'true' ? `watch ${query.get('resourceVersion')}` : 'list';
    const how = query.get('continue') ?? (query.has('limit') ? '' : 'whole');
    const isStream = query.get('sendInitialEvents') === 'true';
    asked.push(isStream ? 'stream' : what === 'list' ? `list ${how}`.trim() : what);
    return Promise.resolve((left.shift() ?? open)());
  };
  const direct = inProcessTransport(serve, { user: 'admin', groups: [] });
  // As if there were a network in between.
  const transport: Transport = async (request) => ({ ...(await direct(request)), isLocal: false });
  const client = createClient({ transport, clock, userAgent: 'test', pageSize: 2 });
  const reports: string[] = [];
  const random = { ...seededRandom(1), next: () => chance };
  const report = (message: string, fields: Readonly<Record<string, Json>>): void =>
    void reports.push(`${message}: ${textAt(fields, 'why')}`);
  const informer = createInformer({ client, clock, random, resource: widgets, report, streamsLists, keeps });
  const told: string[] = [];
  informer.subscribe((delta: Delta) =>
    told.push(`${delta.type} ${nameOf(delta.object)}@${resourceVersionOf(delta.object)}`),
  );
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  return {
    clock,
    asked,
    told,
    reports,
    informer,
    async pass(span: number) {
      await turns();
      clock.advance(millis(span));
      await turns();
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('over'));
      await running;
    },
  };
}

test('bookmarks move the position from which a watch continues', async () => {
  await using run = start([
    () => list(10),
    () => ended(bookmark(25)),
    () => ended(['ADDED', widget('a', 31)]),
  ]);
  await turns();
  expect(run.asked).toEqual(['list', 'watch 10', 'watch 25', 'watch 31']);
  expect(run.told).toEqual(['added a@31']);
  expect(run.reports).toEqual([]);
});

test('errors are met with growing pauses, and success forgets them', async () => {
  await using run = start([
    broken,
    broken,
    broken,
    () => list(10),
    broken,
    () => ended(bookmark(11)),
    broken,
  ]);
  await turns();
  expect(run.asked).toEqual(['list']);
  await run.pass(499);
  expect(run.asked).toHaveLength(1);
  await run.pass(1);
  expect(run.asked).toHaveLength(2);
  await run.pass(1000);
  expect(run.asked).toHaveLength(3);
  await run.pass(2000);
  // The list came, so the failure of its watch is the first one.
  expect(run.asked.slice(3)).toEqual(['list', 'watch 10']);
  await run.pass(500);
  expect(run.asked.slice(5)).toEqual(['watch 10', 'watch 11']);
  await run.pass(500);
  expect(run.asked.slice(7)).toEqual(['watch 11']);
  expect(run.reports).toHaveLength(6);
});

test('pauses are spread by chance', async () => {
  await using run = start([broken], 0.5);
  await run.pass(624);
  expect(run.asked).toHaveLength(1);
  await run.pass(1);
  expect(run.asked).toHaveLength(2);
});

test('a position that is gone is listed again, at once', async () => {
  await using run = start([
    () => list(10, [widget('a', 5), widget('b', 6)]),
    gone,
    () => list(20, [widget('b', 6), widget('c', 15)]),
    () => ended(['ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'old' }]),
  ]);
  await turns(10);
  expect(run.told).toEqual(['added a@5', 'added b@6', 'deleted a@5', 'added c@15']);
  expect(run.asked).toEqual(['list', 'watch 10', 'list', 'watch 20']);
  await run.pass(1000);
  expect(run.asked.slice(4)).toEqual(['list']);
});

test('a position that is gone after the connection was lost for long is listed again, at once', async () => {
  const lost = Array.from({ length: 8 }, () => broken);
  await using run = start([...lost, () => list(10), gone, () => list(20), gone, () => list(30), broken]);
  for (let i = 0; i < lost.length; i += 1) await run.pass(seconds(30));
  expect(run.asked.slice(lost.length)).toEqual(['list', 'watch 10', 'list', 'watch 20']);
  // Lists that come do not hide that their watches end.
  await run.pass(1000);
  expect(run.asked.slice(lost.length + 4)).toEqual(['list', 'watch 30']);
  await run.pass(1999);
  expect(run.asked).toHaveLength(lost.length + 6);
  await run.pass(1);
  expect(run.asked).toHaveLength(lost.length + 7);
});

test('a position that is gone after failed watches is listed again, at once', async () => {
  const failed = Array.from({ length: 4 }, () => broken);
  await using run = start([() => list(10), ...failed, gone, () => list(20)]);
  for (let i = 0; i < failed.length - 1; i += 1) await run.pass(seconds(5));
  expect(run.asked).toHaveLength(failed.length + 1);
  await run.pass(seconds(5));
  expect(run.asked.slice(failed.length + 1)).toEqual(['watch 10', 'list', 'watch 20']);
});

test('a watch that was served for some time forgets the failures before it, also when it was silent', async () => {
  const lost = Promise.withResolvers<void>();
  const failed = Array.from({ length: 4 }, () => broken);
  await using run = start([() => list(10), ...failed, () => stream([], lost.promise)]);
  for (let i = 0; i < failed.length; i += 1) await run.pass(seconds(5));
  expect(run.asked).toHaveLength(failed.length + 2);
  await run.pass(seconds(2));
  lost.reject(new Error('the connection was reset'));
  await run.pass(499);
  expect(run.asked).toHaveLength(failed.length + 2);
  await run.pass(1);
  expect(run.asked).toHaveLength(failed.length + 3);
});

test('a server that ends every watch at once is not called again and again', async () => {
  await using run = start([() => list(10), ended, ended, ended, ended]);
  await turns(10);
  expect(run.asked).toEqual(['list', 'watch 10', 'watch 10']);
  await run.pass(999);
  expect(run.asked).toHaveLength(3);
  await run.pass(1);
  expect(run.asked).toHaveLength(4);
});

test('a silent connection is given up within half a minute and taken up where it ended', async () => {
  await using run = start([() => list(10), () => open(bookmark(12)), open]);
  await run.pass(seconds(24));
  expect(run.asked).toEqual(['list', 'watch 10']);
  await run.pass(seconds(1));
  expect(run.asked).toEqual(['list', 'watch 10', 'watch 12']);
  expect(run.reports).toEqual([]);
});

test('subscribers are called only after the last page of a list', async () => {
  await using run = start([
    () => list(10, [widget('a', 1), widget('b', 2)], 'next'),
    broken,
    () => list(11, [widget('a', 1), widget('b', 2)], 'next'),
    () => list(11, [widget('c', 3)]),
  ]);
  let isSynced = false;
  void run.informer.synced.then(() => (isSynced = true));
  await turns();
  expect([isSynced, run.told]).toEqual([false, []]);
  await run.pass(500);
  expect([isSynced, run.told]).toEqual([true, ['added a@1', 'added b@2', 'added c@3']]);
  expect(run.asked).toEqual(['list', 'list next', 'list', 'list next', 'watch 11']);
});

test('a page that does not come in a minute is given up; each page has its own minute', async () => {
  const slow = Promise.withResolvers<ApiResponse>();
  await using run = start([
    () => open(),
    () => list(10, [widget('a', 1), widget('b', 2)], 'next'),
    () => slow.promise,
  ]);
  await run.pass(seconds(59.999));
  expect(run.asked).toEqual(['list']);
  await run.pass(1);
  await run.pass(500);
  expect(run.reports[0]).toContain('returned no data for 60 s');
  expect(run.asked).toEqual(['list', 'list', 'list next']);
  await run.pass(seconds(59));
  slow.resolve(list(10, [widget('c', 3)]));
  await turns();
  expect(run.told).toHaveLength(3);
});

test('pages that grow too old are listed in one piece', async () => {
  await using run = start([
    () => list(10, [widget('a', 1), widget('b', 2)], 'next'),
    gone,
    () => list(11, [widget('a', 1), widget('b', 2)], 'next'),
    gone,
    () => list(12, [widget('a', 1)]),
  ]);
  await turns();
  expect(run.asked).toEqual(['list', 'list next', 'list', 'list next', 'list whole', 'watch 12']);
  expect(run.told).toEqual(['added a@1']);
});

test('a late watch never brings back an older state', async () => {
  await using run = start([
    () => list(10, [widget('a', 7), widget('b', 8)]),
    () =>
      open(
        ['MODIFIED', widget('a', 12)],
        ['MODIFIED', widget('a', 11)],
        ['DELETED', widget('b', 13)],
        ['ADDED', widget('b', 8)],
        ['DELETED', widget('a', 9)],
        ['ADDED', widget('a', 14, 'another')],
        ['DELETED', widget('a', 13)],
      ),
  ]);
  await turns();
  expect(run.told.slice(2)).toEqual(['updated a@12', 'deleted b@13', 'deleted a@12', 'added a@14']);
  expect(run.informer.list().map(resourceVersionOf)).toEqual(['14']);
});

test('a list older than what is known is not believed, unless the server insists', async () => {
  const old = (): ApiResponse => list(5, [widget('a', 4)]);
  await using run = start([
    () => list(10, [widget('a', 9)]),
    gone,
    old,
    () => list(11, [widget('a', 9), widget('b', 11)]),
    () => ended(bookmark(2)),
    old,
    old,
    old,
    old,
    old,
  ]);
  await run.pass(5000);
  expect(run.told).toEqual(['added a@9', 'added b@11']);
  expect(run.reports[0]).toContain('older than 10');
  for (let i = 0; i < 4; i += 1) await run.pass(minutes(1));
  expect(run.told.slice(2)).toEqual(['updated a@4', 'deleted b@11']);
  expect(run.asked.at(-1)).toBe('watch 5');
});

test('a position that only fails is listed again', async () => {
  await using run = start([() => list(10), broken, broken, broken, broken, broken]);
  for (let i = 0; i < 5; i += 1) await run.pass(minutes(1));
  expect(run.asked).toEqual(['list', ...Array.from({ length: 5 }, () => 'watch 10'), 'list']);
});

test('a listener that fails does not affect the others', async () => {
  await using run = start([() => list(10, [widget('a', 1)]), () => open(['MODIFIED', widget('a', 11)])]);
  const seen: string[] = [];
  run.informer.subscribe(() => {
    throw new Error('oops');
  });
  run.informer.subscribe(({ type }) => seen.push(type));
  await turns();
  expect(seen).toEqual(['added', 'updated']);
  expect(run.reports).toEqual(['a listener failed: oops', 'a listener failed: oops']);
});

test('what an index cannot take in is not lost: it comes again', async () => {
  let isBroken = true;
  const later = [['MODIFIED', widget('a', 11)] as const];
  await using run = start([() => list(10, [widget('a', 1)]), () => open(...later), () => open(...later)]);
  run.informer.addIndexes({
    version: (object) => {
      if (isBroken && resourceVersionOf(object) === '11') throw new Error('cannot');
      return [resourceVersionOf(object)];
    },
  });
  await run.pass(0);
  isBroken = false;
  await run.pass(500);
  expect(run.reports).toEqual(['an informer lost the connection to the API server: cannot']);
  expect(run.asked).toEqual(['list', 'watch 10', 'watch 10']);
  expect(run.told).toEqual(['added a@1', 'updated a@11']);
  expect(run.informer.byIndex('version', '11')).toEqual(run.informer.list());
  expect(run.informer.byIndex('version', '1')).toEqual([]);
});

test('it ends when its signal aborts, whatever it waits for', async () => {
  for (const answers of [[broken], [() => list(1), open], [() => list(1), broken]]) {
    const run = start(answers);
    await turns();
    await run[Symbol.asyncDispose]();
  }
});

test('objects are decoded once, and an object in the same state is not decoded again', async () => {
  const clock = manualClock(0);
  const answers = [
    () => list(10, [widget('a', 5), widget('b', 6)]),
    () => ended(['MODIFIED', widget('a', 11)]),
    () => gone(),
    () => list(12, [widget('a', 11), widget('b', 6)]),
  ];
  const serve = (): Promise<ApiResponse> => Promise.resolve((answers.shift() ?? open)());
  const transport = inProcessTransport(serve, { user: 'admin', groups: [] });
  const client = createClient({ transport, clock, userAgent: 'test' });
  const decoded: string[] = [];
  const informer = createInformer({
    client,
    clock,
    random: seededRandom(1),
    resource: widgets,
    decode: {
      name: 'title',
      of: (object) => {
        decoded.push(`${nameOf(object)}@${resourceVersionOf(object)}`);
        return { metadata: metaOf(object), title: nameOf(object).toUpperCase() };
      },
    },
  });
  informer.addIndexes({ title: ({ title }) => [title] });
  const told: string[] = [];
  informer.subscribe(({ type, object: { title } }) => told.push(`${type} ${title}`));
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  for (let i = 0; i < 5; i += 1) {
    await turns();
    clock.advance(millis(1000));
  }
  await turns();
  expect(decoded).toEqual(['a@5', 'b@6', 'a@11']);
  expect(told).toEqual(['added A', 'added B', 'updated A']);
  expect(informer.get('n', 'a')?.title).toBe('A');
  expect(informer.byIndex('title', 'B').map(nameOf)).toEqual(['b']);
  stop.abort(new Error('over'));
  await running;
});

const lastOfInitial = (version: number): Event => [
  'BOOKMARK',
  { metadata: { resourceVersion: String(version), annotations: { 'k8s.io/initial-events-end': 'true' } } },
];
const added = (name: string, version: number): Event => ['ADDED', widget(name, version)];
const refused = (): ApiResponse =>
  json({ kind: 'Status', code: 422, reason: 'Invalid', message: 'sendInitialEvents is forbidden' }, 422);

test('a stream of objects counts when it is complete, and goes on as a watch', async () => {
  await using run = start(
    [
      () =>
        ended(
          added('a', 3),
          added('b', 4),
          bookmark(5),
          ['DELETED', widget('b', 6)],
          lastOfInitial(9),
          added('c', 10),
        ),
    ],
    0,
    { streamsLists: true },
  );
  await turns();
  expect(run.told).toEqual(['added a@3', 'added c@10']);
  expect(run.asked).toEqual(['stream', 'watch 10']);
  expect(run.reports).toEqual([]);
});

test('before its end a stream of objects shows nothing', async () => {
  await using run = start([() => open(added('a', 3))], 0, { streamsLists: true });
  await turns();
  expect(run.told).toEqual([]);
  expect(run.informer.list()).toEqual([]);
});

test('a server without streams of objects is asked for lists, without a report', async () => {
  await using run = start(
    [refused, () => list(10, [widget('a', 3)]), () => ended(bookmark(11)), gone, () => list(12)],
    0,
    {
      streamsLists: true,
    },
  );
  await turns(9);
  expect(run.asked.slice(0, 5)).toEqual(['stream', 'list', 'watch 10', 'watch 11', 'list']);
  expect(run.reports).toEqual([]);
});

test('a stream of objects that breaks is followed by a list, and the next one is tried again', async () => {
  await using run = start(
    [
      () => ended(added('a', 3)),
      () => list(10, [widget('a', 3)]),
      gone,
      () => open(added('b', 12), lastOfInitial(13)),
    ],
    0,
    { streamsLists: true },
  );
  await turns();
  expect(run.told).toEqual([]);
  await run.pass(500);
  await run.pass(1000);
  expect(run.asked).toEqual(['stream', 'list', 'watch 10', 'stream']);
  expect(run.told).toEqual(['added a@3', 'deleted a@3', 'added b@12']);
  expect(run.reports[0]).toContain('the server ended the stream of objects early');
});

const labelled = (name: string, version: number, part: string): KubeObject => ({
  ...widget(name, version),
  metadata: { ...metaOf(widget(name, version)), labels: { part } },
});
const isOurs = (object: KubeObject): boolean => textAt(object, 'metadata', 'labels', 'part') === 'ours';

test.for([true, false])(
  'objects that are not kept are as if they were not there (streamed: %s)',
  async (streamsLists) => {
    const initial = [labelled('a', 3, 'ours'), labelled('b', 4, 'theirs')];
    const changes: Event[] = [
      ['MODIFIED', labelled('b', 11, 'ours')],
      ['MODIFIED', labelled('a', 12, 'theirs')],
      ['MODIFIED', labelled('a', 13, 'theirs')],
      ['DELETED', labelled('a', 14, 'theirs')],
      ['ADDED', labelled('c', 15, 'theirs')],
    ];
    const answers = streamsLists
      ? [() => open(...initial.map((object): Event => ['ADDED', object]), lastOfInitial(10), ...changes)]
      : [() => list(10, initial), () => open(...changes)];
    await using run = start(answers, 0, { streamsLists, keeps: isOurs });
    await turns();
    expect(run.told).toEqual(['added a@3', 'added b@11', 'deleted a@12']);
    expect(run.informer.list().map(nameOf)).toEqual(['b']);
  },
);
