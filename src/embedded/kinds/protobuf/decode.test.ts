import { describe, expect, test } from 'vitest';
import { block, body, double, entry, int, magic, text, type Bytes } from './testing/build.ts';
import { decodeProtobuf } from './decode.ts';

const decoded = (apiVersion: string, kind: string, ...fields: readonly Bytes[]): unknown =>
  decodeProtobuf(body(apiVersion, kind, ...fields)).object;

const named = (name: string): Bytes => block(1, text(1, name));
const metaOf = (name: string) => ({ name, creationTimestamp: null });

describe('a body becomes the JSON that a real server prints', () => {
  test('kind and apiVersion come from the envelope', () => {
    expect(decodeProtobuf(body('v1', 'ConfigMap', named('c')))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: metaOf('c') },
    });
  });

  test('maps of strings and of bytes, also with empty values', () => {
    const fields = [named('c'), entry(2, 'k', 'v'), entry(2, 'empty', ''), block(2, text(1, 'none'))];
    expect(decoded('v1', 'ConfigMap', ...fields, block(3, text(1, 'bin'), block(2, [0, 255])))).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: metaOf('c'),
      data: { k: 'v', empty: '', none: '' },
      binaryData: { bin: 'AP8=' },
    });
  });

  test('a map key that looks like the prototype stays a key', () => {
    const { object } = decodeProtobuf(body('v1', 'ConfigMap', entry(2, '__proto__', 'v')));
    expect(JSON.stringify(object['data'])).toBe('{"__proto__":"v"}');
  });

  test('structs that are not pointers are written even when absent, inlined ones are flat', () => {
    const probe = block(10, block(1, block(2, text(1, '/'), block(2, int(1, 0), int(2, 8080)))), int(2, 5));
    const container = block(2, text(1, 'c'), text(2, ''), probe);
    const volume = block(1, text(1, 'v'), block(2, block(2)));
    expect(decoded('v1', 'Pod', named('p'), block(2, volume, container))).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: metaOf('p'),
      spec: {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          {
            name: 'c',
            resources: {},
            livenessProbe: { httpGet: { path: '/', port: 8080 }, initialDelaySeconds: 5 },
          },
        ],
      },
      status: {},
    });
  });

  test.for([
    { name: 'a zero that was sent through a pointer is kept', fields: [int(1, 0)], spec: { replicas: 0 } },
    { name: 'a zero that is not a pointer is left out', fields: [int(5, 0), int(7, 0)], spec: {} },
    { name: 'a negative number', fields: [int(5, -3n)], spec: { minReadySeconds: -3 } },
    {
      name: 'unknown fields are passed over',
      fields: [int(99, 7), text(98, 'x'), double(97, 1), int(5, 2)],
      spec: { minReadySeconds: 2 },
    },
  ])('$name', ({ fields, spec }) => {
    expect(decoded('apps/v1', 'Deployment', block(2, ...fields))).toMatchObject({ spec });
    const rest = {
      selector: null,
      template: { metadata: { creationTimestamp: null }, spec: { containers: null } },
      strategy: {},
    };
    expect(decoded('apps/v1', 'Deployment', block(2, ...fields))).toHaveProperty('spec', {
      ...rest,
      ...spec,
    });
  });

  test('packed and unpacked lists of numbers are the same', () => {
    const groups = { spec: { securityContext: { supplementalGroups: [128, 5] } } };
    expect(decoded('v1', 'Pod', block(2, block(14, block(4, [0x80, 0x01, 5]))))).toMatchObject(groups);
    expect(decoded('v1', 'Pod', block(2, block(14, int(4, 128), int(4, 5))))).toMatchObject(groups);
  });

  test('times to the second and to the microsecond', () => {
    const at = (number: number): Bytes => block(number, int(1, 1_577_836_800), int(2, 123_456_789));
    expect(decoded('coordination.k8s.io/v1', 'Lease', block(1, at(8)), block(2, at(4)))).toMatchObject({
      metadata: { creationTimestamp: '2020-01-01T00:00:00Z' },
      spec: { renewTime: '2020-01-01T00:00:00.123456Z' },
    });
  });

  test('quantities, numbers or texts, and numbers beyond 32 bits', () => {
    const limits = block(1, text(1, 'cpu'), block(2, text(1, '1500m')));
    const container = block(2, text(1, 'c'), block(8, limits));
    expect(decoded('v1', 'Pod', block(2, container, int(4, 2 ** 40)))).toMatchObject({
      spec: {
        containers: [{ resources: { limits: { cpu: '1500m' } } }],
        terminationGracePeriodSeconds: 2 ** 40,
      },
    });
    const rolling = block(2, block(1, int(1, 1), int(2, 0), text(3, '25%')), block(2, int(2, 3)));
    expect(decoded('apps/v1', 'Deployment', block(2, block(4, rolling)))).toMatchObject({
      spec: { strategy: { rollingUpdate: { maxUnavailable: '25%', maxSurge: 3 } } },
    });
  });

  test('embedded JSON, and embedded objects in an envelope of their own', () => {
    const inner = body('v1', 'ConfigMap', named('c'));
    const list = decoded(
      'v1',
      'List',
      block(2, text(1, '{"a":[1]}')),
      block(2, block(1, [...inner])),
      block(2),
    );
    expect(list).toEqual({
      kind: 'List',
      apiVersion: 'v1',
      metadata: {},
      items: [{ a: [1] }, { kind: 'ConfigMap', apiVersion: 'v1', metadata: metaOf('c') }, null],
    });
  });

  test('schemas: either a schema, a list or a boolean', () => {
    const schema = (...fields: readonly Bytes[]): Bytes => block(2, block(7, block(4, block(1, ...fields))));
    const typed = (name: string): Bytes => text(5, name);
    const object = decoded(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      schema(
        double(9, 1.5),
        block(24, block(1, typed('string'))),
        block(30, int(1, 1)),
        block(33, block(2, typed('object'))),
        block(32, text(1, 'd'), block(2, text(2, 'a'), text(2, 'b'))),
        block(20, block(1, [...new TextEncoder().encode('"x"')])),
      ),
    );
    expect(object).toHaveProperty('spec.versions', [
      {
        name: '',
        served: false,
        storage: false,
        schema: {
          openAPIV3Schema: {
            maximum: 1.5,
            enum: ['x'],
            items: { type: 'string' },
            additionalProperties: true,
            dependencies: { d: ['a', 'b'] },
            additionalItems: { type: 'object' },
          },
        },
      },
    ]);
  });

  test('lists that protobuf wraps', () => {
    const extra = block(5, text(1, 'scopes'), block(2, text(1, 'a'), text(1, 'b')));
    expect(
      decoded('authorization.k8s.io/v1', 'SubjectAccessReview', block(2, text(3, 'me'), extra)),
    ).toMatchObject({
      spec: { user: 'me', extra: { scopes: ['a', 'b'] } },
      status: { allowed: false },
    });
  });

  test('a body that names no kind is taken for the expected one', () => {
    const expected = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(decodeProtobuf(body('', '', entry(2, 'k', 'v')), expected)).toMatchObject({
      ...expected,
      object: { data: { k: 'v' } },
    });
    expect(decodeProtobuf(body('v1', 'Secret'), expected)).toMatchObject({ kind: 'Secret' });
  });
});

describe('what cannot be read is refused in one way', () => {
  const nested = (levels: number): Bytes => (levels === 0 ? [] : block(28, nested(levels - 1)));
  const crd = (schema: Bytes): Uint8Array =>
    body(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      block(2, block(7, block(4, block(1, schema)))),
    );
  const many = (count: number): Bytes => Array.from({ length: count }, () => [0x12, 0]).flat();

  test.for([
    { name: 'nothing', bytes: new Uint8Array(), fault: 'empty', message: 'empty data' },
    {
      name: 'something else',
      bytes: new TextEncoder().encode('garbage'),
      fault: 'prefix',
      message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    },
    {
      name: 'a kind that is not built in',
      bytes: body('example.com/v1', 'Widget'),
      fault: 'kind',
      message: 'no kind "Widget" is registered for version "example.com/v1"',
    },
    {
      name: 'a part of a kind',
      bytes: body('v1', 'Container'),
      fault: 'kind',
      message: 'no kind "Container" is registered for version "v1"',
    },
    {
      name: 'a length beyond the end',
      bytes: new Uint8Array([...magic, 0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]),
      fault: 'malformed',
      message: 'proto: a length of 4294967295 exceeds the data',
    },
    {
      name: 'a negative length',
      bytes: new Uint8Array([...magic, 0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
      fault: 'malformed',
      message: 'proto: a length of -1 exceeds the data',
    },
    {
      name: 'a number without an end',
      bytes: new Uint8Array([...magic, ...Array.from({ length: 11 }, () => 0xff)]),
      fault: 'malformed',
      message: 'proto: a number has more than ten bytes',
    },
    {
      name: 'the wrong wire type',
      bytes: body('v1', 'ConfigMap', int(2, 1)),
      fault: 'malformed',
      message: 'proto: wrong wire type 0 for field data',
    },
    {
      name: 'an illegal wire type',
      bytes: body('v1', 'ConfigMap', [0x7b]),
      fault: 'malformed',
      message: 'proto: illegal wire type 3',
    },
    {
      name: 'field number zero',
      bytes: body('v1', 'ConfigMap', [0x02, 0x00]),
      fault: 'malformed',
      message: 'proto: illegal field number 0',
    },
    {
      name: 'a time beyond the calendar',
      bytes: body('v1', 'ConfigMap', block(1, block(8, int(1, 2n ** 60n)))),
      fault: 'malformed',
      message: 'proto: a time of 1152921504606847000 seconds and 0 nanoseconds is out of range',
    },
    {
      name: 'nesting without end',
      bytes: crd(nested(120)),
      fault: 'malformed',
      message: 'proto: messages are nested deeper than 100 levels',
    },
    {
      name: 'a flood of empty messages',
      bytes: body('v1', 'Pod', block(2, many(260_000))),
      fault: 'malformed',
      message: 'proto: there are more than 250000 messages',
    },
    {
      name: 'a compressed object',
      bytes: new Uint8Array([...magic, ...block(1, text(1, 'v1'), text(2, 'Pod')), ...text(3, 'gzip')]),
      fault: 'malformed',
      message: 'proto: content encoding gzip is not supported',
    },
  ])('$name', ({ bytes, fault, message }) => {
    expect(() => decodeProtobuf(bytes)).toThrow(
      expect.objectContaining({ name: 'ProtobufError', fault, message }),
    );
  });

  test('embedded JSON that is not JSON', () => {
    const bytes = body('v1', 'List', block(2, text(1, '{')));
    expect(() => decodeProtobuf(bytes)).toThrow(/^proto: embedded JSON cannot be read/);
  });

  test('envelopes within envelopes', () => {
    const wrap = (levels: number): Uint8Array =>
      levels === 0 ? body('v1', 'ConfigMap') : body('v1', 'List', block(2, block(1, [...wrap(levels - 1)])));
    expect(decodeProtobuf(wrap(3)).kind).toBe('List');
    expect(() => decodeProtobuf(wrap(4))).toThrow('proto: objects are nested deeper than 4 envelopes');
  });
});
