import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { defaultCrd } from './default-crd.ts';

const specOf = (spec: JsonObject) => defaultCrd({ spec })['spec'] as JsonObject;

test('names, flags and conversion have defaults', () => {
  expect(
    specOf({
      group: 'g.io',
      scope: 'Cluster',
      names: { plural: 'ws', kind: 'Wx' },
      versions: [{ name: 'v1' }],
    }),
  ).toEqual({
    group: 'g.io',
    scope: 'Cluster',
    names: { plural: 'ws', singular: 'wx', kind: 'Wx', listKind: 'WxList' },
    versions: [{ name: 'v1', served: false, storage: false }],
    conversion: { strategy: 'None' },
  });
});

test('given names stay', () => {
  const names = { plural: 'ws', singular: 'one', kind: 'W', listKind: 'Many' };
  expect(specOf({ names })['names']).toEqual(names);
});

test('a conversion webhook listens on 443 unless told', () => {
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { service: { name: 'a', namespace: 'b' } } },
  };
  expect(specOf({ conversion })['conversion']).toMatchObject({
    webhook: { clientConfig: { service: { name: 'a', namespace: 'b', port: 443 } } },
  });
});

test('keywords that say nothing are left out of schemas', () => {
  const schema = {
    type: 'object',
    description: '',
    properties: {
      a: { type: 'object', properties: {}, required: [], nullable: false },
      b: { type: 'integer', default: null, minimum: 0 },
      c: { type: 'object', default: {}, 'x-kubernetes-preserve-unknown-fields': false },
      d: { type: 'string', enum: ['', 'a'], default: '' },
    },
    anyOf: [{ required: [] }],
  };
  const [version] = specOf({ versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] })[
    'versions'
  ] as JsonObject[];
  expect(version?.['schema']).toEqual({
    openAPIV3Schema: {
      type: 'object',
      properties: {
        a: { type: 'object' },
        b: { type: 'integer', minimum: 0 },
        c: { type: 'object', default: {}, 'x-kubernetes-preserve-unknown-fields': false },
        d: { type: 'string', enum: ['', 'a'], default: '' },
      },
      anyOf: [{}],
    },
  });
});

test('a definition that has everything is answered as it is', () => {
  const crd = defaultCrd({
    spec: {
      names: { plural: 'ws', kind: 'W' },
      versions: [
        {
          name: 'v1',
          schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      ],
    },
  });
  expect(defaultCrd(crd)).toBe(crd);
});

test.for<[JsonObject]>([
  [{}],
  [{ spec: null }],
  [{ spec: { names: 1, versions: 'x', conversion: [] } }],
  [{ spec: { versions: [null, 1] } }],
])('nonsense %j does no harm', ([crd]) => {
  expect(defaultCrd(crd)).toHaveProperty('spec.conversion', { strategy: 'None' });
});
