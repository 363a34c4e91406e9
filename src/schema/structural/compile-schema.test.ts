import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { compileSchema, unknownFieldPaths } from './compile-schema.ts';

/** The errors of `spec.x` under one schema, as a Status would list them. */
function errorsOf(schema: JsonObject, value: Json, old?: Json): readonly string[] {
  const compiled = compileSchema(specOf(schema));
  const found = compiled.validate(
    { spec: { x: value } },
    old === undefined ? undefined : { spec: { x: old } },
  );
  return found.map((each) => `${each.reason} ${each.field}: ${each.message}`);
}

const specOf = (x: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x } } },
});

const wrongType = (wanted: string, got: string): string =>
  `FieldValueTypeInvalid spec.x: Invalid value: "${got}": spec.x in body must be of type ${wanted}: "${got}"`;
const invalid = (value: string, should: string): string =>
  `FieldValueInvalid spec.x: Invalid value: ${value}: spec.x in body ${should}`;

describe('keywords', () => {
  test.for<[JsonObject, Json, readonly string[]]>([
    [{ type: 'string' }, 'a', []],
    [{ type: 'string' }, 1, [wrongType('string', 'integer')]],
    [{ type: 'boolean' }, 'true', [wrongType('boolean', 'string')]],
    [{ type: 'number' }, 1, []],
    [{ type: 'number' }, 'x', [wrongType('number', 'string')]],
    [{ type: 'integer' }, 1.5, [wrongType('integer', 'number')]],
    [{ type: 'integer' }, 1e300, [wrongType('integer', 'number')]],
    [{ type: 'array', items: { type: 'string' } }, 'a', [wrongType('array', 'string')]],
    [{ type: 'object' }, [], [wrongType('object', 'array')]],
    [{ type: 'string' }, null, [wrongType('string', 'null')]],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'string', nullable: true, enum: ['a', null] }, null, []],
    [{ type: 'integer', minimum: 1 }, 0, [invalid('0', 'should be greater than or equal to 1')]],
    [{ type: 'integer', maximum: 10 }, 11, [invalid('11', 'should be less than or equal to 10')]],
    [{ type: 'integer', minimum: 1, exclusiveMinimum: true }, 1, [invalid('1', 'should be greater than 1')]],
    [{ type: 'integer', maximum: 5, exclusiveMaximum: true }, 5, [invalid('5', 'should be less than 5')]],
    [{ type: 'integer', multipleOf: 5 }, 7, [invalid('7', 'should be a multiple of 5')]],
    [{ type: 'number', multipleOf: 0.5 }, 1.5, []],
    [{ type: 'string', minLength: 2 }, 'a', [invalid('"a"', 'should be at least 2 chars long')]],
    [{ type: 'string', minLength: 2 }, '😀', [invalid('"😀"', 'should be at least 2 chars long')]],
    [{ type: 'string', maxLength: 2 }, '😀😀', []],
    [
      { type: 'string', maxLength: 4, pattern: '^b' },
      'abcde',
      ['FieldValueTooLong spec.x: Too long: may not be more than 4 bytes'],
    ],
    [{ type: 'string', pattern: '^a+$' }, 'b', [invalid('"b"', "should match '^a+$'")]],
    [{ type: 'string', pattern: 'b' }, 'abc', []],
    [
      { type: 'string', enum: ['A', 'B'] },
      'C',
      ['FieldValueNotSupported spec.x: Unsupported value: "C": supported values: "A", "B"'],
    ],
    [
      { type: 'integer', enum: [1, 2] },
      3,
      ['FieldValueNotSupported spec.x: Unsupported value: 3: supported values: "1", "2"'],
    ],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [],
      [invalid('0', 'should have at least 1 items')],
    ],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      ['a', 'b'],
      ['FieldValueTooMany spec.x: Too many: 2: must have at most 1 items'],
    ],
    [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, ['a', 'b'], []],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['a', 'a'],
      [invalid('""', "shouldn't contain duplicates")],
    ],
    [
      { type: 'array', items: { type: 'string' } },
      [1],
      [
        'FieldValueTypeInvalid spec.x[0]: Invalid value: "integer": spec.x[0] in body must be of type string: "integer"',
      ],
    ],
    [
      { type: 'object', minProperties: 1, required: ['r'] },
      {},
      [invalid('0', 'should have at least 1 properties'), 'FieldValueRequired spec.x.r: Required value'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 },
      { a: 1, b: 2 },
      ['FieldValueTooMany spec.x: Too many: 2: must have at most 1 items'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: 'x' },
      [
        'FieldValueTypeInvalid spec.x.a: Invalid value: "string": spec.x.a in body must be of type integer: "string"',
      ],
    ],
    [
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['FieldValueInvalid spec.x: Invalid value: "": spec.x.a in body is a forbidden property'],
    ],
    [{ 'x-kubernetes-int-or-string': true }, '50%', []],
    [{ 'x-kubernetes-int-or-string': true }, 5, []],
    [{ 'x-kubernetes-int-or-string': true }, 1.5, [wrongType('integer,string', 'number')]],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, { any: [1, { thing: null }] }, []],
    [{ type: 'integer', format: 'int32' }, 3_000_000_000, []],
    [{ type: 'string', format: 'uuid' }, 'x', [wrongType('uuid', 'x')]],
    [{ type: 'string', format: 'date-time' }, 5, [wrongType('date-time', 'int64')]],
  ])('%j judges %j', ([schema, value, wanted]) => {
    expect(errorsOf(schema, value)).toEqual(wanted);
  });

  test('lists by key and sets refuse what is there twice', () => {
    const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
    expect(errorsOf(set, ['a', 'b', 'a', 'a'])).toEqual([
      'FieldValueDuplicate spec.x[2]: Duplicate value: "a"',
    ]);
    const item = {
      type: 'object',
      required: ['k'],
      properties: { k: { type: 'string' }, n: { type: 'integer' } },
    };
    const map = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    };
    expect(errorsOf(map, [{ k: 'a', n: 1 }, { k: 'b' }, { k: 'a' }])).toEqual([
      'FieldValueDuplicate spec.x[2]: Duplicate value: map[string]interface {}{"k":"a"}',
    ]);
    expect(errorsOf(map, [{}])).toEqual(['FieldValueRequired spec.x[0].k: Required value']);
    const two = { ...map, 'x-kubernetes-list-map-keys': ['n', 'k'] };
    expect(
      errorsOf(two, [
        { k: 'a', n: 1 },
        { k: 'a', n: 2 },
        { n: 2, k: 'a' },
      ]),
    ).toEqual(['FieldValueDuplicate spec.x[2]: Duplicate value: map[string]interface {}{"k":"a", "n":2}']);
  });

  test('embedded resources need apiVersion, kind and valid metadata', () => {
    const schema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    expect(errorsOf(schema, { metadata: { name: 'x' } })).toEqual([
      'FieldValueRequired spec.x.apiVersion: Required value: must not be empty',
      'FieldValueRequired spec.x.kind: Required value: must not be empty',
    ]);
    const bad = errorsOf(schema, { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { 'bad key': 'x' } } });
    expect(bad).toHaveLength(1);
    expect(bad[0]).toMatch(
      /^FieldValueInvalid spec\.x\.metadata\.labels: Invalid value: "bad key": name part must/,
    );
    expect(errorsOf(schema, { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 5 } })[0]).toContain(
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    );
  });
});

describe('junctors', () => {
  const nil = (text: string): string => `FieldValueInvalid <nil>: Invalid value: "": "spec.x" ${text}`;

  test.for<[JsonObject, Json, readonly string[]]>([
    [{ type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 0, []],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      true,
      [
        wrongType('integer,string', 'boolean'),
        nil('must validate at least one schema (anyOf)'),
        wrongType('integer', 'boolean'),
      ],
    ],
    [
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      [
        nil('must validate one and only one schema (oneOf). Found none valid'),
        'FieldValueRequired spec.x.a: Required value',
      ],
    ],
    [
      {
        type: 'object',
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
        'x-kubernetes-preserve-unknown-fields': true,
      },
      { a: 1, b: 2 },
      [nil('must validate one and only one schema (oneOf). Found 2 valid alternatives')],
    ],
    [{ type: 'integer', not: { enum: [13] } }, 13, [nil('must not validate the schema (not)')]],
    [
      { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] },
      9,
      [invalid('9', 'should be less than or equal to 3'), nil('must validate all the schemas (allOf)')],
    ],
    [
      { type: 'integer', allOf: [{ maximum: 1 }] },
      9,
      [
        invalid('9', 'should be less than or equal to 1'),
        nil('must validate all the schemas (allOf). None validated'),
      ],
    ],
  ])('%j judges %j', ([schema, value, wanted]) => {
    expect(errorsOf(schema, value)).toEqual(wanted);
  });
});

describe('ratcheting', () => {
  const short = { type: 'string', maxLength: 2 };

  test('what was wrong before may stay, what changes may not', () => {
    expect(errorsOf(short, 'long', 'long')).toEqual([]);
    expect(errorsOf(short, 'longer', 'long')).toHaveLength(1);
  });

  test('items of lists by key find their past, others do not', () => {
    const items = { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: short } };
    const map = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    };
    const old = [{ k: 'a', v: 'long' }];
    expect(errorsOf(map, [{ k: 'b' }, { k: 'a', v: 'long' }], old)).toEqual([]);
    expect(errorsOf({ type: 'array', items }, [{ k: 'a', v: 'long' }, { k: 'b' }], old)).toHaveLength(1);
  });

  test('duplicates are tolerated only where there were some before', () => {
    const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
    expect(errorsOf(set, ['a', 'a', 'b'], ['a', 'a'])).toEqual([]);
    expect(errorsOf(set, ['a', 'a'], ['a'])).toHaveLength(1);
  });

  test('an unchanged part does not turn the verdict of `not` around', () => {
    const schema = {
      type: 'object',
      properties: { a: short, b: short },
      not: { properties: { a: { maxLength: 1 } } },
    };
    expect(errorsOf(schema, { a: 'xx', b: 'y' }, { a: 'xx', b: 'z' })).toEqual([]);
  });
});

test('a status is judged as a value of its own', () => {
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', required: ['a'] },
      status: { type: 'object', properties: { p: { type: 'string' } } },
    },
  };
  expect(compileSchema(schema).validateStatus({ spec: {}, status: { p: 5 } })).toEqual([
    {
      reason: 'FieldValueTypeInvalid',
      field: 'status.p',
      message: 'Invalid value: "integer": p in body must be of type string: "integer"',
    },
  ]);
  expect(compileSchema(schema).validateStatus({ spec: {} })).toEqual([]);
});

describe('pruning', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          free: {
            type: 'object',
            properties: { known: { type: 'object', properties: { x: { type: 'integer' } } } },
            'x-kubernetes-preserve-unknown-fields': true,
          },
          list: { type: 'array', items: { type: 'object', properties: { n: { type: 'string' } } } },
          map: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { v: { type: 'integer' } } },
          },
          emb: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object', properties: { e: { type: 'integer' } } } },
          },
        },
      },
    },
  };
  const object: JsonObject = {
    apiVersion: 'g/v1',
    kind: 'W',
    metadata: { name: 'a', bogus: 1, labels: { l: 'v' } },
    top: 1,
    spec: {
      a: 'x',
      zz: 1,
      free: { any: [1, { q: 2 }], known: { x: 1, y: 2 } },
      list: [{ n: 'a', m: 'b' }],
      map: { k: { v: 1, w: 2 } },
      emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', bogus: 1 }, spec: { e: 1, f: 2 } },
    },
  };

  test('drops what the schema does not know', () => {
    expect(compileSchema(schema).prune(object)).toEqual({
      apiVersion: 'g/v1',
      kind: 'W',
      metadata: { name: 'a', labels: { l: 'v' } },
      spec: {
        a: 'x',
        free: { any: [1, { q: 2 }], known: { x: 1 } },
        list: [{ n: 'a' }],
        map: { k: { v: 1 } },
        emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { e: 1 } },
      },
    });
  });

  test('names what it drops in the order of the server', () => {
    expect(unknownFieldPaths(schema, object)).toEqual([
      'metadata.bogus',
      'spec.emb.spec.f',
      'spec.free.known.y',
      'spec.list[0].m',
      'spec.map.k.w',
      'spec.zz',
      'top',
      'spec.emb.metadata.bogus',
    ]);
  });

  test('answers the very object when there is nothing to drop', () => {
    const fine = {
      apiVersion: 'g/v1',
      kind: 'W',
      metadata: { name: 'a' },
      spec: { a: 'x', list: [{ n: 'b' }] },
    };
    expect(compileSchema(schema).prune(fine)).toBe(fine);
    expect(compileSchema(schema).defaults(fine)).toBe(fine);
  });

  test('keys that look like the prototype are just keys', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"p":1},"spec":{"map":{"__proto__":{"v":1,"w":2}}}}',
    ) as JsonObject;
    const pruned = compileSchema(schema).prune(hostile);
    expect(JSON.stringify(pruned)).toBe('{"spec":{"map":{"__proto__":{"v":1}}}}');
    expect(Object.getPrototypeOf(pruned)).toBe(Object.prototype);
  });
});

test('defaults fill what is missing, and nulls that may not be null', () => {
  const text = { type: 'string', default: 'd' };
  const schema: JsonObject = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          n: { type: 'integer', default: 3 },
          o: { type: 'object', properties: { a: { type: 'string', default: 'x' } }, default: {} },
          p: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
          nul: { ...text, nullable: true },
          nonnul: text,
          plain: { type: 'string' },
          l: { type: 'array', items: { type: 'object', properties: { k: { type: 'integer', default: 7 } } } },
          m: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { v: { type: 'boolean', default: true } } },
          },
        },
      },
    },
  };
  const { prune, defaults } = compileSchema(schema);
  const fill = (object: JsonObject): JsonObject => defaults(prune(object));
  expect(fill({})).toEqual({});
  expect(fill({ spec: {} })).toEqual({ spec: { n: 3, o: { a: 'x' }, nul: 'd', nonnul: 'd' } });
  const given = { p: {}, nul: null, nonnul: null, plain: null, l: [{}, { k: 1 }], m: { x: {} } };
  expect(fill({ spec: given })).toEqual({
    spec: {
      n: 3,
      o: { a: 'x' },
      p: { a: 'x' },
      nul: null,
      nonnul: 'd',
      l: [{ k: 7 }, { k: 1 }],
      m: { x: { v: true } },
    },
  });
});

describe('for any object', () => {
  const item: JsonObject = {
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' }, v: { type: 'integer', minimum: 0, default: 1 } },
  };
  const schema: JsonObject = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string', maxLength: 3, default: 'x' },
          b: { type: 'object', properties: { c: { type: 'integer', default: 2 } }, default: {} },
          list: {
            type: 'array',
            items: item,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
          },
          map: { type: 'object', additionalProperties: item },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };
  const { prune, defaults, validate, unknownFieldPaths: unknown } = compileSchema(schema);

  const key = fc.constantFrom(
    'spec',
    'a',
    'b',
    'c',
    'k',
    'v',
    'list',
    'map',
    'free',
    '__proto__',
    'zz',
    'metadata',
  );
  const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 0, 1, -1, 1.5, 'a', 'long text'),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  }));
  const objects = fc
    .dictionary(key, value, { maxKeys: 6 })
    .map((each) => ({ ...each, spec: each['spec'] ?? {} }));

  test('pruning twice is pruning once, and what is pruned has nothing unknown', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = prune(object);
        expect(prune(once)).toBe(once);
        expect(unknown(once)).toEqual([]);
      }),
    );
  });

  test('defaulting twice is defaulting once, and adds nothing unknown', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = defaults(prune(object));
        expect(defaults(once)).toBe(once);
        expect(prune(once)).toBe(once);
      }),
    );
  });

  test('pruning and defaulting keep valid objects valid', () => {
    fc.assert(
      fc.property(objects, (object) => {
        fc.pre(validate(object).length === 0);
        expect(validate(defaults(prune(object)))).toEqual([]);
      }),
    );
  });

  test('nothing changes its input', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const before = JSON.stringify(object);
        const ready = defaults(prune(object));
        validate(ready, object);
        unknown(object);
        expect(JSON.stringify(object)).toBe(before);
      }),
    );
  });
});

describe('hostile input', () => {
  const nested = (depth: number): Json => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as Json;
  const free = compileSchema({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    required: ['x'],
  });

  test('depth beyond the stack', () => {
    const object = { deep: nested(5000) };
    expect(free.prune(object)).toBe(object);
    expect(free.defaults(object)).toBe(object);
    expect(free.validate(object, { deep: nested(5000) })).toHaveLength(1);
  });

  test('a hundred thousand wrong items become a thousand errors', () => {
    const wrong = Array.from({ length: 100_000 }, () => 1);
    expect(errorsOf({ type: 'array', items: { type: 'string' } }, wrong)).toHaveLength(1000);
  });

  test('patterns that explode elsewhere', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(errorsOf(schema, `${'a'.repeat(100_000)}b`)).toHaveLength(1);
    expect(errorsOf(schema, 'a'.repeat(100_000))).toEqual([]);
  });
});
