import { expect, test } from 'vitest';
import { kindRules } from './kind-rules.ts';
import { meta, texts } from './testing/check.ts';
import { complaintsOnCreate, complaintsOnStatusUpdate, complaintsOnUpdate } from './validate.ts';
import { invalid } from '#kube/field-error.ts';

const own = invalid('spec', 1, 'bad');
const checks = {
  validateCreate: () => [own],
  validateUpdate: () => [own],
  validateStatusUpdate: () => [own],
};
const bad = { metadata: { ...meta, labels: { 'bad key': 'x' } } };
const old = { metadata: meta };

test('metadata comes before the kind', () => {
  const fields = complaintsOnCreate({ rules: kindRules(checks), namespaced: true }, bad).map(
    (each) => each.field,
  );
  expect(fields).toEqual(['metadata.labels', 'spec']);
});

test.for([
  ['none', 2],
  ['update', 3],
  ['create-and-update', 4],
] as const)(
  'an update of a kind that checks metadata again (%s) repeats the cause',
  ([metaOnUpdate, count]) => {
    const scoped = { rules: kindRules({ ...checks, metaOnUpdate }), namespaced: true };
    const fields = complaintsOnUpdate(scoped, bad, old).map((each) => each.field);
    expect(fields).toEqual([...Array.from({ length: count }, () => 'metadata.labels'), 'spec']);
  },
);

test('an update of status is checked like an update', () => {
  const scoped = { rules: kindRules(checks), namespaced: true };
  expect(complaintsOnStatusUpdate(scoped, bad, old)).toHaveLength(4);
  expect(texts(complaintsOnStatusUpdate(scoped, old, old))).toEqual(['spec: Invalid value: 1: bad']);
});

test('finalizers need a domain unless the kind allows others', () => {
  const object = { metadata: { ...meta, finalizers: ['x'] } };
  expect(complaintsOnCreate({ rules: kindRules({}), namespaced: true }, object)).toHaveLength(1);
  expect(
    complaintsOnCreate({ rules: kindRules({ strictFinalizers: false }), namespaced: true }, object),
  ).toEqual([]);
});
