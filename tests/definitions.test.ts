import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { kinds } from '#cli/kinds.ts';
import { nameOf } from '#kube/object.ts';
import { crdName, crdOf } from '#schema/kind/crd.ts';
import { definitionBreaks } from './support/definition-breaks.ts';
import { readProjectFile } from './support/project-files.ts';
import { storedDefinitions, storedReleases } from './support/stored-fixtures.ts';

const definition = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  spec: {
    group: 'g',
    scope: 'Namespaced',
    names: { kind: 'Boat', plural: 'boats' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...more,
      },
    ],
  },
});
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };

test.for<readonly [string, JsonObject, JsonObject]>([
  ['a new field', object({ a: text }), object({ a: text, b: text })],
  ['a new value', object({ a: { ...text, enum: ['x'] } }), object({ a: { ...text, enum: ['x', 'y'] } })],
  ['a wider limit', object({ a: { ...text, maxLength: 5 } }), object({ a: { ...text, maxLength: 9 } })],
  ['a limit that goes', object({ a: { type: 'integer', minimum: 1 } }), object({ a: { type: 'integer' } })],
  ['a field that need not be there any more', object({ a: text }, { required: ['a'] }), object({ a: text })],
  ['a rule that goes', object({}, { 'x-kubernetes-validations': [{ rule: 'r' }] }), object({})],
  ['a description', object({ a: text }), object({ a: { ...text, description: 'A.' } })],
])('%s breaks nothing', ([, older, newer]) => {
  expect(definitionBreaks(definition(older), definition(newer))).toEqual([]);
});

test.for<readonly [JsonObject, JsonObject, string]>([
  [object({ a: text, b: text }), object({ a: text }), 'v1.spec.b is gone'],
  [object({ a: object({ b: text }) }), object({ a: object({ c: text }) }), 'v1.spec.a.b is gone'],
  [object({ a: text }), object({ a: { type: 'integer' } }), 'v1.spec.a: type is another'],
  [
    object({ a: text }),
    object({ a: { ...text, enum: ['x'] } }),
    'v1.spec.a: only some values are allowed now',
  ],
  [
    object({ a: { ...text, enum: ['x', 'y'] } }),
    object({ a: { ...text, enum: ['x'] } }),
    'v1.spec.a: the value "y" is gone',
  ],
  [object({ a: text }), object({ a: { ...text, maxLength: 9 } }), 'v1.spec.a: maxLength allows less'],
  [
    object({ a: { type: 'integer', minimum: 0 } }),
    object({ a: { type: 'integer', minimum: 1 } }),
    'v1.spec.a: minimum allows less',
  ],
  [object({ a: text }), object({ a: { ...text, pattern: '^x' } }), 'v1.spec.a: pattern is new or another'],
  [object({ a: text }), object({ a: text }, { required: ['a'] }), 'v1.spec: "a" is required now'],
  [object({ a: text }), object({ a: { ...text, default: 'x' } }), 'v1.spec.a: default is another'],
  [object({}), object({}, { 'x-kubernetes-validations': [{ rule: 'r' }] }), 'v1.spec: the rule "r" is new'],
  [
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({}) } }),
    'v1.spec.a[].b is gone',
  ],
  [
    object({ a: { type: 'object', additionalProperties: text } }),
    object({ a: { type: 'object' } }),
    'v1.spec.a.* is gone',
  ],
  [
    object({ a: { 'x-kubernetes-preserve-unknown-fields': true } }),
    object({ a: {} }),
    'v1.spec.a: x-kubernetes-preserve-unknown-fields is gone',
  ],
])('%j to %j: %s', ([older, newer, found]) => {
  expect(definitionBreaks(definition(older), definition(newer))).toEqual([found]);
});

test('versions, subresources and names stay', () => {
  const spec = object({});
  const older = definition(spec);
  expect(definitionBreaks(older, definition(spec, { name: 'v2' }))).toEqual(['version v1 is gone']);
  expect(definitionBreaks(older, definition(spec, { served: false }))).toEqual(['v1 is no longer served']);
  expect(definitionBreaks(older, definition(spec, { subresources: {} }))).toEqual([
    'v1: the subresource status is another',
  ]);
  const renamed = { spec: { ...(older['spec'] as JsonObject), names: { kind: 'Boat', plural: 'ships' } } };
  expect(definitionBreaks(older, renamed)).toEqual(['names.plural is another']);
});

test('every release has stored objects and definitions', () => {
  const released = [...readProjectFile('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(
    ([, each]) => each,
  );
  expect(released.length).toBeGreaterThan(0);
  expect(storedReleases()).toEqual(expect.arrayContaining(released));
});

test.for(storedReleases())('the definitions take nothing away that %s had', (release) => {
  const present = new Map(kinds.map((kind) => [crdName(kind), crdOf(kind)]));
  const older = storedDefinitions(release);
  expect(older.length).toBeGreaterThan(0);
  const broken = older.flatMap((each) => {
    const newer = present.get(nameOf(each));
    if (newer === undefined) return [`${nameOf(each)} is gone`];
    return definitionBreaks(each, newer).map((text) => `${nameOf(each)} ${text}`);
  });
  expect(broken).toEqual([]);
});
