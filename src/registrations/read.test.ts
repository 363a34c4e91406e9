import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { readRegistration } from './read.ts';
import { hookSpec, kuardRegistration, mustRead, registered } from '#registrations/decide/testing/kuard.ts';

const paths = { name: 'spec.s.name', key: 'spec.s.key' };

test('both dialects are read into the same form', () => {
  const seedEra = registered({
    workload: {
      parameterConfiguration: {
        addEnvs: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
          { name: 'D', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        customize: [
          { path: 'spec.skipped', render: { skip: true } },
          { path: 'spec.renamed', render: { key: 'NAME' } },
          { path: 'spec.s', render: { valueFromSecret: paths } },
          { path: 'spec.c', render: { valueFromConfigMap: paths } },
          { path: 'spec.sink', render: { key: 'K_SINK', valueFromBuiltInFunc: { name: 'resolveAddress' } } },
        ],
      },
      statusConfiguration: {
        addElements: [{ path: 'status.sinkUri', render: { valueFromParameter: { path: 'spec.sink' } } }],
      },
    },
  });
  const later = registered({
    workload: {
      parameterConfiguration: {
        add: {
          toEnv: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { secret: { name: 's', key: 'k' } } },
            { name: 'C', valueFrom: { configMap: { name: 'c', key: 'k' } } },
            { name: 'D', valueFrom: { field: { fieldPath: 'metadata.name' } } },
          ],
        },
        fromSpec: {
          skip: [{ path: 'spec.skipped' }],
          toEnv: [
            { path: 'spec.renamed', name: 'NAME' },
            { path: 'spec.s', valueFrom: { secretPath: paths } },
            { path: 'spec.c', valueFrom: { configMapPath: paths } },
            { path: 'spec.sink', name: 'K_SINK', valueFrom: { builtInFunc: { name: 'resolveAddress' } } },
          ],
        },
      },
      statusConfiguration: { add: [{ path: '$.status.sinkUri', valueFrom: { path: '.spec.sink' } }] },
    },
  });
  expect({ ...later, rules: [...later.rules] }).toEqual({
    ...seedEra,
    rules: [...seedEra.rules].filter(([, rule]) => Object.keys(rule).length > 0),
  });
});

test('omitted fields have their defaults', () => {
  expect(registered({ spec: { hook: hookSpec() } })).toMatchObject({
    name: 'kuard',
    generation: 3,
    concurrency: 5,
    resyncPeriod: 36_000_000,
    hook: {
      timeout: 15_000,
      payload: 'reference',
      maxReplyBytes: 1_048_576,
      strict: false,
      finalizeTimeout: undefined,
    },
  });
});

test.for<[string, JsonObject, string]>([
  ['a timeout of 0', { timeout: 'PT0S' }, 'spec.hook.timeout'],
  ['a timeout that is too long', { timeout: 'PT61S' }, 'spec.hook.timeout'],
  ['a timeout that is too short', { timeout: '50ms' }, 'spec.hook.timeout'],
  ['a span that only looks like one', { timeout: 'P1.5DT1H' }, 'spec.hook.timeout'],
  ['a resync that never comes', { resyncPeriod: 'P1Y' }, 'spec.hook.resyncPeriod'],
  ['a URI that cannot be read', { address: { uri: 'http://[' } }, 'spec.hook.address.uri'],
  ['half a URI', { address: { uri: '/v1' } }, 'spec.hook.address.uri'],
  ['a pointer that is none', { protectedFields: ['spec.replicas'] }, 'spec.hook.protectedFields[0]'],
])('%s is refused', ([, hook, field]) => {
  expect(readRegistration(kuardRegistration({ spec: { hook: hookSpec(hook) } }))).toMatchObject({
    type: 'refused',
    errors: [{ field }],
  });
});

const volume = (name: string, mountFrom: JsonObject = { secretPath: { secretName: 'spec.a.s' } }) => ({
  path: `spec.${name}`,
  name: 'v',
  mountPath: '/v',
  mountFrom,
});
test.for<[string, JsonObject]>([
  ['two volumes of one name', { fromSpec: { toVolume: [volume('a'), volume('b')] } }],
  ['a volume of nothing', { fromSpec: { toVolume: [volume('a', {})] } }],
  [
    'a variable and files of one element',
    { fromSpec: { toVolume: [volume('a')], toEnv: [{ path: 'spec.a', name: 'A' }] } },
  ],
])('%s is refused', ([, parameterConfiguration]) => {
  expect(readRegistration(kuardRegistration({ workload: { parameterConfiguration } }))).toMatchObject({
    type: 'refused',
  });
});

test('a status element is written once', () => {
  const add = [
    { path: 'status.a', valueFrom: { path: 'spec.a' } },
    { path: 'status.a.b', valueFrom: { path: 'spec.b' } },
  ];
  expect(readRegistration(kuardRegistration({ workload: { statusConfiguration: { add } } }))).toMatchObject({
    type: 'refused',
  });
});

test('a name that no Service can have', () => {
  expect(readRegistration(kuardRegistration({ name: '1kuard' }))).toMatchObject({
    errors: [{ field: 'metadata.name' }],
  });
  const bare = { formFactor: { deployment: {} } };
  expect(mustRead(kuardRegistration({ name: '1kuard', workload: bare })).name).toBe('1kuard');
});

test('warnings: unknown fields, a hook that is never called, a host that is ignored', () => {
  const address = { uri: 'http://host/v1', ref: { kind: 'Service', name: 's' } };
  const read = readRegistration(
    kuardRegistration({ spec: { hook: hookSpec({ capabilities: [], address }), strange: 1 } }),
  );
  expect(read).toMatchObject({
    type: 'registration',
    warnings: [
      expect.stringMatching(/spec\.strange/),
      expect.stringMatching(/never called/),
      expect.stringMatching(/host of spec\.hook\.address\.uri is ignored/),
    ],
  });
  const quiet = hookSpec({ address: { ...address, uri: 'http://:8080/v1' } });
  expect(readRegistration(kuardRegistration({ spec: { hook: quiet } }))).toMatchObject({ warnings: [] });
});
