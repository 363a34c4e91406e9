import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { OtherWriters } from './other-writers.ts';

const entry = (manager: string, second: number, fields: JsonObject = { 'f:status': {} }): JsonObject => ({
  manager,
  operation: 'Update',
  time: `2026-01-05T12:00:${String(second).padStart(2, '0')}Z`,
  fieldsV1: fields,
});
const written = (...managedFields: readonly JsonObject[]): { metadata: JsonObject } => ({
  metadata: { managedFields },
});
const ours = (second: number): JsonObject => entry('boathook-controller', second);

test.for([
  ['a controller that wrote between two writes of ours', entry('bcs-gamedeployment-operator', 4), true],
  ['one that wrote before our first write', entry('bcs-gamedeployment-operator', 1), false],
  ['one that wrote in the same second', entry('bcs-gamedeployment-operator', 3), false],
  ['one that writes other fields', entry('autoscaler', 4, { 'f:spec': { 'f:replicas': {} } }), false],
  ['a person with kubectl', entry('kubectl-edit', 4), false],
] as const)('%s: %s', ([, other, isFound]) => {
  const writers = new OtherWriters();
  expect(writers.since('a/b', written(ours(3)))).toBeUndefined();
  const found = writers.since('a/b', written(ours(5), other));
  expect(found?.manager).toBe(isFound ? 'bcs-gamedeployment-operator' : undefined);
});

test('a status that was taken over is no conflict', () => {
  const writers = new OtherWriters();
  expect(writers.since('a/b', written(ours(9), entry('bcs-gamedeployment-operator', 8)))).toBeUndefined();
  expect(writers.since('a/b', written(ours(11), entry('bcs-gamedeployment-operator', 8)))).toBeUndefined();
});
