import { Type } from 'typebox';
import {
  anyValue,
  embeddedObject,
  intOrString,
  listByKey,
  mapOf,
  openObject,
  setOf,
  stringEnum,
} from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';

const Wick = Type.Object({
  name: Type.String({ description: 'Tells wicks apart.', minLength: 1 }),
  millimetres: Type.Optional(
    Type.Integer({ description: 'Its length.', exclusiveMinimum: 0, maximum: 900, default: 40 }),
  ),
});

/** A kind that exists only in tests and uses everything a schema may say. */
export const lantern = defineKind({
  group: 'harbour.example.com',
  version: 'v1alpha1',
  kind: 'HarbourLantern',
  plural: 'harbourlanterns',
  shortNames: ['hl'],
  categories: ['lights'],
  scope: 'Namespaced',
  description: 'A light that shows boats the way.',
  schema: Type.Object({
    spec: Type.Object(
      {
        colour: stringEnum(['Red', 'Green', 'White'], { description: 'Its colour.', default: 'White' }),
        kindOfOil: Type.Literal('whale', { description: 'What it burns.' }),
        dimmed: Type.Optional(intOrString({ description: 'How much | how far.' })),
        wicks: listByKey(Wick, ['name'], { description: 'Its wicks.', minItems: 1 }),
        harbours: Type.Optional(setOf({ description: 'Where it stands.', maxItems: 9 })),
        flags: Type.Optional(
          mapOf(Type.Object({ lit: Type.Boolean({ description: 'Lit now.' }) }), { description: 'By name.' }),
        ),
        template: Type.Optional(
          openObject<{ readonly metadata?: { readonly name?: string } }>({ description: 'A pod.' }),
        ),
        whole: Type.Optional(embeddedObject({ description: 'An object.' })),
        extra: Type.Optional(anyValue({ description: 'Whatever.' })),
      },
      { description: 'What is wanted.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          replicas: Type.Optional(Type.Integer({ description: 'Lights lit.', minimum: 0 })),
          seen: Type.Optional(Type.String({ description: 'When.', format: 'date-time' })),
        },
        { description: 'What is.' },
      ),
    ),
  }),
  columns: [
    { name: 'Colour', type: 'string', jsonPath: '.spec.colour', description: 'The colour of the light' },
    { name: 'Seen', type: 'date', jsonPath: '.status.seen', wide: true },
  ],
  hasStatus: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
});

export type Lantern = ObjectOf<typeof lantern>;
