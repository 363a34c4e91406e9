import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { lintRegistration } from './lint-registration.ts';
import { hookSpec, kuardRegistration } from './testing/kuard.ts';

const text = { type: 'string' };
const crd = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'kuards.extensions.triggermesh.io' },
  spec: {
    group: 'extensions.triggermesh.io',
    scope: 'Namespaced',
    names: { kind: 'Kuard', plural: 'kuards' },
    versions: [
      { name: 'v1', served: true, schema: { openAPIV3Schema: { type: 'object', properties } }, ...more },
    ],
    ...more,
  },
});
const messages = (...given: Parameters<typeof lintRegistration>): readonly string[] =>
  lintRegistration(...given).map(({ severity, message }) => `${severity}: ${message}`);

test('a good registration has no findings', () => {
  expect(lintRegistration(kuardRegistration({ spec: { hook: hookSpec() } }))).toEqual([]);
});

test('what the server would refuse is an error with its field', () => {
  expect(
    lintRegistration(kuardRegistration({ spec: { hook: hookSpec({ capabilities: ['finalization'] }) } })),
  ).toEqual([
    {
      severity: 'error',
      path: 'spec.hook.capabilities[0]',
      message: expect.stringMatching(/"pre-reconcile", "post-reconcile", "finalize"/),
      hint: 'the phase of a deletion is called finalize',
    },
  ]);
});

test.for<[string, JsonObject, JsonObject, RegExp]>([
  [
    'conditions that never come',
    { capabilities: ['finalize'] },
    { statusConfiguration: { conditionsFromHook: [{ type: 'A' }] } },
    /Ready stays Unknown/,
  ],
  [
    'variables that never come',
    { capabilities: ['finalize'] },
    { parameterConfiguration: { addEnvsFromHook: ['*'] } },
    /cannot return variables/,
  ],
  [
    'a token in the open',
    { auth: { bearer: { name: 's', key: 'k' } } },
    {},
    /token is sent unencrypted over http/,
  ],
  [
    'a password in the open',
    { auth: { basic: { secretName: 's' } } },
    {},
    /password is sent unencrypted over http/,
  ],
  ['a name without an effect', { tls: { serverName: 'hook.example.com' } }, {}, /no certificate/],
  ['a certificate for nobody', { tls: { clientCertificate: { secretName: 's' } } }, {}, /not used over http/],
])('%s is a warning', ([, hook, workload, message]) => {
  expect(messages(kuardRegistration({ spec: { hook: hookSpec(hook) }, workload }))).toEqual([
    expect.stringMatching(message),
  ]);
});

test('with the CRD at hand: rules about elements that there are not, and a status without room', () => {
  const skip = ['spec.known.inner', 'spec.open.any', 'spec.map.x', 'spec.unknown', 'spec.known.other'];
  const registration = kuardRegistration({
    workload: { parameterConfiguration: { fromSpec: { skip: skip.map((path) => ({ path })) } } },
  });
  const spec = {
    type: 'object',
    properties: {
      known: { type: 'object', properties: { inner: text } },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      map: { type: 'object', additionalProperties: text },
    },
  };
  expect(messages(registration, crd({ spec }, { subresources: { status: {} } }))).toEqual([
    expect.stringMatching(/has no conditions/),
    expect.stringMatching(/spec\.unknown is not in the CRD's schema/),
    expect.stringMatching(/spec\.known\.other is not in the CRD's schema/),
  ]);
  expect(messages(kuardRegistration({}), crd({ spec }))).toEqual([
    expect.stringMatching(/no status subresource/),
  ]);
  expect(messages(kuardRegistration({}), crd({}, { scope: 'Cluster' }))).toEqual([
    expect.stringMatching(/^error: .*Namespaced/),
  ]);
});

test.for<[string, JsonObject, string, string | undefined]>([
  [
    'a slip of the pen',
    { hook: hookSpec({ capabilites: ['finalize'] }) },
    'spec.hook.capabilites',
    'capabilities',
  ],
  ['other capitals', { hook: hookSpec({ tls: { cabundle: 'x' } }) }, 'spec.hook.tls.cabundle', 'caBundle'],
  [
    'one in a list',
    {
      workload: {
        fromImage: { repo: 'x' },
        parameterConfiguration: { add: { toEnv: [{ name: 'A', vlaue: 'x' }] } },
      },
    },
    'spec.workload.parameterConfiguration.add.toEnv[0].vlaue',
    'value',
  ],
  ['one that is like no other', { colour: 'blue' }, 'spec.colour', undefined],
])('an unknown field is an error, and named: %s', ([, spec, path, meant]) => {
  const [first] = lintRegistration(kuardRegistration({ spec }));
  expect(first).toEqual({
    severity: 'error',
    path,
    message: 'is not a known field',
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
});

test('unknown fields are reported beside what the server would refuse', () => {
  const hook = hookSpec({ version: 3, capabilites: [] });
  expect(lintRegistration(kuardRegistration({ spec: { crd: 'kuards', hook } }))).toMatchObject([
    { path: 'spec.hook.capabilites' },
    { path: 'spec.crd', hint: expect.stringMatching(/plural\.group/) },
    { path: 'spec.hook.version', hint: 'write version: v1' },
  ]);
});

test.for<[string, JsonObject, RegExp]>([
  ['no capabilities', { hook: hookSpec({ capabilities: [] }) }, /never called/],
  [
    'a host beside a ref',
    { hook: hookSpec({ address: { uri: 'http://h:1/v1', ref: { kind: 'Service', name: 's' } } }) },
    /host is ignored/,
  ],
])('%s is a warning with its field', ([, spec, message]) => {
  expect(lintRegistration(kuardRegistration({ spec }))).toMatchObject([
    {
      severity: 'warning',
      path: expect.stringMatching(/^spec\.hook\./),
      message: expect.stringMatching(message),
    },
  ]);
});

test('two variables of one name, and a name that no variable has', () => {
  const parameterConfiguration = {
    add: { toEnv: [{ name: 'A', value: '' }] },
    fromSpec: {
      toEnv: [
        { path: 'spec.a', name: 'A' },
        { path: 'spec.b', name: 'B' },
      ],
    },
    addEnvsFromHook: ['GOOD', 'FOO_*'],
  };
  expect(
    messages(kuardRegistration({ spec: { hook: hookSpec() }, workload: { parameterConfiguration } })),
  ).toEqual([
    expect.stringMatching(/\$added\.A and spec\.a both become A/),
    expect.stringMatching(/"FOO_\*" is not a valid name of a variable/),
  ]);
});

test('with the CRD at hand: values that never come, and places that there are not', () => {
  const condition = Object.fromEntries(
    ['type', 'status', 'reason', 'message', 'lastTransitionTime'].map((name) => [name, text]),
  );
  const status = {
    type: 'object',
    properties: {
      sinkUri: text,
      conditions: { type: 'array', items: { type: 'object', properties: condition } },
    },
  };
  const spec = { type: 'object', properties: { sink: text } };
  const value = (path: string, from: string): JsonObject => ({ path, valueFrom: { path: from } });
  const registration = kuardRegistration({
    workload: {
      parameterConfiguration: {
        add: { toEnv: [{ name: 'A', value: '' }] },
        fromSpec: {
          toEnv: [{ path: 'spec.sink', valueFrom: { secretPath: { name: 'spec.sink', key: 'spec.key' } } }],
        },
      },
      statusConfiguration: {
        add: [
          value('status.sinkUri', 'spec.sink'),
          value('status.other', '$added.A'),
          value('status.sinkUri2', '$added.B'),
        ],
      },
    },
  });
  expect(messages(registration, crd({ spec, status }, { subresources: { status: {} } }))).toEqual([
    expect.stringMatching(/spec\.key is not in the CRD's schema/),
    expect.stringMatching(/status\.other is not in the CRD/),
    expect.stringMatching(/status\.sinkUri2 is not in the CRD/),
    expect.stringMatching(/\$added\.B is not a variable/),
  ]);
});

test('a Secret of the hook that is too short to be masked is a warning', () => {
  const auth = { bearer: { name: 'b', key: 'k' }, hmac: { name: 'h', key: 'k' } };
  const object = kuardRegistration({
    spec: { hook: hookSpec({ auth, address: { uri: 'https://127.0.0.1' } }) },
  });
  const secrets = ['b', 'h'].map((name) => ({
    kind: 'Secret',
    metadata: { name },
    stringData: { k: name === 'b' ? 'abc' : 'abcd' },
  }));
  expect(lintRegistration(object, undefined, secrets)).toEqual([
    expect.objectContaining({ severity: 'warning', path: 'spec.hook.auth.bearer' }),
  ]);
});
