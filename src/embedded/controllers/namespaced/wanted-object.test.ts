import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { defaultServiceAccount, rootCaConfigMap } from './wanted-object.ts';

const rootCa = rootCaConfigMap('PEM');
const told = { 'kubernetes.io/description': 'a text of somebody else' };
const map = (annotations: JsonObject, data: JsonObject): JsonObject => ({
  metadata: { name: 'kube-root-ca.crt', resourceVersion: '4', annotations },
  data,
});

test.for<[string, JsonObject | undefined, string]>([
  ['missing', undefined, 'create'],
  ['intact', map(told, { 'ca.crt': 'PEM' }), 'nothing'],
  ['of another authority', map(told, { 'ca.crt': 'other' }), 'replace'],
  ['with more in it', map(told, { 'ca.crt': 'PEM', more: '' }), 'replace'],
  ['empty', { metadata: {} }, 'replace'],
  ['without its description', map({}, { 'ca.crt': 'PEM' }), 'replace'],
])('a certificate map that is %s', ([, current, type]) => {
  const step = rootCa.decide(current, 'a');
  expect(step.type).toBe(type);
  if (step.type !== 'nothing') expect(step.object['data']).toEqual({ 'ca.crt': 'PEM' });
});

test('a map is restored in place', () => {
  const step = rootCa.decide(map({ mine: 'x' }, {}), 'a');
  const object = step.type === 'replace' ? step.object : {};
  expect(object).toMatchObject({ metadata: { resourceVersion: '4', annotations: { mine: 'x' } } });
  expect(textAt(object, 'metadata', 'annotations', 'kubernetes.io/description')).toMatch(
    /^Contains a CA bundle/,
  );
});

test('an account is created once and left alone', () => {
  expect(defaultServiceAccount.decide(undefined, 'a')).toMatchObject({
    type: 'create',
    object: { metadata: { name: 'default' } },
  });
  expect(defaultServiceAccount.decide({ metadata: { name: 'default' } }, 'a')).toEqual({ type: 'nothing' });
});
