import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { scalarShape, untypedShape, type FieldShape, type Shape } from '#kube/shape.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { duplicateFields, hasDuplicates } from './duplicate-fields.ts';
import { strictErrors, strictMessage, warningHeader } from './strict-errors.ts';

const configMap = shapeOfType('io.k8s.api.core.v1.ConfigMap');
const deployment = shapeOfType('io.k8s.api.apps.v1.Deployment');

const errorsOf = (text: string, shape: Shape, custom = false): readonly string[] =>
  strictErrors({ text, object: JSON.parse(text) as JsonObject, shape, custom });

function struct(fields: Readonly<Record<string, Shape>>, open = false): Shape {
  const map = new Map(
    Object.entries(fields).map(([name, shape]): [string, FieldShape] => [
      name,
      { shape: () => shape, patchStrategy: [], patchMergeKey: undefined },
    ]),
  );
  return {
    type: 'struct',
    atomic: false,
    open,
    field: (name) => map.get(name),
    fieldNames: () => [...map.keys()],
  };
}
const listOf = (item: Shape): Shape => ({
  type: 'list',
  list: 'atomic',
  keys: [],
  keyDefaults: {},
  item: () => item,
});

/** The shape of a small custom resource. */
const widget = struct({
  apiVersion: scalarShape,
  kind: scalarShape,
  metadata: struct({ name: scalarShape }),
  spec: struct({
    a: scalarShape,
    l: listOf(struct({ n: scalarShape })),
    free: struct({ known: scalarShape }, true),
    any: untypedShape,
  }),
});

describe('built-in kinds: in the order of the text', () => {
  test.for([
    {
      name: 'unknown and repeated members mixed; an unknown one is named once',
      text: '{"metadata":{"name":"n","labelz":{"a":"b"}},"data":{"k":"1","k":"2"},"unknown":1,"unknown":2}',
      errors: ['unknown field "metadata.labelz"', 'duplicate field "data.k"', 'unknown field "unknown"'],
    },
    { name: 'names are case-sensitive', text: '{"Data":{"a":"b"}}', errors: ['unknown field "Data"'] },
    {
      name: 'what is inside an unknown member does not count',
      text: '{"x":{"a":1,"a":2}}',
      errors: ['unknown field "x"'],
    },
    {
      name: 'a repeated struct',
      text: '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
      errors: ['duplicate field "metadata"'],
    },
    {
      name: 'names with escapes are the same names',
      text: '{"data":{"k\\u0041":"1","kA":"2"},"b\\"c":1}',
      errors: ['duplicate field "data.kA"', 'unknown field "b\\"c"'],
    },
    {
      name: 'nothing wrong',
      text: ' { "data" : { "a:b" : "\\"{:" , "c" : "\\\\" } , "immutable" : true } ',
      errors: [],
    },
    { name: 'a wrong type is not an unknown field', text: '{"data":[{"a":1}],"metadata":"x"}', errors: [] },
  ])('$name', ({ text, errors }) => {
    expect(errorsOf(text, configMap)).toEqual(errors);
  });

  test('paths go through lists', () => {
    const container = { name: 'c', imagePullpolicy: 'x', env: [{ name: 'a' }, { nam: 'x' }] };
    const object = { spec: { template: { spec: { containers: [container] } }, replica: 1 } };
    expect(errorsOf(JSON.stringify(object), deployment)).toEqual([
      'unknown field "spec.template.spec.containers[0].imagePullpolicy"',
      'unknown field "spec.template.spec.containers[0].env[1].nam"',
      'unknown field "spec.replica"',
    ]);
  });

  test('without a text only unknown members can be found', () => {
    expect(
      strictErrors({ text: undefined, object: { spec: { foo: 1 } }, shape: deployment, custom: false }),
    ).toEqual(['unknown field "spec.foo"']);
  });

  test('raw extensions are nobody’s business', () => {
    const revision = shapeOfType('io.k8s.api.apps.v1.ControllerRevision');
    expect(errorsOf('{"data":{"a":1,"a":2,"b":{}}}', revision)).toEqual([]);
  });

  test('there are at most a hundred', () => {
    const object = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1]));
    expect(errorsOf(JSON.stringify(object), configMap)).toHaveLength(100);
  });
});

describe('custom resources: repeated members first, then unknown ones sorted', () => {
  test.for([
    {
      name: 'everything at once',
      text: '{"metadata":{"name":"w","bogus":1},"spec":{"a":"1","a":"2","zz":1,"l":[{"n":"x","q":1}]},"top":1}',
      errors: [
        'duplicate field "spec.a"',
        'unknown field "metadata.bogus"',
        'unknown field "spec.l[0].q"',
        'unknown field "spec.zz"',
        'unknown field "top"',
      ],
    },
    {
      name: 'open structs keep what they do not know, but not twice',
      text: '{"spec":{"free":{"x":1,"y":{"z":1,"z":2}},"any":{"b":[{"c":1,"c":2}]}}}',
      errors: ['duplicate field "spec.free.y.z"', 'duplicate field "spec.any.b[0].c"'],
    },
    { name: 'nothing wrong', text: '{"spec":{"a":"1","free":{"x":{"a":1}},"any":[1]}}', errors: [] },
  ])('$name', ({ text, errors }) => {
    expect(errorsOf(text, widget, true)).toEqual(errors);
  });
});

test('the texts that a caller joins', () => {
  const errors = ['unknown field "spec.zz"', 'duplicate field "data.a"'];
  expect(strictMessage(errors)).toBe(
    'strict decoding error: unknown field "spec.zz", duplicate field "data.a"',
  );
  expect(warningHeader('unknown field "a\\b"')).toBe('299 - "unknown field \\"a\\\\b\\""');
});

describe('repeated members', () => {
  test('no JSON text that a printer makes has any', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(hasDuplicates(text, JSON.parse(text) as Json)).toBe(false);
        expect(duplicateFields(text, JSON.parse(text) as Json)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('one that is added is found at its place', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
        fc.nat(),
        (inner, pick) => {
          const names = Object.keys(inner);
          const name = names[pick % names.length] ?? '';
          const text = `{"list":[null,${JSON.stringify(inner).slice(0, -1)},${JSON.stringify(name)}:1}]}`;
          expect(duplicateFields(text, JSON.parse(text) as Json)).toEqual([`list[1].${name}`]);
        },
      ),
    );
  });

  test('a text nested without end neither hangs nor overflows', () => {
    const text = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    const parsed = JSON.parse(text) as JsonObject;
    expect(hasDuplicates(text, parsed)).toBe(false);
    expect(errorsOf(text.replace('{"a":[', '{"a":1,"a":['), configMap)).toEqual(['unknown field "a"']);
    expect(duplicateFields(text.replace('{"a":[', '{"a":1,"a":['), parsed)).toEqual(['a']);
  });
});
