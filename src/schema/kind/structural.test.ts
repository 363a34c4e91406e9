import { Type, type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { intOrString } from './field.ts';
import { toStructuralSchema } from './structural.ts';

test.for<{ name: string; schema: TSchema; printed: object }>([
  {
    name: 'a literal is an enum of one',
    schema: Type.Literal('a'),
    printed: { type: 'string', enum: ['a'] },
  },
  {
    name: 'an exclusive limit is a flag beside the limit',
    schema: Type.Integer({ exclusiveMinimum: 3, exclusiveMaximum: 9 }),
    printed: { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  },
  {
    name: 'a record is a map',
    schema: Type.Record(Type.String(), Type.Number()),
    printed: { type: 'object', additionalProperties: { type: 'number' } },
  },
  {
    name: 'required fields are named, optional ones are not',
    schema: Type.Object({ a: Type.Boolean(), b: Type.Optional(Type.Boolean()) }),
    printed: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
    },
  },
  {
    name: 'no required field, no list of them',
    schema: Type.Object({ b: Type.Optional(Type.Boolean()) }),
    printed: { type: 'object', properties: { b: { type: 'boolean' } } },
  },
  {
    name: 'rules in CEL pass through',
    schema: Type.String({ 'x-kubernetes-validations': [{ rule: 'self != ""' }] }),
    printed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
  },
  {
    name: 'what must not be passes through',
    schema: Type.Object({}, { allOf: [{ not: { required: ['a', 'b'] } }] }),
    printed: { type: 'object', properties: {}, allOf: [{ not: { required: ['a', 'b'] } }] },
  },
])('$name', ({ schema, printed }) => {
  expect(toStructuralSchema(schema)).toEqual(printed);
});

test.for<{ name: string; schema: TSchema; message: string }>([
  {
    name: 'a union',
    schema: Type.Union([Type.String(), Type.Number()]),
    message: 'spec.it: a union has no single type',
  },
  { name: 'an unknown value', schema: Type.Unknown(), message: 'spec.it: no type is not allowed' },
  { name: 'null', schema: Type.Null(), message: 'spec.it: type "null" is not allowed' },
  { name: 'a reference', schema: Type.Unsafe({ $ref: '#/x' }), message: "spec.it: '$ref' has no place" },
  {
    name: 'a closed object',
    schema: Type.Object({}, { additionalProperties: false }),
    message: 'spec.it: additionalProperties must be a schema',
  },
  {
    name: 'an object that is a map as well',
    schema: Type.Object({ a: Type.String() }, { additionalProperties: Type.String() }),
    message: 'spec.it: properties and additionalProperties exclude',
  },
  {
    name: 'a map with restricted names',
    schema: Type.Record(Type.String({ pattern: '^a' }), Type.String()),
    message: 'spec.it: names of a map',
  },
  {
    name: 'a list of anything',
    schema: Type.Unsafe({ type: 'array' }),
    message: 'spec.it: a list needs items',
  },
  {
    name: 'a mistake deep inside',
    schema: Type.Array(Type.Object({ deep: Type.Record(Type.String(), Type.Unknown()) })),
    message: 'spec.it[].deep.*: no type',
  },
])('refuses $name and says where', ({ schema, message }) => {
  expect(() => toStructuralSchema(Type.Object({ spec: Type.Object({ it: schema }) }))).toThrow(
    `schema at ${message}`,
  );
});

test('the caller keeps a schema it can go on using', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()) });
  const before = JSON.stringify(schema);
  toStructuralSchema(schema);
  expect(JSON.stringify(schema)).toBe(before);
});

test.for([
  { name: 'without a format', given: {}, maximum: Number.MAX_SAFE_INTEGER },
  { name: 'of 32 bits', given: { format: 'int32' }, maximum: 2_147_483_647 },
  { name: 'with a bound of its own', given: { format: 'int32', maximum: 7 }, maximum: 7 },
  { name: 'of 64 bits', given: { format: 'int64' }, maximum: undefined },
])('an integer $name is no larger than $maximum', ({ given, maximum }) => {
  expect(toStructuralSchema(Type.Integer(given))['maximum']).toBe(maximum);
});

test('an integer that may be a text is of 32 bits, as in Kubernetes', () => {
  expect(toStructuralSchema(intOrString({ description: 'x' }))['maximum']).toBe(2_147_483_647);
});
