import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { readRegistration } from '#registrations/read.ts';
import { renderInstance } from '#registrations/decide/render-instance.ts';
import { kuard, kuardSnapshot, kuardRegistration, registered } from '#registrations/decide/testing/kuard.ts';

const configured = (parameterConfiguration: JsonObject): JsonObject =>
  kuardRegistration({ workload: { parameterConfiguration } });

const pair = { name: 'spec.ref.name', key: 'spec.ref.key' };
const path = 'spec.ref';

/** What the spellings of April, May and June 2023 call the same. */
test.for<[string, readonly JsonObject[]]>([
  [
    'skip',
    [
      { customize: [{ path, render: { skip: true } }] },
      { fromSpec: [{ path, skip: true }] },
      { fromSpec: { skip: [{ path }] } },
    ],
  ],
  [
    'rename',
    [
      { customize: [{ path, render: { key: 'REF' } }] },
      { fromSpec: [{ path, toEnv: { name: 'REF' } }] },
      { fromSpec: { toEnv: [{ path, name: 'REF' }] } },
    ],
  ],
  [
    'a default',
    [
      { fromSpec: [{ path, toEnv: { defaultValue: 'v' } }] },
      { fromSpec: { toEnv: [{ path, defaultValue: 'v' }] } },
      { fromSpec: { toEnv: [{ path, default: { value: 'v' } }] } },
    ],
  ],
  [
    'a secret',
    [
      { customize: [{ path, render: { valueFromSecret: pair } }] },
      { fromSpec: [{ path, toEnv: { valueFromSecret: pair } }] },
      { fromSpec: { toEnv: [{ path, valueFrom: { secretPath: pair } }] } },
    ],
  ],
  [
    'a ConfigMap',
    [
      { customize: [{ path, render: { valueFromConfigMap: pair } }] },
      { fromSpec: [{ path, toEnv: { valueFromConfigMap: pair } }] },
      { fromSpec: { toEnv: [{ path, valueFrom: { configMapPath: pair } }] } },
    ],
  ],
  [
    'a function',
    [
      { customize: [{ path, render: { valueFromBuiltInFunc: { name: 'resolveAddress' } } }] },
      { fromSpec: [{ path, toEnv: { valueFromBuiltInFunc: { name: 'resolveAddress' } } }] },
      { fromSpec: { toEnv: [{ path, valueFrom: { builtInFunc: { name: 'resolveAddress' } } }] } },
    ],
  ],
  [
    'files',
    [
      {
        fromSpec: [
          {
            path,
            toVolume: {
              name: 'creds',
              mountPath: '/creds',
              valueFromSecret: {
                secretName: 'spec.ref.name',
                items: [{ key: 'spec.ref.key', path: 'file' }],
              },
            },
          },
        ],
      },
      {
        fromSpec: {
          toVolume: [
            {
              path,
              name: 'creds',
              mountPath: '/creds',
              mountFrom: {
                secretPath: { secretName: 'spec.ref.name', items: [{ key: 'spec.ref.key', path: 'file' }] },
              },
            },
          ],
        },
      },
    ],
  ],
  [
    'an added variable',
    [
      { addEnvs: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      { add: { toEnv: [{ name: 'POD', valueFrom: { field: { fieldPath: 'metadata.name' } } }] } },
    ],
  ],
])('%s is the same in every spelling', ([, spellings]) => {
  const [first, ...others] = spellings.map((each) => readRegistration(configured(each)));
  expect(first).toMatchObject({ type: 'registration', warnings: [] });
  for (const other of others) expect(other).toEqual(first);
});

test('everything about an element in one item, and several items', () => {
  const registration = registered({
    workload: {
      parameterConfiguration: {
        fromSpec: [
          { path: 'spec.variable1', toEnv: { name: 'ONE' } },
          { path: '$.spec.variable2', skip: true },
          { path: 'spec.more', toEnv: { name: 'MORE', defaultValue: 'some' } },
        ],
      },
    },
  });
  const rendered = renderInstance(
    kuardSnapshot({ registration, instance: kuard({ variable1: 'a', variable2: 'b' }) }),
  );
  expect(JSON.stringify(rendered)).toContain(
    '"env":[{"name":"MORE","value":"some"},{"name":"ONE","value":"a"}]',
  );
});

const field = 'spec.workload.parameterConfiguration.fromSpec';

test.for<[string, Json, string, RegExp]>([
  ['a text', 'spec.a', field, /an object or a list/],
  ['a misspelt member', { tpEnv: [] }, `${field}.tpEnv`, /skip, toEnv, toVolume/],
  ['an item that is none', [7], `${field}[0]`, /object/],
  ['an item without a path', [{ skip: true }], `${field}[0].path`, /Required/],
  ['a path outside spec', [{ path: 'status.a' }], `${field}[0].path`, /should match/],
  ['an unknown member of an item', [{ path: 'spec.a', hide: true }], `${field}[0].hide`, /not known/],
  [
    'the other spelling inside',
    [{ path: 'spec.a', toEnv: { valueFrom: {} } }],
    `${field}[0].toEnv.valueFrom`,
    /not known/,
  ],
  ['too many', Array.from({ length: 501 }, () => ({ path: 'spec.a' })), field, /at most 500/],
])('fromSpec: %s is refused with its field', ([, fromSpec, where, message]) => {
  const read = readRegistration(configured({ fromSpec }));
  expect(read.type === 'refused' && read.errors).toMatchObject([
    { field: where, message: expect.stringMatching(message) },
  ]);
});

const added = (toVolume: readonly JsonObject[], more: JsonObject = {}): JsonObject =>
  configured({ add: { toVolume }, ...more });

test('added files are mounted with their own names and keys', () => {
  const registration = registered({
    workload: {
      parameterConfiguration: {
        add: {
          toVolume: [
            { name: 'b', mountPath: '/b', mountFrom: { secret: { secretName: 's', optional: true } } },
            {
              name: 'a',
              mountPath: '/a',
              mountFrom: { configMap: { name: 'm', items: [{ key: 'k', path: 'f', mode: 256 }] } },
            },
          ],
        },
      },
    },
  });
  expect(renderInstance(kuardSnapshot({ registration, instance: kuard({}) }))).toMatchObject({
    children: {
      deployment: {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  volumeMounts: [
                    { name: 'a', mountPath: '/a' },
                    { name: 'b', mountPath: '/b' },
                  ],
                },
              ],
              volumes: [
                { name: 'a', configMap: { name: 'm', items: [{ key: 'k', path: 'f', mode: 256 }] } },
                { name: 'b', secret: { secretName: 's', optional: true } },
              ],
            },
          },
        },
      },
    },
  });
});

const volume = (name: string, mountPath: string): JsonObject => ({
  name,
  mountPath,
  mountFrom: { configMap: { name: 'm' } },
});

test.for<[string, JsonObject, RegExp]>([
  ['nothing to mount', added([{ name: 'a', mountPath: '/a', mountFrom: {} }]), /ConfigMap or a Secret/],
  ['one name twice', added([volume('a', '/a'), volume('a', '/b')]), /used by two volumes/],
  ['one place twice', added([volume('a', '/a'), volume('b', '/a')]), /used by another volume/],
  [
    'a name that a rule has too',
    added([volume('a', '/a')], {
      fromSpec: {
        toVolume: [
          { path, name: 'a', mountPath: '/b', mountFrom: { configMapPath: { name: 'spec.ref.name' } } },
        ],
      },
    }),
    /used by two volumes/,
  ],
])('volumes: %s is refused', ([, object, message]) => {
  const read = readRegistration(object);
  expect(read.type === 'refused' && read.errors).toMatchObject([
    { field: expect.stringMatching(/toVolume/), message: expect.stringMatching(message) },
  ]);
});
