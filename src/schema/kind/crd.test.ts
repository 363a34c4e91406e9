import { expect, expectTypeOf, test } from 'vitest';
import { at } from '#base/json.ts';
import { lantern, type Lantern } from './testing/lantern.ts';
import { crdOf } from './crd.ts';
import type { Kind } from './kind.ts';

test('a kind becomes a complete CustomResourceDefinition', () => {
  expect(crdOf(lantern)).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'harbourlanterns.harbour.example.com' },
    spec: {
      group: 'harbour.example.com',
      scope: 'Namespaced',
      names: {
        kind: 'HarbourLantern',
        listKind: 'HarbourLanternList',
        plural: 'harbourlanterns',
        singular: 'harbourlantern',
        shortNames: ['hl'],
        categories: ['lights'],
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [
            {
              name: 'Colour',
              type: 'string',
              jsonPath: '.spec.colour',
              description: 'The colour of the light',
            },
            { name: 'Seen', type: 'date', jsonPath: '.status.seen', priority: 1 },
          ],
        },
      ],
    },
  });
});

test('its schema says what the schema value says', () => {
  const [version] = at(crdOf(lantern), 'spec', 'versions') as [never];
  expect(at(version, 'schema', 'openAPIV3Schema')).toEqual({
    type: 'object',
    description: 'A light that shows boats the way.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        description: 'What is wanted.',
        required: ['colour', 'kindOfOil', 'wicks'],
        properties: {
          colour: {
            type: 'string',
            enum: ['Red', 'Green', 'White'],
            description: 'Its colour.',
            default: 'White',
          },
          kindOfOil: { type: 'string', enum: ['whale'], description: 'What it burns.' },
          dimmed: {
            'x-kubernetes-int-or-string': true,
            description: 'How much | how far.',
            maximum: 2_147_483_647,
          },
          wicks: {
            type: 'array',
            description: 'Its wicks.',
            minItems: 1,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', description: 'Tells wicks apart.', minLength: 1 },
                millimetres: {
                  type: 'integer',
                  description: 'Its length.',
                  minimum: 0,
                  exclusiveMinimum: true,
                  maximum: 900,
                  default: 40,
                },
              },
            },
          },
          harbours: {
            type: 'array',
            items: { type: 'string' },
            description: 'Where it stands.',
            maxItems: 9,
            'x-kubernetes-list-type': 'set',
          },
          flags: {
            type: 'object',
            description: 'By name.',
            additionalProperties: {
              type: 'object',
              required: ['lit'],
              properties: { lit: { type: 'boolean', description: 'Lit now.' } },
            },
          },
          template: { type: 'object', description: 'A pod.', 'x-kubernetes-preserve-unknown-fields': true },
          whole: {
            type: 'object',
            description: 'An object.',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
          extra: { description: 'Whatever.', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      status: {
        type: 'object',
        description: 'What is.',
        properties: {
          replicas: {
            type: 'integer',
            description: 'Lights lit.',
            minimum: 0,
            maximum: 9_007_199_254_740_991,
          },
          seen: { type: 'string', description: 'When.', format: 'date-time' },
        },
      },
    },
  });
});

test('what a kind does not have is not printed', () => {
  const { scale: _none, ...rest } = lantern;
  const plain: Kind = { ...rest, shortNames: [], categories: [], columns: [], hasStatus: false };
  const [version] = at(crdOf(plain), 'spec', 'versions') as [object];
  expect(Object.keys(version)).toEqual(['name', 'served', 'storage', 'schema']);
  expect(Object.keys(at(crdOf(plain), 'spec', 'names') as object)).toEqual([
    'kind',
    'listKind',
    'plural',
    'singular',
  ]);
});

test('the type of its objects is inferred, and read-only', () => {
  expectTypeOf<Lantern['spec']['colour']>().toEqualTypeOf<'Red' | 'Green' | 'White'>();
  expectTypeOf<Lantern['spec']['dimmed']>().toEqualTypeOf<number | string | undefined>();
  expectTypeOf<Lantern['spec']['wicks']>().toEqualTypeOf<
    readonly { readonly name: string; readonly millimetres?: number }[]
  >();
  expectTypeOf<NonNullable<Lantern['status']>['replicas']>().toEqualTypeOf<number | undefined>();
});
