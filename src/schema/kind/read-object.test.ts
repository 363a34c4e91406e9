import { expect, expectTypeOf, test } from 'vitest';
import { lantern, type Lantern } from './testing/lantern.ts';
import type { Json } from '#base/json.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { decoderOf } from './read-object.ts';

const decode = decoderOf(lantern, compileSchema);
const spec = { colour: 'Red', kindOfOil: 'whale', wicks: [{ name: 'a', millimetres: 3 }] };
const object = (changes: Record<string, Json>): Json => ({
  apiVersion: 'harbour.example.com/v1alpha1',
  kind: 'HarbourLantern',
  metadata: { name: 'pier' },
  spec: { ...spec, ...changes },
});

test('a good object is read with the type of its kind, and its input stays as it was', () => {
  const input = object({ wicks: [{ name: 'a' }], unheardOf: true });
  const before = JSON.stringify(input);
  const decoded = decode(input);
  expect(decoded).toEqual({ type: 'decoded', object: object({ wicks: [{ name: 'a', millimetres: 40 }] }) });
  expect(JSON.stringify(input)).toBe(before);
  if (decoded.type === 'decoded') expectTypeOf(decoded.object).toEqualTypeOf<Lantern>();
});

test('defaults of the schema are filled in', () => {
  const { colour: _white, ...rest } = spec;
  const input = { ...(object({}) as object), spec: rest };
  expect(decode(input)).toEqual({ type: 'decoded', object: object({ colour: 'White' }) });
});

test.for<{ name: string; input: Json; field: string; text: string }>([
  {
    name: 'a word that is not one of the few',
    input: object({ colour: 'Blue' }),
    field: 'spec.colour',
    text: 'Unsupported value: "Blue"',
  },
  {
    name: 'a limit',
    input: object({ wicks: [{ name: 'a', millimetres: 901 }] }),
    field: 'spec.wicks[0].millimetres',
    text: '900',
  },
  {
    name: 'a missing field',
    input: object({ wicks: [{}] }),
    field: 'spec.wicks[0].name',
    text: 'Required value',
  },
  {
    name: 'two items with one key',
    input: object({ wicks: [{ name: 'a' }, { name: 'a' }] }),
    field: 'spec.wicks[1]',
    text: 'Duplicate value',
  },
  {
    name: 'neither integer nor string',
    input: object({ dimmed: true }),
    field: 'spec.dimmed',
    text: 'Invalid value',
  },
  {
    name: 'another kind',
    input: { ...(object({}) as object), kind: 'Lantern' },
    field: 'kind',
    text: 'supported values: "HarbourLantern"',
  },
  {
    name: 'another version',
    input: { ...(object({}) as object), apiVersion: 'v1' },
    field: 'apiVersion',
    text: 'supported values: "harbour.example.com/v1alpha1"',
  },
  { name: 'no object at all', input: ['pier'], field: '', text: 'must be an object' },
])('$name is refused with its field', ({ input, field, text }) => {
  const decoded = decode(input);
  const errors = decoded.type === 'refused' ? decoded.errors : [];
  expect(errors).toEqual([expect.objectContaining({ field, message: expect.stringContaining(text) })]);
});
