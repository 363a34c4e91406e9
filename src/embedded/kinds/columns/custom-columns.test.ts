import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import { customColumns } from './custom-columns.ts';
import { columnDefinitions, renderRow } from './render.ts';

const now = parseTime('2026-11-15T12:00:00Z') ?? instant(0);

const printed: Json = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'the size' },
  { name: 'Tags', type: 'string', jsonPath: '.spec.tags[*]' },
  { name: 'Ok', type: 'boolean', jsonPath: '.spec.ok', priority: 1 },
  { name: 'Cond', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  { name: 'When', type: 'date', jsonPath: '.spec.when' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Lbl', type: 'string', jsonPath: '.metadata.labels.example\\.com/l' },
  { name: 'Num', type: 'number', format: 'double', jsonPath: '.spec.f' },
];
const columns = customColumns(printed);

const widget = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', creationTimestamp: '2026-11-15T11:56:58Z', labels: { 'example.com/l': 'v' } },
  spec,
  ...more,
});
const ready = {
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

test.for<{ name: string; given: JsonObject; cells: readonly Json[] }>([
  {
    name: 'everything in its type',
    given: widget({ size: 3, tags: ['x', 'y'], ok: true, when: '2026-11-15T11:59:00Z', f: 1.5 }, ready),
    cells: ['a', 3, 'x', true, 'True', '60s', '3m2s', 'v', 1.5],
  },
  {
    name: 'nothing there',
    given: { metadata: { name: 'a' } },
    cells: ['a', null, null, null, null, null, null, null, null],
  },
  {
    name: 'nothing in its type',
    given: widget({ size: 'three', tags: [], ok: 'yes', when: 'never', f: '2' }),
    cells: ['a', null, null, null, null, '<invalid>', '3m2s', 'v', null],
  },
  {
    name: 'other things as texts, and times that were never set',
    given: widget({ size: 2.9, tags: [{ b: [1] }], when: '', f: 2 }),
    cells: ['a', 2, '{"b":[1]}', null, null, '<unknown>', '3m2s', 'v', 2],
  },
])('$name', ({ given, cells }) => {
  expect(renderRow(columns, given, now)).toEqual(cells);
});

test.for<readonly [Json, string]>([
  [7, '7'],
  [true, 'true'],
  [null, '<no value>'],
  ['text', 'text'],
])('%j in a column of texts reads %s', ([value, text]) => {
  const [, column] = customColumns([{ name: 'V', type: 'string', jsonPath: '.v' }]);
  expect(column?.cell({ v: value }, now)).toBe(text);
});

test('custom columns as the server prints them', () => {
  const definitions = columnDefinitions(columns);
  expect(definitions).toMatchObject([
    { name: 'Name', type: 'string', format: 'name', priority: 0 },
    { name: 'Size', type: 'integer', format: '', description: 'the size', priority: 0 },
    { name: 'Tags', description: 'Custom resource definition column (in JSONPath format): .spec.tags[*]' },
    { name: 'Ok', type: 'boolean', priority: 1 },
    { name: 'Cond' },
    { name: 'When', type: 'date' },
    {
      name: 'Age',
      type: 'date',
      description: 'Custom resource definition column (in JSONPath format): .metadata.creationTimestamp',
    },
    { name: 'Lbl' },
    { name: 'Num', type: 'number', format: 'double' },
  ]);
});

test.for([[undefined], [[]], [null]])('without columns (%j) there are a name and an age', ([none]) => {
  const plain = customColumns(none);
  expect(columnDefinitions(plain)).toMatchObject([{ name: 'Name' }, { name: 'Age', type: 'date' }]);
  expect(renderRow(plain, widget({}), now)).toEqual(['a', '3m2s']);
});

test('a column whose path is no path is left out, and one that wanders shows nothing', () => {
  const odd = customColumns([
    { name: 'Bad', type: 'string', jsonPath: 'spec' },
    { name: 'Far', type: 'string', jsonPath: '..*..*..*' },
  ]);
  const wide = {
    metadata: { name: 'a' },
    spec: Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => [[1, 2]])),
  };
  expect(renderRow(odd, wide, now)).toEqual(['a', null]);
});
