import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { canonicalObject } from './canonical.ts';

const canonical = (group: string, kind: string, object: JsonObject): JsonObject =>
  canonicalObject(typeNameOf(group, 'v1', kind) ?? '', object);

const service = (more: JsonObject): JsonObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: {},
  ...more,
});

test.for<readonly [name: string, kind: string, given: JsonObject, written: JsonObject]>([
  ['unknown members go', 'ConfigMap', { metadata: {}, bogus: 1 }, { metadata: { creationTimestamp: null } }],
  ['nulls go', 'ConfigMap', { metadata: {}, data: null }, { metadata: { creationTimestamp: null } }],
  ['empty maps go', 'ConfigMap', { metadata: {}, data: {} }, { metadata: { creationTimestamp: null } }],
  [
    'empty labels and finalizers go',
    'ConfigMap',
    { metadata: { labels: {}, finalizers: [], annotations: { a: '' } } },
    { metadata: { annotations: { a: '' }, creationTimestamp: null } },
  ],
  [
    'times are written in UTC, to the second',
    'ConfigMap',
    { metadata: { creationTimestamp: '2020-01-01T02:00:00.9+02:00' } },
    { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } },
  ],
  [
    'a key of data may be called anything',
    'ConfigMap',
    JSON.parse('{"metadata":{},"data":{"__proto__":"x","constructor":"y"}}') as JsonObject,
    JSON.parse(
      '{"metadata":{"creationTimestamp":null},"data":{"__proto__":"x","constructor":"y"}}',
    ) as JsonObject,
  ],
  [
    'a null in a map of texts is an empty text',
    'ConfigMap',
    { metadata: {}, data: { a: null } },
    { metadata: { creationTimestamp: null }, data: { a: '' } },
  ],
  [
    'quantities get their canonical spelling',
    'LimitRange',
    { metadata: {}, spec: { limits: [{ type: 'Pod', max: { cpu: '1000m', memory: '1024Mi' } }] } },
    {
      metadata: { creationTimestamp: null },
      spec: { limits: [{ type: 'Pod', max: { cpu: '1', memory: '1Gi' } }] },
    },
  ],
])('%s', ([, kind, given, written]) => {
  expect(canonical('', kind, given)).toEqual(written);
});

test('structs that are no pointers are always written', () => {
  expect(canonical('', 'Service', service({}))).toEqual(
    service({ metadata: { creationTimestamp: null }, spec: {}, status: { loadBalancer: {} } }),
  );
});

const text = fc.constantFrom('', 'a', 'b');
const configMap = fc.record(
  {
    kind: fc.constant('ConfigMap'),
    apiVersion: fc.constant('v1'),
    metadata: fc.record(
      {
        name: text,
        labels: fc.option(fc.dictionary(text, text)),
        finalizers: fc.array(text),
        creationTimestamp: fc.constantFrom(null, '2020-01-01T00:00:00Z', '2020-01-01T00:00:00+01:00'),
      },
      { requiredKeys: [] },
    ),
    data: fc.option(fc.dictionary(text, text)),
    immutable: fc.constantFrom(null, true, false),
    stranger: fc.jsonValue({ maxDepth: 1 }).map((value) => value as Json),
  },
  { requiredKeys: ['metadata'] },
);

test('what is canonical stays as it is, and nothing that was given is changed', () => {
  fc.assert(
    fc.property(configMap, (record) => {
      const given = record as JsonObject;
      const before = JSON.stringify(given);
      const once = canonical('', 'ConfigMap', given);
      expect(canonical('', 'ConfigMap', once)).toEqual(once);
      expect(JSON.stringify(given)).toBe(before);
    }),
  );
});
