import { expect, test } from 'vitest';
import { instant, parseTime } from '#base/time.ts';
import { ageColumn, ageDescription, nameColumn, nameDescription } from './column.ts';
import { podColumns } from './pods.ts';
import { partialObjectMetadata } from './partial.ts';
import { columnDefinitions, renderRow, renderTable, rowConditions, rowText } from './render.ts';

const now = parseTime('2026-11-15T12:00:00Z') ?? instant(0);
const columns = [nameColumn, ageColumn];
const metadata = { name: 'a', namespace: 'ns', creationTimestamp: '2026-11-15T11:56:58Z' };
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: 'v' } };
const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
const request = { columns, objects: [map], listMeta: { resourceVersion: '7' }, now } as const;

test('a table names its columns and has a row per object', () => {
  expect(renderTable({ ...request, includeObject: 'Metadata' })).toEqual({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
      { name: 'Age', type: 'string', format: '', description: ageDescription, priority: 0 },
    ],
    rows: [{ cells: ['a', '3m2s'], object: partial }],
  });
});

test.for([
  ['None', null],
  ['Metadata', partial],
  ['Object', map],
] as const)('includeObject=%s', ([includeObject, object]) => {
  expect(renderTable({ ...request, includeObject })['rows']).toEqual([{ cells: ['a', '3m2s'], object }]);
});

test('after the first event of a watch the columns are null', () => {
  const table = renderTable({ ...request, includeObject: 'None', withDefinitions: false });
  expect(table['columnDefinitions']).toBeNull();
});

test('an older version of the table is of one piece', () => {
  const table = renderTable({ ...request, includeObject: 'Metadata', apiVersion: 'meta.k8s.io/v1beta1' });
  expect(table).toMatchObject({
    apiVersion: 'meta.k8s.io/v1beta1',
    rows: [{ object: { apiVersion: 'meta.k8s.io/v1beta1' } }],
  });
});

test('a pod that has ended has a condition beside its cells', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Failed' } };
  const conditions = [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
  const table = renderTable({ ...request, objects: [pod], includeObject: 'None' });
  expect(table['rows']).toEqual([{ cells: ['a', '3m2s'], conditions, object: null }]);
  expect(rowConditions({ ...pod, apiVersion: 'example.com/v1' })).toBeUndefined();
});

test('the text of a row is the JSON of its cells', () => {
  const named = { ...map, metadata: { ...metadata, name: 'quote " and \u2028' } };
  expect(JSON.parse(rowText(columns, named, now))).toEqual(renderRow(columns, named, now));
});

test('only the metadata of an object is left of it', () => {
  expect(partialObjectMetadata(map)).toEqual(partial);
});

test('wide columns have priority 1 and every column has a description', () => {
  const definitions = columnDefinitions(podColumns);
  expect(definitions).toMatchObject([
    ...['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => ({ name, priority: 0 })),
    ...['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map((name) => ({ name, priority: 1 })),
  ]);
});
