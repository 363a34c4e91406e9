import { expect, test } from 'vitest';
import { objectAt, textAt, listAt, type Json, type JsonObject } from '#base/json.ts';
import { minutes, seconds } from '#base/time.ts';
import { openApi, type BareApi } from '../support/bare-api.ts';
import { nameOf, type EventReader, type StoryEvent } from '../support/event-reader.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  definitions,
  metaText,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const now = async (api: BareApi): Promise<string> =>
  metaText(await api.get(configMaps), 'resourceVersion') ?? '';
const revisionOf = (event: StoryEvent | undefined): string =>
  textAt(event?.object, 'metadata', 'resourceVersion') ?? '';
const label = (api: BareApi, name: string, app: string): Promise<unknown> =>
  api.patch(`${configMaps}/${name}`, 'merge', { metadata: { labels: { app } } });
const watchList = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

test('from a revision on, every event comes once and in order', async () => {
  await using api = await openApi();
  const start = await now(api);
  await api.create(configMaps, configMap('a'));
  await api.create(configMaps, configMap('b'));
  await using watch = await api.watch(`${configMaps}?watch=true&resourceVersion=${start}`);
  await label(api, 'a', 'x');
  await api.send('DELETE', `${configMaps}/a`);
  await api.create('/api/v1/namespaces/kube-system/configmaps', configMap('elsewhere'));
  await api.create(configMaps, configMap('c'));
  expect(await watch.names(5)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED a', 'ADDED c']);
});

test.for(['', '&resourceVersion=0'])('without a revision the current state comes first%s', async (query) => {
  await using api = await openApi();
  await api.create(configMaps, configMap('b'));
  await api.create(configMaps, configMap('a'));
  await using watch = await api.watch(`${configMaps}?watch=true${query}`);
  await api.create(configMaps, configMap('c'));
  expect(await watch.names(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
});

test('a request for a compacted revision gets 410 in the stream', async () => {
  await using api = await openApi();
  await using watch = await api.watch(`${configMaps}?watch=true&resourceVersion=1`);
  const { compacted } = api.embedded.server.context.store.history;
  expect(watch.status).toBe(200);
  expect(await watch.rest()).toEqual([
    {
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `too old resource version: 1 (${compacted})`,
        reason: 'Expired',
        code: 410,
      },
    },
  ]);
  expect(refusalOf(await api.get(`${configMaps}?watch=true&resourceVersion=abc`))).toMatch(
    /^500 -: resourceVersion: Invalid value: "abc"/,
  );
});

test('what enters or leaves a selection is added or deleted', async () => {
  await using api = await openApi();
  const start = await now(api);
  await api.create(configMaps, configMap('a', { data: { k: '1' } }, { labels: { app: 'x' } }));
  await label(api, 'a', 'y');
  const left = await now(api);
  await label(api, 'a', 'x');
  await api.patch(`${configMaps}/a`, 'merge', { data: { k: '2' } });
  await api.send('DELETE', `${configMaps}/a`);
  const deleted = await now(api);
  await using watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}&labelSelector=app%3Dx`);
  const events: (StoryEvent | undefined)[] = [];
  for (let count = 0; count < 5; count += 1) events.push(await watch.next());
  expect(events.map((each) => each && nameOf(each))).toEqual([
    'ADDED a',
    'DELETED a',
    'ADDED a',
    'MODIFIED a',
    'DELETED a',
  ]);
  expect(revisionOf(events[1])).toBe(left);
  expect(objectAt(events[1]?.object, 'metadata', 'labels')).toEqual({ app: 'x' });
  expect(revisionOf(events[4])).toBe(deleted);
  expect(events[4]?.object['data']).toEqual({ k: '2' });
});

test('one object is watched by its name, in either form', async () => {
  await using api = await openApi();
  const start = await now(api);
  for (const name of ['a', 'b']) await api.create(configMaps, configMap(name));
  await api.send('DELETE', `${configMaps}/a`);
  const paths = [
    `${configMaps}?watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${start}`,
    `/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=${start}`,
  ];
  for (const path of paths) {
    await using watch = await api.watch(path);
    expect(await watch.names(2)).toEqual(['ADDED a', 'DELETED a']);
  }
  expect((await api.get(`${configMaps}/b?watch=true`)).body['kind']).toBe('ConfigMap');
});

test('bookmarks come every minute and shortly before the end', async () => {
  await using api = await openApi();
  const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${await now(api)}&fieldSelector=metadata.name%3Dx`;
  await using watch = await api.watch(`${configMaps}?${query}&timeoutSeconds=130`);
  await api.create(configMaps, configMap('a'));
  const seen: Json[] = [];
  for (const span of [60, 60, 8]) {
    api.clock.advance(seconds(span));
    seen.push((await watch.next())?.object ?? null);
  }
  const bookmark = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion: await now(api), creationTimestamp: null },
  };
  expect(seen).toEqual([bookmark, bookmark, bookmark]);
  api.clock.advance(seconds(2));
  expect(await watch.rest()).toEqual([]);
});

test('a watch ends at its time, in any case within the hour', async () => {
  await using api = await openApi();
  await using short = await api.watch(
    `${configMaps}?watch=1&resourceVersion=${await now(api)}&timeoutSeconds=5`,
  );
  await using long = await api.watch(`${configMaps}?watch=1&resourceVersion=${await now(api)}`);
  api.clock.advance(seconds(4));
  await api.create(configMaps, configMap('a'));
  expect(await short.names(1)).toEqual(['ADDED a']);
  api.clock.advance(seconds(1));
  expect(await short.rest()).toEqual([]);
  expect(await long.names(1)).toEqual(['ADDED a']);
  api.clock.advance(minutes(60));
  expect(await long.rest()).toEqual([]);
});

test('the initial state ends with an annotated bookmark', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', {}, { labels: { app: 'x' } }));
  await api.create(configMaps, configMap('b'));
  await using watch = await api.watch(`${configMaps}?${watchList}&labelSelector=app%3Dx`);
  expect(nameOf((await watch.next()) ?? { type: 'END', object: {} })).toBe('ADDED a');
  const end = await watch.next();
  expect(end).toEqual({
    type: 'BOOKMARK',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: await now(api),
        creationTimestamp: null,
        annotations: {
          'k8s.io/initial-events-end': 'true',
          'kubernetes.io/initial-events-list-blueprint': btoa(
            '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":null}\n',
          ),
        },
      },
    },
  });
  await api.create(configMaps, configMap('c', {}, { labels: { app: 'x' } }));
  expect(await watch.names(1)).toEqual(['ADDED c']);
});

/** A bookmark promises that everything up to it has been sent. */
async function checkBookmarks(watch: EventReader, count: number): Promise<void> {
  let promised = 0;
  for (let seen = 0; seen < count; seen += 1) {
    const event = await watch.next();
    const revision = Number(revisionOf(event));
    if (event?.type === 'BOOKMARK') promised = revision;
    else expect(revision).toBeGreaterThan(promised);
  }
}

test('a bookmark that ends the initial state promises no more than was sent', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a'));
  await using watch = await api.watch(`${configMaps}?${watchList}`);
  await api.create(configMaps, configMap('late'));
  await checkBookmarks(watch, 3);
});

test('no bookmark stands between the objects of the initial state', async () => {
  await using api = await openApi();
  const data = { x: 'x'.repeat(10_000) };
  for (let count = 0; count < 30; count += 1)
    await api.create(configMaps, configMap(`big-${count}`, { data }));
  await using watch = await api.watch(`${configMaps}?${watchList}`);
  api.clock.advance(seconds(61));
  const types: string[] = [];
  for (let count = 0; count < 31; count += 1) types.push((await watch.next())?.type ?? '');
  expect(types).toEqual([...Array<string>(30).fill('ADDED'), 'BOOKMARK']);
});

test('from a revision that is still to come, nothing older is sent', async () => {
  await using api = await openApi();
  await using watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${Number(await now(api)) + 2}`);
  for (const name of ['a', 'b', 'c']) await api.create(configMaps, configMap(name));
  expect(await watch.names(1)).toEqual(['ADDED c']);
});

test('a timeout of zero is none', async () => {
  await using api = await openApi();
  await using watch = await api.watch(
    `${configMaps}?watch=1&resourceVersion=${await now(api)}&timeoutSeconds=0`,
  );
  const first = watch.names(1);
  api.clock.advance(seconds(1));
  await api.create(configMaps, configMap('a'));
  expect(await first).toEqual(['ADDED a']);
});

const partial = (version: string): string =>
  `application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=${version}`;

test('events come as rows or as metadata on request', async () => {
  await using api = await openApi();
  const start = await now(api);
  await api.create(configMaps, configMap('a', { data: { k: 'v' } }));
  await api.patch(`${configMaps}/a`, 'merge', { data: { z: '1' } });
  const path = `${configMaps}?watch=1&resourceVersion=${start}`;
  await using table = await api.watch(path, 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
  const rows = [await table.next(), await table.next()];
  expect(rows.map((each) => each?.object['kind'])).toEqual(['Table', 'Table']);
  expect(listAt(rows[0]?.object, 'columnDefinitions')).toHaveLength(3);
  expect(rows[1]?.object['columnDefinitions']).toBeNull();
  expect(listAt(rows[1]?.object, 'rows').map((row) => listAt(row, 'cells').slice(0, 2))).toEqual([['a', 2]]);
  await using metadata = await api.watch(path, partial('v1'));
  const event = await metadata.next();
  expect(Object.keys(event?.object ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
  expect(event?.object).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
});

test('each watcher gets the version of the metadata form that it requested', async () => {
  await using api = await openApi();
  const path = `${configMaps}?watch=1&resourceVersion=${await now(api)}`;
  await using older = await api.watch(path, partial('v1beta1'));
  await using newer = await api.watch(path, partial('v1'));
  await api.create(configMaps, configMap('a'));
  const versions = [(await older.next())?.object['apiVersion'], (await newer.next())?.object['apiVersion']];
  expect(versions).toEqual(['meta.k8s.io/v1beta1', 'meta.k8s.io/v1']);
});

test('a closed watch is removed, and a slow reader does not block others', async () => {
  await using api = await openApi();
  const path = `${configMaps}?watch=1&resourceVersion=${await now(api)}`;
  await using stuck = await api.watch(path);
  await using quick = await api.watch(path);
  {
    await using leaving = await api.watch(path);
    const first = leaving.next();
    await api.create(configMaps, configMap('a'));
    await first;
  }
  for (const name of ['b', 'c']) await api.create(configMaps, configMap(name));
  expect(await quick.names(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  expect(await stuck.names(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
});

test('a slow watcher is disconnected when its history is gone; others continue', async () => {
  await using api = await openApi({ history: { age: 0, atLeast: 5, atMost: 10, bytes: 10_000_000 } });
  const path = `${configMaps}?watch=1&resourceVersion=${await now(api)}`;
  await using slow = await api.watch(path);
  await using quick = await api.watch(path);
  const seen: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    await api.create(configMaps, configMap(`c-${count}`));
    seen.push(...(await quick.names(1)));
  }
  expect(seen).toHaveLength(30);
  expect(await slow.rest()).toEqual([]);
  expect([slow.cut.aborted, quick.cut.aborted]).toEqual([true, false]);
});

test('a changed or deleted definition ends the watches of its objects', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(widgets, widget('w'));
  await using first = await api.watch(`${widgets}?watch=1`);
  expect(await first.names(1)).toEqual(['ADDED w']);
  const patch: JsonObject = { spec: { names: { shortNames: ['wi'] } } };
  await api.patch(`${definitions}/widgets.example.com`, 'merge', patch);
  await api.embedded.server.settled();
  expect(await first.rest()).toEqual([]);
  await using second = await api.watch(`${widgets}?watch=1`);
  await api.send('DELETE', `${definitions}/widgets.example.com`);
  expect((await second.rest()).map(nameOf)).toEqual(['ADDED w', 'DELETED w']);
});
