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
    /give no variables/,
  ],
  ['a token in the open', { auth: { bearer: { name: 's', key: 'k' } } }, {}, /plain http/],
  [
    'a certificate for nobody',
    { tls: { clientCertificate: { secretName: 's' } } },
    {},
    /not shown over plain http/,
  ],
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
    expect.stringMatching(/spec\.unknown is no element/),
    expect.stringMatching(/spec\.known\.other is no element/),
  ]);
  expect(messages(kuardRegistration({}), crd({ spec }))).toEqual([
    expect.stringMatching(/no status subresource/),
  ]);
  expect(messages(kuardRegistration({}), crd({}, { scope: 'Cluster' }))).toEqual([
    expect.stringMatching(/^error: .*Namespaced/),
  ]);
});
