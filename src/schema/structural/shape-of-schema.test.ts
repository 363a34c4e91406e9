import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { ListShape, Shape, StructShape } from '#kube/shape.ts';
import { compileSchema } from './compile-schema.ts';

const port: JsonObject = {
  type: 'object',
  properties: { number: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
};
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ports: {
          type: 'array',
          items: port,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['number', 'protocol'],
        },
        names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        plain: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        selector: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { a: { type: 'string' } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        percent: { 'x-kubernetes-int-or-string': true },
        pod: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
  },
};

const struct = (shape: Shape | undefined): StructShape => {
  if (shape?.type !== 'struct') throw new Error(`a struct was expected, not ${shape?.type}`);
  return shape;
};
const root = struct(compileSchema(schema).shape());
const spec = struct(root.field('spec')?.shape());
const shapeOf = (name: string): Shape | undefined => spec.field(name)?.shape();

test('the root knows what every resource has', () => {
  expect(root.fieldNames()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  const meta = struct(root.field('metadata')?.shape());
  expect(meta.field('ownerReferences')).toMatchObject({ patchStrategy: ['merge'], patchMergeKey: 'uid' });
  expect(meta.field('finalizers')?.shape()).toMatchObject({ type: 'list', list: 'set' });
  expect(meta.field('bogus')).toBeUndefined();
});

test('lists have their type, keys and the defaults of keys', () => {
  expect(shapeOf('ports')).toMatchObject({
    list: 'map',
    keys: ['number', 'protocol'],
    keyDefaults: { protocol: 'TCP' },
  });
  expect(struct((shapeOf('ports') as ListShape).item()).fieldNames()).toEqual(['number', 'protocol']);
  expect(shapeOf('names')).toMatchObject({ list: 'set', keys: [] });
  expect(shapeOf('plain')).toMatchObject({ list: 'atomic' });
});

test('objects are structs, maps, or untyped', () => {
  expect(shapeOf('labels')).toMatchObject({ type: 'map', atomic: false });
  expect(shapeOf('selector')).toMatchObject({ type: 'struct', atomic: true, open: false });
  expect(shapeOf('free')).toEqual({ type: 'untyped' });
  expect(shapeOf('open')).toMatchObject({ type: 'struct', open: true });
  expect(shapeOf('percent')).toEqual({ type: 'scalar' });
  expect(struct(shapeOf('pod')).field('metadata')).toBeDefined();
  expect(spec.field('nothing')).toBeUndefined();
});
