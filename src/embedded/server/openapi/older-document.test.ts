import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { olderDocument } from './older-document.ts';

const mark = (group: string): JsonObject => ({
  group,
  kind: 'Options',
  version: 'v1',
});
const versionOf = (group: string): JsonObject => ({
  components: {
    schemas: { Options: { type: 'object', 'x-kubernetes-group-version-kind': [mark(group)] } },
  },
});
const operation = {
  operationId: 'patchBuoy',
  parameters: [{ name: 'force', in: 'query', schema: { type: 'boolean', uniqueItems: true } }],
  requestBody: {
    required: true,
    content: {
      'application/json-patch+json': { schema: { $ref: '#/components/schemas/Patch' } },
      'application/merge-patch+json': { schema: { $ref: '#/components/schemas/Patch' } },
    },
  },
  responses: {
    '200': {
      description: 'OK',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Buoy' } } },
    },
    '401': { description: 'Unauthorized' },
  },
  'x-kubernetes-action': 'patch',
};
const pathParameter = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };

test('a shared type belongs to every group version that has it, once', () => {
  const document = olderDocument([versionOf(''), versionOf('apps'), versionOf('')], 'v1');
  expect(document).toMatchObject({
    swagger: '2.0',
    info: { version: 'v1' },
    definitions: { Options: { 'x-kubernetes-group-version-kind': [mark(''), mark('apps')] } },
  });
});

test('an operation has its body among its parameters, and their types beside their names', () => {
  const { paths } = olderDocument(
    [{ paths: { '/buoys/{name}': { patch: operation, parameters: [pathParameter] } } }],
    'v1',
  );
  expect(paths).toEqual({
    '/buoys/{name}': {
      patch: {
        consumes: ['application/json-patch+json', 'application/merge-patch+json'],
        produces: ['application/json'],
        schemes: ['https'],
        operationId: 'patchBuoy',
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Patch' } },
          { type: 'boolean', uniqueItems: true, name: 'force', in: 'query' },
        ],
        responses: {
          '200': { description: 'OK', schema: { $ref: '#/definitions/Buoy' } },
          '401': { description: 'Unauthorized' },
        },
        'x-kubernetes-action': 'patch',
      },
      parameters: [{ type: 'string', name: 'name', in: 'path', required: true }],
    },
  });
});

test('a schema keeps the fields that v2 has', () => {
  const Buoy = {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: { allOf: [{ $ref: '#/components/schemas/Spec' }], default: {}, description: 'Its wish.' },
      port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { x: {} } },
      names: { type: 'array', items: { type: 'string', nullable: true, maxLength: 3 } },
    },
  };
  expect(olderDocument([{ components: { schemas: { Buoy } } }], 'v1')['definitions']).toEqual({
    Buoy: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: { $ref: '#/definitions/Spec', description: 'Its wish.' },
        port: { 'x-kubernetes-int-or-string': true, type: 'string' },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        names: { type: 'array', items: { type: 'string', maxLength: 3 } },
      },
    },
  });
});
