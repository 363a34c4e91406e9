import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { checkCel } from './check-cel.ts';

const specOf = (...schemas: readonly JsonObject[]): JsonObject => ({
  versions: schemas.map((openAPIV3Schema, i) => ({ name: `v${i}`, schema: { openAPIV3Schema } })),
});

const found = (spec: JsonObject): readonly string[] =>
  checkCel(spec).map(({ field, message }) => `${field}: ${message}`);

const properties: JsonObject = { a: { type: 'integer' }, s: { type: 'string', maxLength: 10 } };
const at = 'spec.validation.openAPIV3Schema.properties[spec]';
const rootOf = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });
const withRule = (rule: JsonObject, schema: JsonObject = { type: 'object', properties }): JsonObject =>
  rootOf({ ...schema, 'x-kubernetes-validations': [rule] });

const dump = (rule: string, rest = 'Message:"", MessageExpression:""'): string =>
  `apiextensions.ValidationRule{Rule:${JSON.stringify(rule)}, ${rest}, Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}`;

test.for<[JsonObject, readonly string[]]>([
  [{ rule: 'self.a > 1', message: 'm', reason: 'FieldValueInvalid', fieldPath: '.a' }, []],
  [{ rule: '' }, ['rule: Required value: rule is not specified']],
  [
    { rule: 'self.a > 1', reason: 'Whatever' },
    [
      'reason: Unsupported value: "Whatever": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
  ],
  [
    { rule: 'self.a > 1', fieldPath: '.nope' },
    ['fieldPath: Invalid value: ".nope": fieldPath must be a valid path'],
  ],
  [{ rule: 'self.a > 1', fieldPath: 'a' }, ['fieldPath: Invalid value: "a": fieldPath must be a valid path']],
  [
    { rule: 'self.a > 1', message: 'a\nb' },
    ['message: Invalid value: "a\\nb": message must not contain line breaks'],
  ],
  [
    { rule: 'self.a > 1', message: ' ' },
    ['message: Invalid value: " ": message must be non-empty if specified'],
  ],
  [
    { rule: 'self.a\n> 1' },
    ['message: Required value: message must be specified if rule contains line breaks'],
  ],
  [
    { rule: 'self.a > 1', messageExpression: ' ' },
    ['messageExpression: Required value: messageExpression must be non-empty if specified'],
  ],
  [
    { rule: 'self.a > 1', messageExpression: 'self.a' },
    [
      `messageExpression: Invalid value: ${dump('self.a > 1', 'Message:"", MessageExpression:"self.a"')}: messageExpression must evaluate to a string`,
    ],
  ],
  [{ rule: 'self.a' }, [`rule: Invalid value: ${dump('self.a')}: cel expression must evaluate to a bool`]],
  [
    { rule: 'self.b > 1' },
    [
      `rule: Invalid value: ${dump('self.b > 1')}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^`,
    ],
  ],
  [
    { rule: 'self.a > 1', optionalOldSelf: true },
    ['optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule'],
  ],
])('one rule: %j', ([rule, expected]) => {
  const prefix = `${at}.x-kubernetes-validations[0].`;
  expect(found(specOf(withRule(rule)))).toEqual(expected.map((each) => prefix + each));
});

const item = (rule: string): JsonObject => ({
  type: 'object',
  properties: { k: { type: 'string', maxLength: 5 } },
  'x-kubernetes-validations': [{ rule }],
});
const listOf = (items: JsonObject, more: JsonObject): JsonObject =>
  rootOf({ type: 'array', maxItems: 5, items, ...more });
const byKey: JsonObject = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

test('oldSelf needs a past that can be found', () => {
  const rule = 'self.k == oldSelf.k';
  expect(found(specOf(listOf(item(rule), byKey)))).toEqual([]);
  expect(found(specOf(listOf(item(rule), { 'x-kubernetes-list-type': 'atomic' })))).toEqual([
    `${at}.items.x-kubernetes-validations[0].rule: Invalid value: "${rule}": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}`,
  ]);
});

const hint =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const total =
  'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of';
const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

test('a rule over unbounded lists is too expensive', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { l: { type: 'array', items: { type: 'string' } } },
  };
  const rule = `${at}.x-kubernetes-validations[0].rule`;
  expect(found(specOf(withRule({ rule: 'self.l.all(x, self.l.all(y, x == y))' }, schema)))).toEqual([
    `${rule}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${hint}`,
    `${rule}: Forbidden: ${share}`,
    `spec.validation.openAPIV3Schema: Forbidden: ${total} more than 100x ${hint}`,
  ]);
});

test.for<[number, string | undefined]>([
  [800_000, undefined],
  [1_000_000, '1.100000x'],
  [2_000_000, '2.2x'],
])('the factor of %d items', ([maxItems, factor]) => {
  const schema: JsonObject = { type: 'array', maxItems, items: { type: 'integer' } };
  // Eleven per item: three for the loop, three for the variable, four sums and the comparison.
  const rule = { rule: 'self.all(x, x + x + x + 1 + 1 > 0)' };
  const text = `${at}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of ${factor} ${hint}`;
  expect(found(specOf(withRule(rule, schema)))).toEqual(factor === undefined ? [] : [text]);
});

test('many rules add up', () => {
  const costly = (): Json => ({ rule: 'self.all(x, x + x + x + 1 + 1 > 0)' });
  const schema = rootOf({
    type: 'array',
    maxItems: 800_000,
    items: { type: 'integer' },
    'x-kubernetes-validations': Array.from({ length: 12 }, costly),
  });
  const errors = found(specOf(schema));
  expect(errors.filter((each) => each.endsWith(share))).toHaveLength(4);
  expect(errors.at(-1)).toBe(`spec.validation.openAPIV3Schema: Forbidden: ${total} 1.056000x ${hint}`);
});

test('a default must keep its own rules', () => {
  const schema = { type: 'object', properties, default: { a: 1 } };
  expect(found(specOf(withRule({ rule: 'self.a > 0 && self.a == oldSelf.a' }, schema)))).toEqual([]);
  expect(found(specOf(withRule({ rule: 'self.a > 1' }, schema)))).toEqual([
    `${at}.default: Invalid value: "object": failed rule: self.a > 1`,
  ]);
});

test('versions that differ are named one by one', () => {
  const fine = withRule({ rule: 'self.a > 1' });
  expect(found(specOf(fine, withRule({ rule: '' })))).toEqual([
    'spec.versions[1].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Required value: rule is not specified',
  ]);
});

test('a large schema is checked in time', () => {
  const part = (i: number): readonly [string, Json] => [
    `f${i}`,
    {
      type: 'object',
      properties: { a: { type: 'integer' }, s: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a > 1 && self.s.startsWith('x') || has(self.a)" }],
    },
  ];
  const schema = rootOf({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => part(i))),
  });
  expect(found(specOf(schema))).toEqual([]);
}, 2000);
