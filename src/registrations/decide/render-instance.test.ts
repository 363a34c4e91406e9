import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { childName } from './children.ts';
import { neededReferences, referenceKey } from './references.ts';
import { renderInstance, type RenderedInstance } from './render-instance.ts';
import type { Registration } from '#registrations/model/registration.ts';
import { kuard, kuardSpec, registered, environment } from './testing/kuard.ts';

type World = { readonly objects?: readonly KubeObject[]; readonly instance?: KubeObject };

function render(
  registration: Registration,
  { objects = [], instance = kuard() }: World = {},
): RenderedInstance {
  const references = new Map(
    objects.map((object) => [
      referenceKey({
        apiVersion: object['apiVersion'] as string,
        kind: object['kind'] as string,
        namespace: at(object, 'metadata', 'namespace') as string,
        name: at(object, 'metadata', 'name') as string,
      }),
      object,
    ]),
  );
  return renderInstance({ registration, instance, environment, references });
}

function must(rendered: RenderedInstance): Extract<RenderedInstance, { type: 'rendered' }> {
  if (rendered.type === 'failed') throw new Error(rendered.message);
  return rendered;
}

const containerOf = (rendered: RenderedInstance): JsonObject => {
  const { deployment, ksvc } = must(rendered).children;
  const [container] = listAt(deployment ?? ksvc, 'spec', 'template', 'spec', 'containers');
  return container as JsonObject;
};
/** `NAME=value`, or `NAME<-{…}`. */
const envOf = (rendered: RenderedInstance): readonly string[] =>
  listAt(containerOf(rendered), 'env').map((each) => {
    const name = textAt(each, 'name') ?? '';
    const value = textAt(each, 'value');
    return value === undefined ? `${name}<-${JSON.stringify(at(each, 'valueFrom'))}` : `${name}=${value}`;
  });

const base = [
  'ARRAY=alpha,beta,gamma',
  'GROUP_VARIABLE3=false',
  'GROUP_VARIABLE4=42',
  'VARIABLE1=value 1',
  'VARIABLE2=value 2',
];
const parameters = (parameterConfiguration: JsonObject, more: JsonObject = {}): Registration =>
  registered({ workload: { parameterConfiguration, ...more } });

test('an integer of 64 bits becomes a variable with all its digits', () => {
  const spec = {
    one: 9_007_199_254_740_993n,
    many: [9_007_199_254_740_995n, 1],
    map: [{ a: 9_007_199_254_740_997n }],
  };
  const rendered = render(registered(), { instance: kuard(spec) });
  expect(envOf(rendered)).toEqual([
    'MANY=9007199254740995,1',
    'MAP=[{"a":9007199254740997}]',
    'ONE=9007199254740993',
  ]);
});

test('a Deployment and a Service', () => {
  const labels = {
    'app.kubernetes.io/name': 'kuard',
    'app.kubernetes.io/instance': 'my-kuard-extension',
    'app.kubernetes.io/component': 'workload',
  };
  const metadata = {
    name: 'kuard-my-kuard-extension',
    namespace: 'default',
    labels: {
      ...labels,
      'app.kubernetes.io/part-of': 'scoby-component',
      'app.kubernetes.io/managed-by': 'scoby-controller',
    },
    ownerReferences: [
      {
        apiVersion: 'extensions.triggermesh.io/v1',
        kind: 'Kuard',
        name: 'my-kuard-extension',
        uid: 'kuard-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  const rendered = render(registered());
  expect(envOf(rendered)).toEqual(base);
  const { env, ...container } = containerOf(rendered);
  expect(env).toHaveLength(5);
  expect(container).toEqual({
    name: 'adapter',
    image: 'gcr.io/kuar-demo/kuard-amd64:blue',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
  });
  expect(must(rendered).children).toEqual({
    deployment: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ ...container, env }] } },
      },
    },
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] },
    },
  });
});

test('a Service of Knative', () => {
  const knativeService = { minScale: 1, maxScale: 3, visibility: 'public' };
  const rendered = render(registered({ workload: { formFactor: { knativeService } } }));
  const { children } = must(rendered);
  expect(Object.keys(children)).toEqual(['ksvc']);
  expect(children.ksvc).toMatchObject({
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name: 'kuard-my-kuard-extension', labels: { 'networking.knative.dev/visibility': 'public' } },
    spec: {
      template: {
        metadata: {
          annotations: {
            'autoscaling.knative.dev/min-scale': '1',
            'autoscaling.knative.dev/max-scale': '3',
          },
        },
      },
    },
  });
  expect(envOf(rendered)).toEqual(base);
  const plain = must(render(registered({ workload: { formFactor: { knativeService: {} } } }))).children.ksvc;
  expect(at(plain, 'spec', 'template', 'metadata')).toBeUndefined();
  expect(Object.keys(at(plain, 'metadata', 'labels') as JsonObject)).toHaveLength(5);
});

test.for<[string, JsonObject]>([
  ['no formFactor', {}],
  ['an empty one', { formFactor: {} }],
  ['an empty deployment', { formFactor: { deployment: {} } }],
])('%s is a Deployment with one pod and no Service', ([, form]) => {
  const workload = { fromImage: { repo: 'kuard' }, ...form };
  const { children } = must(render(registered({ spec: { workload } })));
  expect(Object.keys(children)).toEqual(['deployment']);
  expect(at(children.deployment, 'spec', 'replicas')).toBe(1);
});

describe('variables', () => {
  test.for<[string, JsonObject, readonly string[]]>([
    ['skip', { fromSpec: { skip: [{ path: 'spec.variable2' }] } }, base.slice(0, 4)],
    [
      'A-03 (seed era)',
      { customize: [{ path: 'spec.variable2', render: { skip: true } }] },
      base.slice(0, 4),
    ],
    ['$. before a path', { fromSpec: { skip: [{ path: '$.spec.variable2' }] } }, base.slice(0, 4)],
    [
      'skip covers what is below',
      { fromSpec: { skip: [{ path: 'spec.group' }] } },
      ['ARRAY=alpha,beta,gamma', 'VARIABLE1=value 1', 'VARIABLE2=value 2'],
    ],
    [
      'rename',
      { fromSpec: { toEnv: [{ path: 'spec.variable2', name: 'KUARD_VARIABLE_TWO' }] } },
      [...base.slice(0, 3), 'KUARD_VARIABLE_TWO=value 2', base[3]!],
    ],
    [
      'A-04 (seed era)',
      { customize: [{ path: 'spec.variable2', render: { key: 'KUARD_VARIABLE_TWO' } }] },
      [...base.slice(0, 3), 'KUARD_VARIABLE_TWO=value 2', base[3]!],
    ],
    [
      'a default beside a value',
      { fromSpec: { toEnv: [{ path: 'spec.variable2', default: { value: 'new' } }] } },
      base,
    ],
    [
      'the value of the seed era counts always',
      { customize: [{ path: 'spec.variable2', render: { value: 'new' } }] },
      [...base.slice(0, 4), 'VARIABLE2=new'],
    ],
    [
      'an added variable',
      { add: { toEnv: [{ name: 'MY_POD_NAME', valueFrom: { field: { fieldPath: 'metadata.name' } } }] } },
      [
        ...base.slice(0, 3),
        'MY_POD_NAME<-{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}',
        ...base.slice(3),
      ],
    ],
    [
      'fieldRef (sample)',
      { addEnvs: [{ name: 'MY_POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      [
        ...base.slice(0, 3),
        'MY_POD_NAME<-{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}',
        ...base.slice(3),
      ],
    ],
    ['a prefix', { global: { defaultPrefix: 'KUARD_' } }, base.map((each) => `KUARD_${each}`)],
    [
      'given names have none',
      {
        global: { defaultPrefix: 'P_' },
        add: { toEnv: [{ name: 'X', value: 'y' }] },
        fromSpec: {
          skip: [{ path: 'spec.group' }, { path: 'spec.array' }],
          toEnv: [{ path: 'spec.variable1', name: 'ONE' }],
        },
      },
      ['ONE=value 1', 'P_VARIABLE2=value 2', 'X=y'],
    ],
    [
      'the instance counts more than added variables',
      { add: { toEnv: [{ name: 'VARIABLE1', value: 'added' }] } },
      base,
    ],
    [
      'a renamed object is there as JSON, and its members too',
      { fromSpec: { toEnv: [{ path: 'spec.group', name: 'GROUP' }] } },
      ['ARRAY=alpha,beta,gamma', 'GROUP={"variable3":false,"variable4":42}', ...base.slice(1)],
    ],
    [
      'facets of a path add up, and of one facet the last counts',
      {
        fromSpec: {
          toEnv: [
            { path: 'spec.x', name: 'A' },
            { path: 'spec.x', default: { value: '1' } },
            { path: 'spec.x', name: 'B' },
          ],
        },
      },
      [base[0]!, 'B=1', ...base.slice(1)],
    ],
    ['an added variable without value is none', { add: { toEnv: [{ name: 'X' }] } }, base],
    [
      'configMap before secret',
      {
        add: {
          toEnv: [
            {
              name: 'A',
              valueFrom: {
                secret: { name: 's', key: 'k' },
                configMap: { name: 'c', key: 'k', optional: true },
              },
            },
          ],
        },
      },
      ['A<-{"configMapKeyRef":{"name":"c","key":"k","optional":true}}', ...base],
    ],
  ])('%s', ([, configuration, expected]) => {
    expect(envOf(render(parameters(configuration)))).toEqual(expected);
  });

  const without2: JsonObject = { ...kuardSpec, variable2: null };
  test.for<[string, JsonObject]>([
    ['default.value', { default: { value: 'new' } }],
    ['defaultValue (v0.2 samples)', { defaultValue: 'new' }],
  ])('%s where there is no value', ([, rule]) => {
    const registration = parameters({ fromSpec: { toEnv: [{ path: 'spec.variable2', ...rule }] } });
    const { variable2: _gone, ...spec } = kuardSpec;
    const expected = [...base.slice(0, 4), 'VARIABLE2=new'];
    expect(envOf(render(registration, { instance: kuard(spec) }))).toEqual(expected);
    expect(envOf(render(registration, { instance: kuard(without2) }))).toEqual(expected);
  });

  test('a default may come from a secret, and an empty one is empty', () => {
    const rules = [
      { path: 'spec.a', default: { secret: { name: 's', key: 'k' } } },
      { path: 'spec.b', default: {} },
    ];
    expect(envOf(render(parameters({ fromSpec: { toEnv: rules } }), { instance: kuard({}) }))).toEqual([
      'A<-{"secretKeyRef":{"name":"s","key":"k"}}',
      'B=',
    ]);
  });

  test.for<[string, JsonObject]>([
    [
      'later',
      {
        fromSpec: {
          toEnv: [
            {
              path: 'spec.refToSecret',
              name: 'FOO_CREDENTIALS',
              valueFrom: {
                secretPath: { name: 'spec.refToSecret.secretName', key: 'spec.refToSecret.secretKey' },
              },
            },
          ],
        },
      },
    ],
    [
      'seed era',
      {
        customize: [
          {
            path: 'spec.refToSecret',
            render: {
              key: 'FOO_CREDENTIALS',
              valueFromSecret: { name: 'spec.refToSecret.secretName', key: '.spec.refToSecret.secretKey' },
            },
          },
        ],
      },
    ],
  ])('a secret (%s)', ([, configuration]) => {
    const instance = kuard({
      ...kuardSpec,
      refToSecret: { secretName: 'kuard-secret', secretKey: 'kuard-key' },
    });
    expect(envOf(render(parameters(configuration), { instance }))).toEqual([
      base[0],
      'FOO_CREDENTIALS<-{"secretKeyRef":{"name":"kuard-secret","key":"kuard-key"}}',
      ...base.slice(1),
    ]);
    expect(envOf(render(parameters(configuration)))).toEqual(base);
  });

  test('a ConfigMap, without a name', () => {
    const paths = { name: 'spec.refToConfigMap.configName', key: 'spec.refToConfigMap.configKey' };
    const rule = { path: 'spec.refToConfigMap', valueFrom: { configMapPath: paths } };
    const instance = kuard({
      ...kuardSpec,
      refToConfigMap: { configName: 'kuard-configmap', configKey: 'kuard-key' },
    });
    expect(envOf(render(parameters({ fromSpec: { toEnv: [rule] } }), { instance }))).toEqual([
      ...base.slice(0, 3),
      'REFTOCONFIGMAP<-{"configMapKeyRef":{"name":"kuard-configmap","key":"kuard-key"}}',
      ...base.slice(3),
    ]);
  });

  test('an element is not swallowed by another that begins alike', () => {
    const rule = {
      path: 'spec.foo',
      valueFrom: { secretPath: { name: 'spec.foo.name', key: 'spec.foo.key' } },
    };
    const instance = kuard({ foo: { name: 'n', key: 'k' }, fooBar: 'still here', 'foo-bar': 'and here' });
    expect(envOf(render(parameters({ fromSpec: { toEnv: [rule] } }), { instance }))).toEqual([
      'FOO<-{"secretKeyRef":{"name":"n","key":"k"}}',
      'FOO-BAR=and here',
      'FOOBAR=still here',
    ]);
  });

  test('an instance without a spec has added variables and defaults', () => {
    const registration = parameters({
      add: { toEnv: [{ name: 'ADDED', value: '1' }] },
      fromSpec: { toEnv: [{ path: 'spec.x', default: { value: '2' } }] },
    });
    const { spec: _none, ...bare } = kuard();
    expect(envOf(render(registration, { instance: bare }))).toEqual(['ADDED=1', 'X=2']);
  });

  test.for<[string, Json, string | undefined]>([
    ['a text', 'x y', 'x y'],
    ['an empty text', '', ''],
    ['true', true, 'true'],
    ['a whole number', 42, '42'],
    ['a fraction', 1.5, '1.5'],
    ['a list of texts', ['a', 'b'], 'a,b'],
    ['a list of anything but objects', [1, true, null, ['a', 'b']], '1,true,<nil>,[a b]'],
    ['a list with an object', ['a', { b: 1, a: 2 }], '["a",{"a":2,"b":1}]'],
    ['an empty list', [], ''],
    ['an empty object', {}, undefined],
    ['more than ten items', '0123456789ab'.split(''), '0,1,2,3,4,5,6,7,8,9,a,b'],
  ])('%s', ([, value, text]) => {
    const rendered = render(registered(), { instance: kuard({ v: value }) });
    expect(envOf(rendered)).toEqual(text === undefined ? [] : [`V=${text}`]);
  });

  test.for<[string, Json, JsonObject, RegExp]>([
    ['null', { a: null }, {}, /spec\.a is null/],
    ['a spec that is no object', 'x', {}, /spec is not an object/],
    ['a name that no container can have', { '1a': 'x' }, {}, /spec\.1a would become the variable "1A"/],
    ['a strange letter', { 'a b': 'x' }, {}, /"A B"/],
    [
      'a secret whose name is missing',
      { s: { key: 'k' } },
      {
        fromSpec: {
          toEnv: [{ path: 'spec.s', valueFrom: { secretPath: { name: 'spec.s.name', key: 'spec.s.key' } } }],
        },
      },
      /spec\.s\.name is missing/,
    ],
    [
      'a key that is no text',
      { s: { name: 'n', key: 7 } },
      {
        fromSpec: {
          toEnv: [{ path: 'spec.s', valueFrom: { secretPath: { name: 'spec.s.name', key: 'spec.s.key' } } }],
        },
      },
      /spec\.s\.key is not a string/,
    ],
    [
      'an address that is a text',
      { s: 'http://x' },
      { fromSpec: { toEnv: [{ path: 'spec.s', valueFrom: { builtInFunc: { name: 'resolveAddress' } } }] } },
      /spec\.s is not an address/,
    ],
    [
      'half a reference, though there is a URI',
      { s: { ref: { kind: 'Service' }, uri: 'http://x' } },
      { fromSpec: { toEnv: [{ path: 'spec.s', valueFrom: { builtInFunc: { name: 'resolveAddress' } } }] } },
      /spec\.s is not an address/,
    ],
    [
      'a ConfigMap of the controller that is not there',
      {},
      { add: { toEnv: [{ name: 'A', valueFromControllerConfigMap: { name: 'm', key: 'k' } }] } },
      /there is no ConfigMap triggermesh\/m/,
    ],
  ])('%s stops it', ([, spec, configuration, message]) => {
    expect(render(parameters(configuration), { instance: kuard(spec) })).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(message),
    });
  });

  test('a ConfigMap of the controller is read and written out', () => {
    const entry = { name: 'A', valueFromControllerConfigMap: { name: 'm', key: 'k' } };
    const optional = { name: 'B', valueFromControllerConfigMap: { name: 'm', key: 'none', optional: true } };
    const registration = parameters({ add: { toEnv: [entry, optional] } });
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'm', namespace: 'triggermesh' },
      data: { k: 'v' },
    };
    expect(envOf(render(registration, { objects: [map], instance: kuard({}) }))).toEqual(['A=v']);
    expect(neededReferences(registration, kuard({}), environment)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'triggermesh', name: 'm' },
    ]);
  });
});

test('an address, also in the status', () => {
  const registration = parameters(
    {
      fromSpec: {
        toEnv: [
          {
            path: 'spec.refToAddress',
            name: 'FOO_SINK',
            valueFrom: { builtInFunc: { name: 'resolveAddress' } },
          },
        ],
      },
    },
    { statusConfiguration: { add: [{ path: 'status.sinkUri', valueFrom: { path: 'spec.refToAddress' } }] } },
  );
  const instance = kuard({
    refToAddress: { ref: { apiVersion: 'v1', kind: 'Service', name: 'my-service' } },
  });
  const needed = neededReferences(registration, instance, environment);
  expect(needed).toEqual([{ apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'my-service' }]);
  expect(render(registration, { instance })).toMatchObject({
    type: 'failed',
    reason: 'ADDRESSUNRESOLVED',
    message: 'spec.refToAddress: there is no Service default/my-service',
  });
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'my-service', namespace: 'default' },
    spec: { ports: [{ port: 8080 }] },
  };
  const rendered = render(registration, { instance, objects: [service] });
  const url = 'http://my-service.default.svc.cluster.local:8080';
  expect(envOf(rendered)).toEqual([`FOO_SINK=${url}`]);
  expect(must(rendered).values.get('spec.refToAddress')).toBe(url);
});

test('volumes are in the order of their names', () => {
  const volume = (name: string) => ({
    path: `spec.${name}`,
    name,
    mountPath: `/opt/${name}`,
    mountFrom: {
      configMapPath: {
        name: `spec.${name}.map`,
        items: [{ key: `spec.${name}.key`, path: 'config', mode: 256 }],
      },
    },
  });
  const creds = {
    path: 'spec.creds',
    name: 'creds',
    mountPath: '/creds',
    mountFrom: { secretPath: { secretName: 'spec.creds.secret', defaultMode: 292, optional: true } },
  };
  const registration = parameters({ fromSpec: { toVolume: [volume('zeta'), creds, volume('alpha')] } });
  const element = (name: string) => ({ map: `${name}-map`, key: `${name}-key` });
  const instance = kuard({
    zeta: element('zeta'),
    alpha: element('alpha'),
    creds: { secret: 'kuard-secret' },
  });
  const rendered = render(registration, { instance });
  expect(at(must(rendered).children.deployment, 'spec', 'template', 'spec', 'volumes')).toEqual([
    {
      name: 'alpha',
      configMap: { name: 'alpha-map', items: [{ key: 'alpha-key', path: 'config', mode: 256 }] },
    },
    { name: 'creds', secret: { secretName: 'kuard-secret', defaultMode: 292, optional: true } },
    {
      name: 'zeta',
      configMap: { name: 'zeta-map', items: [{ key: 'zeta-key', path: 'config', mode: 256 }] },
    },
  ]);
  expect(containerOf(rendered)['volumeMounts']).toEqual([
    { name: 'alpha', mountPath: '/opt/alpha' },
    { name: 'creds', mountPath: '/creds' },
    { name: 'zeta', mountPath: '/opt/zeta' },
  ]);
  expect(envOf(rendered)).toEqual([]);
});

test.for<[string, string, RegExp]>([
  ['kuard', 'my-kuard', /^kuard-my-kuard$/],
  ['kuard', 'a'.repeat(57), /^kuard-a{57}$/],
  ['kuard', 'a'.repeat(58), /^kuard-a{46}-[0-9a-f]{10}$/],
  ['kuard', 'my.kuard', /^kuard-my-kuard-[0-9a-f]{10}$/],
  ['kuard', `${'a'.repeat(45)}-${'b'.repeat(30)}`, /^kuard-a{45}-[0-9a-f]{10}$/],
])('%s and %s', ([registration, instance, expected]) => {
  const name = childName(registration, instance);
  expect(name).toMatch(expected);
  expect(name.length).toBeLessThanOrEqual(63);
});

test('names that are cut stay apart', () => {
  const long = 'a'.repeat(100);
  expect(childName('kuard', `${long}1`)).not.toBe(childName('kuard', `${long}2`));
  expect(childName('kuard', 'my.kuard')).not.toBe(childName('kuard', 'my-kuard'));
});

const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,5}$/), tie('value'), { maxKeys: 4 }),
}));

test('rendering is the same however the members of a spec are ordered, and never throws', () => {
  const registration = parameters({
    fromSpec: {
      skip: [{ path: 'spec.a' }],
      toEnv: [
        { path: 'spec.b', name: 'RENAMED' },
        { path: 'spec.c.d', default: { value: '1' } },
      ],
    },
  });
  fc.assert(
    fc.property(json.object, (spec) => {
      const reversed = Object.fromEntries(Object.entries(spec).reverse());
      const first = render(registration, { instance: kuard(spec) });
      expect(JSON.stringify(render(registration, { instance: kuard(reversed) }))).toBe(JSON.stringify(first));
      if (first.type === 'failed') return;
      const names = envOf(first).map((each) => each.replace(/[=<].*$/s, ''));
      expect(names).toEqual([...names].sort());
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
