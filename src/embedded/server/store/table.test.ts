import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { listAt } from '#base/json.ts';
import { parsedCaches } from './parsed-forms.ts';
import { Stored, storedText } from './stored.ts';
import { Table } from './table.ts';

const caches = parsedCaches();

const words = (object: KubeObject): readonly string[] =>
  listAt(object, 'words').filter((each) => typeof each === 'string');

function put(table: Table, name: string, ...said: readonly string[]): void {
  const object = { kind: 'K', apiVersion: 'v1', metadata: { name }, words: said };
  table.set(new Stored(caches, { key: `/${name}`, revision: 1, json: storedText(object) }));
}

test('objects are found by their words, before and after every change', () => {
  const table = new Table();
  put(table, 'early', 'a', 'b');
  const having = (word: string): readonly string[] => [...table.having(words, word)];
  expect([having('a'), having('b'), having('c')]).toEqual([['/early'], ['/early'], []]);
  put(table, 'late', 'b', 'b');
  expect(having('b')).toEqual(['/early', '/late']);
  put(table, 'early', 'c');
  expect([having('a'), having('b'), having('c')]).toEqual([[], ['/late'], ['/early']]);
  table.delete('/late');
  expect(having('b')).toEqual([]);
});

test('a parsed form that was given up is made again', () => {
  const stored = new Stored(caches, {
    key: '/one',
    revision: 1,
    json: '{"kind":"K","apiVersion":"v1","metadata":{"name":"one"}}',
  });
  const first = stored.object;
  expect(stored.object).toBe(first);
  for (let others = 0; others < 13_000; others += 1)
    void new Stored(caches, { key: `/${others}`, revision: 1, json: '{}' }).object;
  expect(stored.object).not.toBe(first);
  expect(stored.object).toEqual(first);
});

test('reads of one store do not drop the parsed objects of another', () => {
  const text = { key: '/one', revision: 1, json: '{}' };
  const stored = new Stored(parsedCaches(), text);
  const first = stored.object;
  const others = parsedCaches();
  for (let count = 0; count < 13_000; count += 1) void new Stored(others, text).object;
  expect(stored.object).toBe(first);
});
