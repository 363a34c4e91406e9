import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { initialGeneration, nextGeneration, type BuiltinGenerationRule } from './generation.ts';

const old: JsonObject = { metadata: { generation: 4 }, spec: { a: 1 }, status: {} };

test.for<readonly [rule: BuiltinGenerationRule, what: string, change: JsonObject, generation: number]>([
  ['none', 'spec', { spec: { a: 2 } }, 4],
  ['fixed', 'spec', { spec: { a: 2 } }, 4],
  ['spec', 'spec', { spec: { a: 2 } }, 5],
  ['spec', 'nothing', { spec: { a: 1 } }, 4],
  ['spec', 'annotations', { metadata: { generation: 4, annotations: { a: 'b' } } }, 4],
  ['spec-and-annotations', 'annotations', { metadata: { generation: 4, annotations: { a: 'b' } } }, 5],
  ['spec-and-annotations', 'labels', { metadata: { generation: 4, labels: { a: 'b' } } }, 4],
  ['content', 'anything', { webhooks: [] }, 5],
  ['content', 'status', { status: { a: 1 } }, 4],
  ['content-and-labels', 'labels', { metadata: { generation: 4, labels: { a: 'b' } } }, 5],
])('%s when %s changes', ([rule, , change, generation]) => {
  expect(nextGeneration(rule, { ...old, ...change }, old)).toBe(generation);
});

test('a kind without generation keeps the value of the client', () => {
  expect(initialGeneration('none', { metadata: { generation: 9 } })).toBe(9);
  expect(initialGeneration('none', { metadata: {} })).toBeUndefined();
  expect(initialGeneration('spec', { metadata: { generation: 9 } })).toBe(1);
});
