import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { Registry } from '#embedded/server/registry/registry.ts';
import type { Format } from '#embedded/server/request/negotiate.ts';
import type { ObjectSelection } from '#embedded/server/request/selection.ts';
import type { HistoryLimits } from '#embedded/server/store/history.ts';
import { Store } from '#embedded/server/store/store.ts';
import { parsedCaches } from '#embedded/server/store/parsed-forms.ts';
import { Stored, type StoredChange } from '#embedded/server/store/stored.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { matchesLabels, parseLabelSelector } from '#kube/label-selector.ts';
import { WatchHub } from './hub.ts';
import { eventType, Watcher } from './watcher.ts';

const found = new Registry().find('', 'v1', 'configmaps');
if (found === undefined) throw new Error('configmaps are always served');
const resource = found;
const table = resource.storage;

function selecting(text: string, namespace?: string): ObjectSelection {
  const labels = parseLabelSelector(text);
  const matches = (stored: Stored): boolean =>
    (namespace === undefined || stored.namespace === namespace) && matchesLabels(labels, stored.labels);
  return { namespace, name: undefined, labels, fields: [], matches };
}

const selections = [
  selecting(''),
  selecting('app=x'),
  selecting('!app', 'a'),
  selecting('app in (x,y)', 'b'),
];

type Write = { readonly key: string; readonly app: string | undefined };
const write: fc.Arbitrary<Write> = fc.record({
  key: fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2'),
  app: fc.constantFrom('x', 'y', undefined, 'remove'),
});

type Step =
  | { readonly type: 'commit'; readonly writes: readonly Write[] }
  | { readonly type: 'open'; readonly selection: number; readonly back: number }
  | { readonly type: 'read'; readonly watcher: number }
  | { readonly type: 'bookmark'; readonly watcher: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('commit' as const), writes: fc.array(write) }) },
  fc.record({ type: fc.constant('open' as const), selection: fc.nat(3), back: fc.nat(8) }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), watcher: fc.nat(9) }) },
  fc.record({ type: fc.constant('bookmark' as const), watcher: fc.nat(9) }),
);

const whole: HistoryLimits = { age: 0, atLeast: 10_000, atMost: 10_000, bytes: 100_000_000 };

function openStore(limits = whole): Store {
  const tasks = { soon: (task: () => void): void => queueMicrotask(task) };
  return new Store({ journal: memoryJournal(), clock: manualClock(0), tasks, limits });
}

const configMap = (key: string, app: string | undefined, more: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: key, ...(app === undefined ? {} : { labels: { app } }) },
  ...more,
});

const commit = (store: Store, writes: readonly Write[]): Promise<void> =>
  store.transact((transaction) => {
    for (const { key, app } of writes) {
      if (app === 'remove') transaction.remove(table, key);
      else transaction.put(table, key, configMap(key, app));
    }
  });

type Copy = Map<string, string>;

/** What a selection matched at a revision, as `key` → revision. */
function matchedAt(store: Store, selection: ObjectSelection, revision: number): Copy {
  const states = new Map([...store.table(table).range(undefined)].map((each) => [each.key, each]));
  for (const [key, stored] of store.history.statesAt(table, revision)) {
    if (stored === undefined) states.delete(key);
    else states.set(key, stored);
  }
  const matched = [...states].filter(([, stored]) => selection.matches(stored));
  return new Map(matched.map(([key, stored]) => [key, String(stored.revision)]));
}

type Opened = {
  readonly watcher: Watcher;
  readonly selection: ObjectSelection;
  readonly copy: Copy;
  last: number;
};

function openAt(
  store: Store,
  selection: ObjectSelection,
  revision: number,
  format: Format = { type: 'json' },
): Opened {
  const log = store.history.log(table);
  const watcher = new Watcher({
    form: { resource, format, includeObject: 'Metadata' },
    selection,
    log,
    position: log.after(revision),
    initial: [],
    endsInitial: false,
    since: revision,
    revision: () => store.revision,
    now: () => manualClock(0).now(),
  });
  return { watcher, selection, copy: matchedAt(store, selection, revision), last: revision };
}

type Event = { readonly type: string; readonly object: JsonObject };
const eventsOf = (text: string): readonly Event[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);

/** Applies what is due to the reader's copy, as an informer would, and checks each step of it. */
function read(store: Store, opened: Opened): void {
  for (const { type, object } of eventsOf(opened.watcher.take())) {
    const revision = textAt(object, 'metadata', 'resourceVersion') ?? '';
    const key = textAt(object, 'metadata', 'name') ?? '';
    if (type === 'BOOKMARK') {
      expect(Number(revision)).toBeGreaterThanOrEqual(opened.last);
      expect(opened.copy).toEqual(matchedAt(store, opened.selection, Number(revision)));
      opened.last = Number(revision);
      continue;
    }
    expect(Number(revision)).toBeGreaterThan(opened.last);
    opened.last = Number(revision);
    expect([type, opened.copy.has(key)]).toEqual([type, type !== 'ADDED']);
    if (type === 'DELETED') opened.copy.delete(key);
    else opened.copy.set(key, revision);
  }
}

test('a reader that applies its events always has what its selection matches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = openStore();
      const readers: Opened[] = [];
      for (const each of steps) {
        if (each.type === 'commit') await commit(store, each.writes);
        else if (each.type === 'open') {
          const selection = selections[each.selection] ?? selecting('');
          readers.push(openAt(store, selection, Math.max(0, store.revision - each.back)));
        } else {
          const reader = readers[each.watcher % Math.max(1, readers.length)];
          if (reader === undefined) continue;
          if (each.type === 'bookmark') reader.watcher.wantBookmark();
          read(store, reader);
        }
      }
      for (const reader of readers) {
        read(store, reader);
        expect(reader.copy).toEqual(matchedAt(store, reader.selection, store.revision));
        expect(reader.watcher.lag).toBe(0);
      }
    }),
    { numRuns: 150 },
  );
});

test('a reader in this process receives as objects what others receive as text', async () => {
  const formats: readonly Format[] = [{ type: 'json' }, { type: 'partial', list: false, version: 'v1' }];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(write), { maxLength: 10 }),
      fc.nat(3),
      fc.constantFrom(...formats),
      async (commits, at, format) => {
        const store = openStore();
        const selection = selections[at] ?? selecting('');
        const [text, objects] = [
          openAt(store, selection, 0, format).watcher,
          openAt(store, selection, 0, format).watcher,
        ];
        for (const writes of commits) await commit(store, writes);
        text.wantBookmark();
        objects.wantBookmark();
        text.end('{"type":"ERROR","object":{"code":410}}\n');
        objects.end('{"type":"ERROR","object":{"code":410}}\n');
        expect(objects.takeObjects()).toEqual(eventsOf(text.take()));
        expect(objects.takeObjects()).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});

const at = (app: string | undefined): Stored =>
  new Stored(parsedCaches(), { key: 'a/1', revision: 1, json: JSON.stringify(configMap('a/1', app)) });
const change = (type: StoredChange['type'], before: Stored | undefined, after: Stored): StoredChange => ({
  resource: table,
  type,
  before,
  after,
  at: manualClock(0).now(),
  lines: new Map(),
});

test.for<readonly [type: StoredChange['type'], before: string, after: string, seen: string | undefined]>([
  ['ADDED', 'none', 'x', 'ADDED'],
  ['ADDED', 'none', 'y', undefined],
  ['MODIFIED', 'x', 'x', 'MODIFIED'],
  ['MODIFIED', 'x', 'y', 'DELETED'],
  ['MODIFIED', 'y', 'x', 'ADDED'],
  ['MODIFIED', 'y', 'y', undefined],
  ['DELETED', 'x', 'x', 'DELETED'],
  ['DELETED', 'x', 'y', 'DELETED'],
  ['DELETED', 'y', 'x', undefined],
])('%s from %s to %s is %s for a watch that selects x', ([type, before, after, seen]) => {
  const was = before === 'none' ? undefined : at(before);
  expect(eventType(change(type, was, at(after)), selecting('app=x'))).toBe(seen);
});

test('an object that leaves a selection is deleted in its last matching state, at the new revision', async () => {
  const store = openStore();
  await commit(store, [{ key: 'a/1', app: 'x' }]);
  const { watcher } = openAt(store, selecting('app=x'), 1);
  await commit(store, [{ key: 'a/1', app: 'y' }]);
  const [event] = eventsOf(watcher.take());
  expect(event).toMatchObject({
    type: 'DELETED',
    object: { metadata: { labels: { app: 'x' }, resourceVersion: '2' } },
  });
});

test('a watcher whose history is gone is cut, not served a gap', async () => {
  const store = openStore({ age: 0, atLeast: 2, atMost: 2, bytes: 1_000_000 });
  await commit(store, [{ key: 'a/1', app: 'x' }]);
  const { watcher } = openAt(store, selecting(''), 1);
  for (let count = 0; count < 3; count += 1) await commit(store, [{ key: 'a/1', app: 'x' }]);
  expect(watcher.take()).toBe('');
  expect([watcher.cutSignal.aborted, watcher.ended]).toEqual([true, true]);
});

test('a watcher twenty thousand changes behind is disconnected while others continue', async () => {
  const store = openStore({ ...whole, atLeast: 100_000, atMost: 100_000 });
  const hub = new WatchHub(store);
  const [slow, quick] = [openAt(store, selecting(''), 0), openAt(store, selecting(''), 0)];
  const leave = [hub.add(table, slow.watcher), hub.add(table, quick.watcher)];
  const thousand = Array.from({ length: 1000 }, (): Write => ({ key: 'a/1', app: 'x' }));
  let received = 0;
  for (let count = 0; count < 22; count += 1) {
    await commit(store, thousand);
    for (let text = quick.watcher.take(); text !== ''; text = quick.watcher.take())
      received += eventsOf(text).length;
  }
  expect(received).toBe(22_000);
  expect([slow.watcher.cutSignal.aborted, quick.watcher.cutSignal.aborted]).toEqual([true, false]);
  for (const each of leave) each();
  expect(hub.size).toBe(0);
});

test('a batch is bounded, and the rest follows', async () => {
  const store = openStore();
  const text = 'x'.repeat(50_000);
  for (let count = 0; count < 12; count += 1)
    await store.transact((each) => each.put(table, `a/${count}`, configMap(`a/${count}`, 'x', { text })));
  const { watcher } = openAt(store, selecting(''), 0);
  const lengths = [];
  for (let taken = watcher.take(); taken !== ''; taken = watcher.take()) lengths.push(eventsOf(taken).length);
  expect(lengths).toEqual([3, 3, 3, 3]);
});

test('last words come after what is due', async () => {
  const store = openStore();
  const { watcher } = openAt(store, selecting(''), 0);
  await commit(store, [{ key: 'a/1', app: 'x' }]);
  watcher.end('{"type":"ERROR","object":{}}\n');
  expect(eventsOf(watcher.take()).map(({ type }) => type)).toEqual(['ADDED', 'ERROR']);
  expect(watcher.take()).toBe('');
});

test('a watcher whom a change does not concern has taken it without being woken', async () => {
  const store = openStore();
  const hub = new WatchHub(store);
  const log = store.history.log(table);
  const watcher = new Watcher({
    form: { resource, format: { type: 'json' }, includeObject: 'Metadata' },
    selection: selecting('', 'b'),
    log,
    position: log.end,
    initial: [],
    endsInitial: false,
    since: store.revision,
    revision: () => store.revision,
    now: () => manualClock(0).now(),
  });
  hub.add(table, watcher);
  await commit(store, [{ key: 'a/1', app: 'x' }]);
  expect([log.end, watcher.lag]).toEqual([1, 0]);
  await commit(store, [{ key: 'b/1', app: 'x' }]);
  expect(watcher.lag).toBe(1);
  expect(watcher.take()).toContain('"ADDED"');
});
