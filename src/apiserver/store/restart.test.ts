import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal } from '#base/journal.ts';
import { openSqliteJournal } from '#edge/sqlite-journal.ts';
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
