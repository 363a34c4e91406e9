import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { compileSchema } from './compile-schema.ts';

type Rules = readonly JsonObject[];

const withRules = (schema: JsonObject, ...rules: Rules): JsonObject => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const rootOf = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });
const objectOf = (spec: Json): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
});

/** The texts of what is wrong, as `field: message`. */
function errors(schema: JsonObject, spec: Json, old?: Json): readonly string[] {
  const before = old === undefined ? undefined : objectOf(old);
  return compileSchema(schema)
    .validate(objectOf(spec), before)
    .map(({ field, message }) => `${field}: ${message}`);
}

const widget = rootOf(
  withRules(
    {
      type: 'object',
      properties: {
        min: { type: 'integer' },
        max: { type: 'integer' },
        name: withRules(
          { type: 'string' },
          { rule: 'self == oldSelf', message: 'name is immutable' },
          {
            rule: "!self.startsWith('x')",
            messageExpression: "'no x in ' + self",
            reason: 'FieldValueForbidden',
          },
        ),
        list: withRules({ type: 'array', items: { type: 'string' } }, { rule: 'self.all(e, e.size() > 1)' }),
      },
    },
    { rule: 'self.min <= self.max', message: 'min must not exceed max', fieldPath: '.min' },
    {
      rule: '!has(self.list) || self.list.size() == self.max',
      messageExpression: "self.list.size() > self.max ? 'too many' : 'too few'",
    },
    { rule: '!has(oldSelf.list) || has(self.list)', message: 'list may not be removed' },
  ),
);

test.for<[Json, Json | undefined, readonly string[]]>([
  [{ min: 1, max: 2, name: 'n' }, undefined, []],
  [{ min: 3, max: 2, name: 'n' }, undefined, ['spec.min: Invalid value: "object": min must not exceed max']],
  [
    { min: 1, max: 2, name: 'xy', list: ['a', 'bb'] },
    undefined,
    [
      'spec.name: Forbidden: no x in xy',
      'spec.list: Invalid value: "array": failed rule: self.all(e, e.size() > 1)',
    ],
  ],
  [
    { min: 1, max: 2, name: 'm' },
    { min: 1, max: 2, name: 'n' },
    ['spec.name: Invalid value: "string": name is immutable'],
  ],
  [{ min: 1, max: 2, list: ['aa'] }, { min: 1, max: 2 }, ['spec: Invalid value: "object": too few']],
  [
    { min: 1, max: 2 },
    { min: 1, max: 2, list: ['aa', 'bb'] },
    ['spec: Invalid value: "object": list may not be removed'],
  ],
  [
    { max: 1, name: 'n' },
    undefined,
    ['spec: Invalid value: "object": no such key: min evaluating rule: min must not exceed max'],
  ],
  [
    { min: 'x', max: 1 },
    undefined,
    [
      'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
      '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
  ],
])('rules of an object: %j after %j', ([spec, old, expected]) => {
  expect(errors(widget, spec, old)).toEqual(expected);
});

test('only errors of form keep rules from being checked', () => {
  const schema = rootOf(
    withRules({ type: 'object', properties: { n: { type: 'integer', maximum: 5 } } }, { rule: 'self.n < 3' }),
  );
  expect(errors(schema, { n: 7 })).toEqual([
    'spec.n: Invalid value: 7: spec.n in body should be less than or equal to 5',
    'spec: Invalid value: "object": failed rule: self.n < 3',
  ]);
});

const positive = withRules({ type: 'integer' }, { rule: 'self > 0' });
const grows = withRules(
  { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer' } } },
  { rule: 'self.n >= oldSelf.n', message: 'may not shrink' },
);
const places = rootOf({
  type: 'object',
  properties: {
    list: { type: 'array', items: positive },
    map: { type: 'object', additionalProperties: positive },
    deep: {
      type: 'object',
      properties: { er: { type: 'array', items: { type: 'object', properties: { n: positive } } } },
    },
    byKey: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: grows,
    },
    grown: { type: 'object', additionalProperties: grows },
    maybe: { ...positive, nullable: true },
  },
});

test.for<[Json, Json | undefined, readonly string[]]>([
  [{ list: [1, 0, -1] }, undefined, ['spec.list[1]', 'spec.list[2]']],
  [{ map: { 'a/b': 0, c: 1 } }, undefined, ['spec.map[a/b]']],
  [{ deep: { er: [{ n: 1 }, { n: 0 }] } }, undefined, ['spec.deep.er[1].n']],
  [{ maybe: null }, undefined, []],
  [
    {
      byKey: [
        { k: 'b', n: 1 },
        { k: 'a', n: 0 },
      ],
    },
    {
      byKey: [
        { k: 'a', n: 1 },
        { k: 'b', n: 1 },
      ],
    },
    ['spec.byKey[1]'],
  ],
  [{ byKey: [{ k: 'new', n: 0 }] }, { byKey: [{ k: 'a', n: 1 }] }, []],
  [{ grown: { x: { n: 1 }, y: { n: 5 } } }, { grown: { x: { n: 2 }, y: { n: 5 } } }, ['spec.grown[x]']],
])('every place is visited: %j', ([spec, old, expected]) => {
  expect(errors(places, spec, old).map((each) => each.slice(0, each.indexOf(': ')))).toEqual(expected);
});

test.for<[Json, Json, number]>([
  // What was wrong before and is unchanged is tolerated; what moved in an atomic list is not.
  [{ list: [0], map: { a: 1 } }, { list: [0] }, 0],
  [{ list: [0, 1] }, { list: [0] }, 1],
  [{ map: { a: 0, b: 1 } }, { map: { a: 0 } }, 0],
  [{ map: { a: 0, b: -1 } }, { map: { a: 0 } }, 1],
  [{ deep: { er: [{ n: 0 }] }, list: [1] }, { deep: { er: [{ n: 0 }] } }, 0],
])('updates leave alone what was wrong before: %j', ([spec, old, count]) => {
  expect(errors(places, spec, old)).toHaveLength(count);
});

test('optional oldSelf is there on creation too', () => {
  const schema = rootOf(
    withRules(
      { type: 'object', properties: { n: { type: 'integer' } } },
      { rule: 'oldSelf.hasValue() ? self.n > oldSelf.value().n : self.n == 1', optionalOldSelf: true },
    ),
  );
  expect(errors(schema, { n: 2 })).toHaveLength(1);
  expect(errors(schema, { n: 1 })).toEqual([]);
  expect(errors(schema, { n: 1 }, { n: 1 })).toHaveLength(1);
  expect(errors(schema, { n: 2 }, { n: 1 })).toEqual([]);
});

test('the root shows name, kind and apiVersion, and nothing else of metadata', () => {
  const named = (rule: string): JsonObject =>
    withRules({ type: 'object', properties: { spec: { type: 'object', properties: {} } } }, { rule });
  expect(errors(named("self.metadata.name == 'w' && self.kind == 'Widget'"), {})).toEqual([]);
  expect(errors(named("self.metadata.name == 'v'"), {})).toEqual([
    `<nil>: Invalid value: "object": failed rule: self.metadata.name == 'v'`,
  ]);
  expect(errors(named("self.metadata.labels.a == 'b'"), {})[0]).toContain("undefined field 'labels'");
});

test.for<[JsonObject, string]>([
  [{ rule: 'false', reason: 'FieldValueRequired', message: 'm' }, 'spec: Required value: m'],
  [{ rule: 'false', reason: 'FieldValueDuplicate', message: 'm' }, 'spec: Duplicate value: "object"'],
  [{ rule: 'false', messageExpression: "'a\\nb'", message: 'm' }, 'spec: Invalid value: "object": m'],
  [{ rule: 'false', messageExpression: "'  '" }, 'spec: Invalid value: "object": failed rule: false'],
  [{ rule: 'false', messageExpression: 'string(1 / 0)', message: ' m ' }, 'spec: Invalid value: "object": m'],
  [{ rule: 'false', message: 'm', fieldPath: ".map['a.b']" }, 'spec.map[a.b]: Invalid value: "object": m'],
  [
    { rule: 'self.either > 5', message: 'm' },
    `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: m`,
  ],
  [
    { rule: 'self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))' },
    `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))`,
  ],
])('how a rule refuses: %j', ([rule, expected]) => {
  const schema = rootOf(
    withRules(
      {
        type: 'object',
        properties: {
          map: { type: 'object', additionalProperties: { type: 'string' } },
          either: { 'x-kubernetes-int-or-string': true },
          l: { type: 'array', items: { type: 'integer' } },
        },
      },
      rule,
      { rule: 'true' },
    ),
  );
  const l = Array.from({ length: 1000 }, (_, i) => i);
  expect(errors(schema, { either: '5', l })).toEqual([expected]);
});

test('all rules of an object share one budget', () => {
  const schema = rootOf({
    type: 'object',
    properties: {
      l: {
        type: 'array',
        items: withRules({ type: 'array', items: { type: 'integer' } }, { rule: 'self.all(x, x >= 0)' }),
      },
    },
  });
  const l = Array.from({ length: 60 }, () => Array.from({ length: 60_000 }, () => 1));
  const found = errors(schema, { l });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(
    /^spec\.l\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
  );
});
