import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { actAnnotation } from '#releases/model/act.ts';
import { changeAnnotation } from '#releases/model/release-change.ts';
import { actWriter, changeWriter, pausedWriter, templateWriter } from './field-writer.ts';

const time = '2026-11-16T04:10:00Z';
const entry = (manager: string, fieldsV1: JsonObject, at = time): JsonObject => ({
  manager,
  time: at,
  fieldsV1,
});
const workload = (...managedFields: readonly JsonObject[]): JsonObject => ({ metadata: { managedFields } });
const annotation = (name: string): JsonObject => ({
  'f:metadata': { 'f:annotations': { [`f:${name}`]: {} } },
});
const template = { 'f:spec': { 'f:template': {} } };

test('a signed change is attributed to who signed it, also when the template has two writers in one second', () => {
  const object = workload(
    entry('boathook-release', { ...template, ...annotation(changeAnnotation) }),
    entry('kubectl-client-side-apply', template),
  );
  expect(changeWriter(object)).toEqual({ manager: 'boathook-release', time });
});

test('the last writer of a field, and none where nobody owns it', () => {
  const later = '2026-11-16T04:11:00Z';
  const object = workload(entry('second', template, later), entry('first', template), entry('other', {}));
  expect(templateWriter(object)).toEqual({ manager: 'second', time: later });
  expect([actWriter(object), pausedWriter(object), changeWriter(object)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(actWriter(workload(entry('page', annotation(actAnnotation))))?.manager).toBe('page');
});
