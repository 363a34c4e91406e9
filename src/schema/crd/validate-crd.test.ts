import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import { nextCrdStatus } from './crd-status.ts';
import { defaultCrd } from './default-crd.ts';
import { prepareCrdCreate, prepareCrdUpdate } from './prepare-crd.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const v1: JsonObject = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: anything } };

function definition(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'bads.example.com', ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'bads', kind: 'Bad' },
      versions: [v1],
      ...spec,
    },
  };
}

const created = (crd: JsonObject): JsonObject => prepareCrdCreate(defaultCrd(crd));
const errorsOf = (crd: JsonObject): readonly string[] =>
  validateCrd(created(crd)).map(({ field, message }) => `${field}: ${message}`);

const withSchema = (schema: Json, parts: JsonObject = {}): JsonObject =>
  definition({ versions: [{ ...v1, schema: { openAPIV3Schema: schema }, ...parts }] });
const withProperty = (property: JsonObject): JsonObject =>
  withSchema({ type: 'object', properties: { x: property } });

const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

test('a plain definition is fine', () => {
  expect(errorsOf(definition())).toEqual([]);
});

describe('names and versions', () => {
  test.for<[what: string, JsonObject, readonly string[]]>([
    [
      'name',
      definition({}, { name: 'wrong.example.com' }),
      ['metadata.name: Invalid value: "wrong.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'plural',
      definition({ names: { plural: 'Bads', kind: 'Bad' } }, { name: 'Bads.example.com' }),
      [`spec.names.plural: Invalid value: "Bads": ${label1035}`],
    ],
    ['kind may have any case', definition({ names: { plural: 'bads', kind: 'B-d' } }), []],
    [
      'kind',
      definition({ names: { plural: 'bads', kind: 'B_d', listKind: 'L', singular: 'bad' } }),
      [
        `spec.names.kind: Invalid value: "B_d": may have mixed case, but should otherwise match: ${label1035}`,
      ],
    ],
    [
      'listKind',
      definition({ names: { plural: 'bads', kind: 'Bad', listKind: 'Bad' } }),
      ['spec.names.listKind: Invalid value: "Bad": kind and listKind may not be the same'],
    ],
    [
      'short name and category',
      definition({ names: { plural: 'bads', kind: 'Bad', shortNames: ['B'], categories: ['-'] } }),
      [
        `spec.names.shortNames[0]: Invalid value: "B": ${label1035}`,
        `spec.names.categories[0]: Invalid value: "-": ${label1035}`,
      ],
    ],
    [
      'nothing given',
      { metadata: { name: '.' }, spec: {} },
      [
        'spec.group: Required value',
        'spec.scope: Required value',
        'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion{}: must have exactly one version marked as storage version',
        'spec.names.plural: Required value',
        'spec.names.singular: Required value',
        'spec.names.kind: Required value',
        'spec.names.listKind: Required value',
        'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
      ],
    ],
    [
      'scope',
      definition({ scope: 'Global' }),
      ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
    ],
    [
      'group without dot',
      definition({ group: 'nodots' }, { name: 'bads.nodots' }),
      ['spec.group: Invalid value: "nodots": should be a domain with at least one dot'],
    ],
    [
      'version name',
      definition({ versions: [{ ...v1, name: 'V_1' }] }),
      [
        `spec.versions[0].name: Invalid value: "V_1": ${label1035}`,
        `spec.version: Invalid value: "V_1": ${label1035}`,
      ],
    ],
    [
      'preserveUnknownFields',
      definition({ preserveUnknownFields: true }),
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      'deprecation warning',
      definition({ versions: [{ ...v1, deprecationWarning: 'x' }] }),
      ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
    ],
    [
      'empty deprecation warning',
      definition({ versions: [{ ...v1, deprecated: true, deprecationWarning: '' }] }),
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      'protected group',
      definition({ group: 'x.k8s.io' }, { name: 'bads.x.k8s.io' }),
      [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
  ])('%s', ([, crd, wanted]) => {
    expect(errorsOf(crd)).toEqual(wanted);
  });

  test('exactly one storage version, and versions by unique names', () => {
    const two = errorsOf(definition({ versions: [v1, { ...v1, name: 'v2' }] }));
    expect(two).toHaveLength(2);
    expect(two[0]).toMatch(
      /^spec\.versions: Invalid value: .*: must have exactly one version marked as storage version$/,
    );
    expect(two[1]).toBe(
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v2',
    );
    const same = errorsOf(definition({ versions: [v1, { ...v1, storage: false }] }));
    expect(same).toHaveLength(1);
    expect(same[0]).toMatch(/: must contain unique version names$/);
  });
});

describe('conversion', () => {
  const hook = (clientConfig: JsonObject, versions: readonly string[] = ['v1']): JsonObject =>
    definition({
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: versions } },
    });

  test.for<[what: string, JsonObject, readonly string[]]>([
    [
      'strategy',
      definition({ conversion: { strategy: 'Magic' } }),
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
    [
      'webhook without config',
      definition({ conversion: { strategy: 'Webhook' } }),
      [
        'spec.conversion.conversionReviewVersions: Required value',
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      ],
    ],
    ['good', hook({ service: { name: 'a', namespace: 'b' } }), []],
    [
      'neither url nor service',
      hook({}),
      ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'plain http',
      hook({ url: 'http://example.com' }),
      [
        `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      ],
    ],
    [
      'review versions',
      hook({ url: 'https://example.com' }, ['v2', 'v2']),
      [
        'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'spec.conversion.conversionReviewVersions: Invalid value: []string{"v2", "v2"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'webhook without strategy',
      definition({
        conversion: { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
      }),
      [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
  ])('%s', ([, crd, wanted]) => {
    expect(errorsOf(crd)).toEqual(wanted);
  });
});

describe('columns, scale, selectable fields', () => {
  test.for<[what: string, JsonObject, readonly string[]]>([
    [
      'columns',
      {
        additionalPrinterColumns: [
          { name: 'x', type: 'weird', jsonPath: 'spec', format: 'odd' },
          { name: '', type: '', jsonPath: '' },
        ],
      },
      [
        'spec.additionalPrinterColumns[0].type: Invalid value: "weird": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].format: Invalid value: "odd": must be one of byte,date,date-time,double,float,int32,int64,password',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
        'spec.additionalPrinterColumns[1].name: Required value',
        'spec.additionalPrinterColumns[1].type: Required value: must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[1].JSONPath: Required value',
      ],
    ],
    [
      'scale',
      {
        subresources: {
          scale: { specReplicasPath: 'spec.x', statusReplicasPath: '.spec.y', labelSelectorPath: '.x.y' },
        },
      },
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: "spec.x": must be a simple json path starting with .',
        'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.y": should be a json path under .status',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".x.y": should be a json path under either .spec or .status',
      ],
    ],
    [
      'selectable',
      {
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { a: { type: 'string' }, o: { type: 'object' } } },
            },
          },
        },
        selectableFields: [
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.zz' },
          { jsonPath: '.spec.o' },
          { jsonPath: '.metadata.name' },
          { jsonPath: '' },
        ],
      },
      [
        'spec.selectableFields[1]: Duplicate value: ".spec.a"',
        'spec.selectableFields[2].jsonPath: Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[3]: Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        'spec.selectableFields[4]: Invalid value: ".metadata.name": must not point to fields in metadata',
        'spec.selectableFields[5].jsonPath: Required value',
      ],
    ],
  ])('%s', ([, parts, wanted]) => {
    expect(errorsOf(definition({ versions: [{ ...v1, ...parts }] }))).toEqual(wanted);
  });

  test('what differs between versions is named under its version', () => {
    const bad = { name: 'x', type: 'weird', jsonPath: '.a' };
    const versions = [v1, { ...v1, name: 'v2', storage: false, additionalPrinterColumns: [bad] }];
    expect(errorsOf(definition({ versions }))).toEqual([
      'spec.versions[1].additionalPrinterColumns[0].type: Invalid value: "weird": must be one of boolean,date,integer,number,string',
    ]);
  });
});

const root = 'spec.validation.openAPIV3Schema';
const x = `${root}.properties[x]`;

describe('structural schemas', () => {
  test.for<[what: string, JsonObject, readonly string[]]>([
    [
      'no schema',
      definition({ versions: [{ name: 'v1', served: true, storage: true }] }),
      ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required'],
    ],
    ['no type', withSchema({}), [`${root}.type: Required value: must not be empty at the root`]],
    [
      'root type',
      withSchema({ type: 'string' }),
      [`${root}.type: Invalid value: "string": must be object at the root`],
    ],
    [
      'nullable root',
      withSchema({ ...anything, nullable: true }),
      [`${root}.nullable: Forbidden: nullable cannot be true at the root`],
    ],
    [
      'map at the root',
      withSchema({ type: 'object', additionalProperties: { type: 'string' } }),
      [`${root}.additionalProperties: Forbidden: must not be used at the root`],
    ],
    [
      'metadata',
      withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      }),
      [
        `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    ],
    [
      'the name in metadata',
      withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
      }),
      [],
    ],
    [
      'default of metadata',
      withSchema({ type: 'object', properties: { kind: { type: 'string', default: 'x' } } }),
      [`${root}.properties[kind].default: Forbidden: must not be set in top-level kind`],
    ],
    [
      'no type below',
      withProperty({}),
      [`${x}.type: Required value: must not be empty for specified object fields`],
    ],
    [
      'no type of items',
      withProperty({ type: 'array', items: {} }),
      [`${x}.items.type: Required value: must not be empty for specified array items`],
    ],
    ['no items', withProperty({ type: 'array' }), [`${x}.items: Required value: must be specified`]],
    [
      'items as list',
      withProperty({ type: 'array', items: [{ type: 'string' }] }),
      [`${x}.items: Forbidden: items must be a schema object and not an array`],
    ],
    [
      'properties and additionalProperties',
      withProperty({
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'string' },
      }),
      [`${x}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
    ],
    ['$ref', withProperty({ $ref: '#/a' }), [`${x}.$ref: Forbidden: $ref is not supported`]],
    [
      'definitions',
      withProperty({ type: 'object', definitions: { a: {} } }),
      [`${x}.definitions: Forbidden: definitions is not supported`],
    ],
    [
      'uniqueItems',
      withProperty({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
      [
        `${x}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      'unknown type',
      withProperty({ type: 'float' }),
      [
        `${x}.type: Unsupported value: "float": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      'type in anyOf',
      withProperty({ type: 'object', anyOf: [{ type: 'object' }] }),
      [`${x}.anyOf[0].type: Forbidden: must be empty to be structural`],
    ],
    [
      'description in allOf',
      withProperty({ type: 'object', allOf: [{ description: 'x' }] }),
      [`${x}.allOf[0].description: Forbidden: must be empty to be structural`],
    ],
    [
      'default in not',
      withProperty({ type: 'integer', not: { default: 1 } }),
      [`${x}.not.default: Forbidden: must be undefined to be structural`],
    ],
    [
      'int-or-string may name its types',
      withProperty({
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
      }),
      [],
    ],
    [
      'what junctors speak of must be described',
      withProperty({ type: 'object', oneOf: [{ properties: { a: { minimum: 1 } } }] }),
      [`${x}.properties[a]: Required value: because it is defined in ${x}.oneOf[0].properties[a]`],
    ],
    ['required needs no description', withProperty({ type: 'object', required: ['a'] }), []],
    [
      'preserve false',
      withProperty({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
      [`${x}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
    [
      'empty embedded',
      withProperty({ type: 'object', 'x-kubernetes-embedded-resource': true }),
      [
        `${x}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      ],
    ],
    [
      'pattern',
      withProperty({ type: 'string', pattern: '(' }),
      [
        `${x}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      ],
    ],
  ])('%s', ([, crd, wanted]) => {
    expect(errorsOf(crd)).toEqual(wanted);
  });

  test('with a status subresource the root is plain', () => {
    const errors = errorsOf(
      withSchema({ ...anything, oneOf: [{ required: ['a'] }] }, { subresources: { status: {} } }),
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /only \[Description Type .* XValidations\] fields are allowed at the root of the schema/,
    );
  });
});

describe('list types', () => {
  const item = { type: 'object', properties: { k: { type: 'string' } } };
  const list = (parts: JsonObject): JsonObject => withProperty({ type: 'array', items: item, ...parts });

  test.for<[what: string, JsonObject, readonly string[]]>([
    [
      'set of objects',
      list({ 'x-kubernetes-list-type': 'set' }),
      [
        `${x}.items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      'no keys',
      list({ 'x-kubernetes-list-type': 'map' }),
      [`${x}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`],
    ],
    [
      'key not required',
      list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
      [
        `${x}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      ],
    ],
    [
      'unknown and repeated keys',
      list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['z', 'z'] }),
      [
        `${x}.x-kubernetes-list-map-keys: Invalid value: []string{"z", "z"}: entries must all be names of item properties`,
        `${x}.x-kubernetes-list-map-keys: Invalid value: []string{"z", "z"}: entries must all be names of item properties`,
        `${x}.x-kubernetes-list-map-keys: Invalid value: []string{"z", "z"}: must not contain duplicate entries`,
      ],
    ],
    [
      'keys of something else',
      list({ 'x-kubernetes-list-map-keys': ['k'] }),
      [`${x}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`],
    ],
    [
      'unknown list type',
      list({ 'x-kubernetes-list-type': 'bag' }),
      [`${x}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`],
    ],
    [
      'list type on an object',
      withProperty({ type: 'object', 'x-kubernetes-list-type': 'set' }),
      [`${x}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified`],
    ],
    [
      'map type on a text',
      withProperty({ type: 'string', 'x-kubernetes-map-type': 'loose' }),
      [
        `${x}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
        `${x}.x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"`,
      ],
    ],
    [
      'nullable items',
      withProperty({
        type: 'array',
        items: { type: 'string', nullable: true },
        'x-kubernetes-list-type': 'set',
      }),
      [`${x}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`],
    ],
  ])('%s', ([, crd, wanted]) => {
    expect(errorsOf(crd)).toEqual(wanted);
  });
});

describe('defaults', () => {
  test.for<[JsonObject, readonly string[]]>([
    [
      { type: 'integer', default: 'x' },
      [`${x}.default: Invalid value: "string":  in body must be of type integer: "string"`],
    ],
    [
      { type: 'integer', minimum: 5, default: 1 },
      [`${x}.default: Invalid value: 1:  in body should be greater than or equal to 5`],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } },
      [`${x}.default: Invalid value: map[string]interface {}{"b":1}: must not have unknown fields`],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' }, default: { a: 'x' } },
      [`${x}.default.a: Invalid value: "string": .a in body must be of type integer: "string"`],
    ],
    [{ type: 'integer', default: null }, []],
    [{ type: 'object', properties: { a: { type: 'string', default: 'y' } }, default: {} }, []],
  ])('%j', ([property, wanted]) => {
    expect(errorsOf(withProperty(property))).toEqual(wanted);
  });
});

describe('updates', () => {
  const fresh = created(definition());
  const old = [1, 2].reduce<JsonObject>(
    (crd) => ({ ...crd, status: nextCrdStatus(crd, [], instant(0)) }),
    fresh,
  );
  const changed = (from: JsonObject, spec: JsonObject): readonly string[] => {
    const before = isObject(from['spec']) ? from['spec'] : {};
    const next = prepareCrdUpdate(defaultCrd({ ...from, spec: { ...before, ...spec } }), from);
    return validateCrdUpdate(next, from).map(({ field, message }) => `${field}: ${message}`);
  };

  test('an unchanged definition is fine', () => {
    expect(changed(old, {})).toEqual([]);
  });

  test('once established, scope and kind are fixed; group and plural always are', () => {
    const names = { plural: 'worse', singular: 'bad', kind: 'Worse', listKind: 'BadList' };
    const spec = { scope: 'Cluster', group: 'other.com', names };
    expect(changed(old, spec)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Worse": field is immutable',
      'spec.group: Invalid value: "other.com": field is immutable',
      'spec.names.plural: Invalid value: "worse": field is immutable',
    ]);
    expect(changed(fresh, spec)).toHaveLength(2);
  });

  test('a version that may still be stored cannot go', () => {
    const [gone] = changed(old, { versions: [{ ...v1, name: 'v2' }] });
    expect(gone).toBe(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    );
  });
});

describe('hostile definitions', () => {
  test('a schema deeper than anybody needs is refused', () => {
    const deep = JSON.parse(
      `${'{"type":"object","properties":{"a":'.repeat(2000)}{}${'}}'.repeat(2000)}`,
    ) as JsonObject;
    expect(errorsOf(withSchema(deep))).toEqual([
      'spec.versions: Invalid value: "...": must not be nested deeper than 400 levels',
    ]);
  });

  test.for<[Json]>([
    [null],
    [1],
    ['x'],
    [[]],
    [{ properties: 5 }],
    [{ type: 5, enum: 3, required: 'a', anyOf: {}, allOf: [1] }],
  ])('the schema %j is refused, not fallen over', ([schema]) => {
    expect(errorsOf(withSchema(schema)).length).toBeGreaterThan(0);
  });
});
