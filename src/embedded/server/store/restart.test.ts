import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal, Row } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { instant, seconds } from '#base/time.ts';
import { openSqliteJournal } from '#edge/journal/sqlite-journal.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { HistoryLimits } from './history.ts';
import { Store } from './store.ts';

const limits: HistoryLimits = { age: 0, atLeast: 4, atMost: 12, bytes: 1_000_000, garbage: 20 };
const tasks = { soon: (task: () => void): void => queueMicrotask(task) };
const open = (journal: Journal): Store => new Store({ journal, clock: manualClock(0), tasks, limits });
const configMap = (name: string, value: number) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data: { value: String(value) },
});

test('what was deleted stays deleted, however often the server is stopped in the middle of forgetting', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'objects.db');
  const names = Array.from({ length: 50 }, (_, at) => `c${at}`);
  const put = (store: Store, name: string, value: number): Promise<unknown> =>
    store.transact((each) => each.put('/configmaps', `default/${name}`, configMap(name, value)));

  const first = open(openSqliteJournal(path));
  for (let value = 0; value < 4; value += 1) for (const name of names) await put(first, name, value);
  first.close();

  const second = open(openSqliteJournal(path));
  for (const name of names) await second.transact((each) => each.remove('/configmaps', `default/${name}`));
  for (let value = 0; value < 300; value += 1) await put(second, 'other', value);
  second.close();

  const third = open(openSqliteJournal(path));
  expect([...third.table('/configmaps').range(undefined)].map(({ key }) => key)).toEqual(['default/other']);
  third.close();
});

test('rows that an earlier version left below the mark are removed at start', () => {
  const journal = memoryJournal();
  const row = (revision: number, key: string, deleted = false): Row => ({
    revision,
    resource: '/configmaps',
    key,
    deleted,
    at: instant(0),
    json: JSON.stringify(configMap(key, revision)),
  });
  journal.append([
    row(1, 'a/x'),
    row(2, 'a/y'),
    row(3, 'a/x'),
    row(4, 'a/y', true),
    row(5, 'a/x'),
    row(6, 'a/x', true),
  ]);
  journal.forget({ revisions: [], compacted: 5 });
  const clock = manualClock(0);
  const store = new Store({ journal, clock, tasks, limits });
  expect([...store.table('/configmaps').range(undefined)]).toEqual([]);
  clock.advance(seconds(2));
  expect([...journal.load().rows].map(({ revision }) => revision)).toEqual([5, 6]);
  const next = new Store({ journal, clock, tasks, limits });
  expect([...next.table('/configmaps').range(undefined)]).toEqual([]);
  expect(next.revision).toBe(6);
});
