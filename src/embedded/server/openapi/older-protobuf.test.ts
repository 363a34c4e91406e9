import { expect, test } from 'vitest';
import { readBytes, readVarint, type Cursor } from '#embedded/kinds/protobuf/wire.ts';
import { olderDocument } from './older-document.ts';
import { olderProtobuf } from './older-protobuf.ts';

type Field = { readonly number: number; readonly bytes: Uint8Array; readonly value: number };

/** The fields of a message, in their order. */
function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const cursor: Cursor = { bytes, at: 0, end: bytes.length };
  const fields: Field[] = [];
  while (cursor.at < cursor.end) {
    const key = readVarint(cursor);
    const isNumber = (key & 7) === 0;
    const value = isNumber ? readVarint(cursor) : 0;
    fields.push({ number: key >>> 3, value, bytes: isNumber ? new Uint8Array() : readBytes(cursor) });
  }
  return fields;
}

/** Everything at a path of field numbers. */
const all = (bytes: Uint8Array, ...path: readonly number[]): readonly Uint8Array[] =>
  path.reduce<readonly Uint8Array[]>(
    (found, number) =>
      found.flatMap((each) =>
        fieldsOf(each)
          .filter((field) => field.number === number)
          .map((field) => field.bytes),
      ),
    [bytes],
  );
const texts = (bytes: Uint8Array, ...path: readonly number[]): readonly string[] =>
  all(bytes, ...path).map((each) => new TextDecoder().decode(each));

const schemas = {
  Buoy: {
    type: 'object',
    description: 'Shows the way.',
    required: ['spec'],
    properties: {
      spec: { allOf: [{ $ref: '#/components/schemas/Spec' }], default: {} },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { x: {} } },
    },
    'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Buoy', version: 'v1' }],
  },
  Spec: {
    type: 'object',
    properties: {
      port: { 'x-kubernetes-int-or-string': true },
      size: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      names: { type: 'array', items: { type: 'string', format: 'name' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
};
const patch = {
  parameters: [{ in: 'query', name: 'dryRun' }],
  'x-kubernetes-group-version-kind': { group: 'example.com', kind: 'Buoy', version: 'v1' },
};
const document = olderProtobuf(
  olderDocument([{ components: { schemas }, paths: { '/buoys/{name}': { patch }, '/x': {} } }], 'v1'),
);
const schemaOf = (name: string, of = document, ...path: readonly number[]): Uint8Array => {
  const named = all(of, ...path).find((each) => texts(each, 1)[0] === name);
  return all(named ?? new Uint8Array(), 2)[0] ?? new Uint8Array();
};
const buoy = schemaOf('Buoy', document, 9, 1);
const spec = schemaOf('Spec', document, 9, 1);

test('a definition keeps its type, its words and its kind', () => {
  expect(texts(document, 1)).toEqual(['2.0']);
  expect(texts(buoy, 22, 1)).toEqual(['object']);
  expect(texts(buoy, 4)).toEqual(['Shows the way.']);
  expect(texts(buoy, 19)).toEqual(['spec']);
  expect(texts(buoy, 31, 1)).toEqual(['x-kubernetes-group-version-kind']);
  expect(JSON.parse(texts(buoy, 31, 2, 2)[0] ?? '')).toEqual(schemas.Buoy['x-kubernetes-group-version-kind']);
});

test('references lead to definitions, and fields of any type are not described', () => {
  expect(texts(schemaOf('spec', buoy, 25, 1), 1)).toEqual(['#/definitions/Spec']);
  const any = schemaOf('any', buoy, 25, 1);
  expect([texts(any, 22, 1), all(any, 25)]).toEqual([[], []]);
});

test('numbers that may be texts are texts; lists and maps have their items', () => {
  for (const name of ['port', 'size']) expect(texts(schemaOf(name, spec, 25, 1), 22, 1)).toEqual(['string']);
  expect(texts(schemaOf('names', spec, 25, 1), 23, 1, 22, 1)).toEqual(['string']);
  expect(texts(schemaOf('names', spec, 25, 1), 23, 1, 2)).toEqual(['name']);
  expect(texts(schemaOf('labels', spec, 25, 1), 21, 1, 22, 1)).toEqual(['string']);
});

test('the media types of a patch are listed with its kind', () => {
  expect(texts(document, 8, 2, 1)).toEqual(['/buoys/{name}']);
  const operation = all(document, 8, 2, 2, 8)[0] ?? new Uint8Array();
  expect(texts(operation, 8, 1, 2, 3, 4)).toEqual(['dryRun']);
  expect(texts(operation, 13, 1)).toEqual(['x-kubernetes-group-version-kind']);
});
