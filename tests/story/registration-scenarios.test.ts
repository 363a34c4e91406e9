import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { labelsOf, uidOf } from '#kube/object.ts';
import { baseEnv, definition, kuard, registration, usualSpec } from '../support/kuard.ts';
import {
  conditionsOf,
  configMaps,
  containerOf,
  definitions,
  deployments,
  envOf,
  knativeServices,
  kuards,
  messageOf,
  openRegistrationWorld,
  registrations,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';

const ready = async (world: RegistrationWorld, name = 'kuard'): Promise<void> => {
  await world.until(
    async () => conditionsOf(await world.get(registrations, name))['Ready'] === 'True CONDITIONSOK',
  );
};

/** The definition, a registration with this configuration, and an instance. */
async function openWith(
  wish: Parameters<typeof registration>[0] = {},
  spec: JsonObject = usualSpec,
): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration(wish));
  await world.make(kuards, kuard(spec));
  await world.settle();
  return world;
}

test('a kind without status becomes a workload, and no status is written', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition({ hasStatus: false }));
  await world.make(registrations, registration({ name: 'kuards' }));
  await world.make(kuards, kuard({ primer: 'Hello World!' }, 'primer-instance'));
  await ready(world, 'kuards');
  const deployment = await world.get(deployments, 'kuards-primer-instance');
  expect(envOf(deployment)).toEqual({ PRIMER: 'Hello World!' });
  const service = await world.get(services, 'kuards-primer-instance');
  expect(listAt(service, 'spec', 'ports')).toMatchObject([{ port: 80, targetPort: 8080, protocol: 'TCP' }]);
  expect((await world.instance('primer-instance'))['status']).toBeUndefined();
  expect(
    world.writes.filter(({ path }) => path.includes('triggermesh.io/v1/namespaces/default/kuards/')),
  ).toEqual([]);
  for (const [of, name] of [
    [kuards, 'primer-instance'],
    [registrations, 'kuards'],
    [definitions, 'kuards.extensions.triggermesh.io'],
  ] as const)
    await world.remove(of, name);
  await world.until(async () => (await world.get(deployments, 'kuards-primer-instance')) === undefined);
  expect(await world.get(registrations, 'kuards')).toBeUndefined();
  expect(await world.get(services, 'kuards-primer-instance')).toBeUndefined();
  expect(await world.get(definitions, 'kuards.extensions.triggermesh.io')).toBeUndefined();
});

test('an instance becomes a Deployment and a Service, and reports it', async () => {
  await using world = await openWith();
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  const instance = await world.instance();
  const deployment = await world.get(deployments, child);
  const service = await world.get(services, child);
  const labels = {
    'app.kubernetes.io/name': 'kuard',
    'app.kubernetes.io/instance': 'my-kuard',
    'app.kubernetes.io/component': 'workload',
  };
  for (const object of [deployment, service])
    expect(object).toMatchObject({
      metadata: {
        labels: {
          ...labels,
          'app.kubernetes.io/part-of': 'scoby-component',
          'app.kubernetes.io/managed-by': 'scoby-controller',
        },
        ownerReferences: [
          {
            apiVersion: 'extensions.triggermesh.io/v1',
            kind: 'Kuard',
            name: 'my-kuard',
            uid: uidOf(instance),
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    });
  expect(deployment).toMatchObject({
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
  });
  expect(containerOf(deployment)).toMatchObject({
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
  });
  expect(Object.entries(envOf(deployment))).toEqual(Object.entries(baseEnv));
  expect(instance).toMatchObject({
    status: { address: { url: `http://${child}.default.svc.cluster.local` }, observedGeneration: 1 },
  });
  expect(conditionsOf(instance)).toEqual({
    DeploymentReady: 'True MinimumReplicasAvailable',
    Ready: 'True CONDITIONSOK',
    ServiceReady: 'True ServiceExist',
  });
  await world.remove(kuards, 'my-kuard');
  await world.until(async () => (await world.get(deployments, child)) === undefined);
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined);
});

const knative = (): JsonObject => {
  const base = definition({
    plural: 'services',
    kind: 'Service',
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  });
  return {
    ...base,
    metadata: { name: 'services.serving.knative.dev' },
    spec: {
      ...(base['spec'] as JsonObject),
      group: 'serving.knative.dev',
      names: { plural: 'services', singular: 'service', kind: 'Service', listKind: 'ServiceList' },
    },
  };
};

test('a Knative Service, whose state and address are passed on', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, knative());
  await world.make(definitions, definition());
  const formFactor = { knativeService: { minScale: 1, maxScale: 3, visibility: 'public' } };
  await world.make(registrations, registration({ formFactor }));
  await world.make(kuards, kuard());
  await ready(world);
  const service = await world.get(knativeServices, child);
  expect(labelsOf(service ?? {})).toMatchObject({ 'networking.knative.dev/visibility': 'public' });
  expect(objectAt(service, 'spec', 'template', 'metadata', 'annotations')).toEqual({
    'autoscaling.knative.dev/min-scale': '1',
    'autoscaling.knative.dev/max-scale': '3',
  });
  expect(envOf(service)).toEqual(baseEnv);
  expect(conditionsOf(await world.instance())['KnativeServiceReady']).toMatch(/^Unknown/);
  const status = {
    address: { url: 'http://elsewhere.example' },
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  await world.client.updateStatus(knativeServices, { ...service, status }, new AbortController().signal);
  await world.settle();
  const instance = await world.instance();
  expect(conditionsOf(instance)).toEqual({
    KnativeServiceReady: 'True KNSERVICEOK',
    Ready: 'True CONDITIONSOK',
  });
  expect(textAt(instance, 'status', 'address', 'url')).toBe('http://elsewhere.example');
});

const without = (...names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(baseEnv).filter(([name]) => !names.includes(name)));
const reference = (kind: 'secret' | 'configMap', name: string): JsonObject => ({
  [`${kind}KeyRef`]: { name, key: 'kuard-key' },
});

test.for<{
  readonly name: string;
  readonly parameters: JsonObject;
  readonly spec?: JsonObject;
  readonly env: unknown;
}>([
  {
    name: 'a skipped element',
    parameters: { fromSpec: { skip: [{ path: 'spec.variable2' }] } },
    env: without('VARIABLE2'),
  },
  {
    name: 'a renamed one',
    parameters: { fromSpec: { toEnv: [{ path: 'spec.variable2', name: 'KUARD_VARIABLE_TWO' }] } },
    env: { ...without('VARIABLE2'), KUARD_VARIABLE_TWO: 'value 2' },
  },
  {
    name: 'a default for one that is missing',
    parameters: {
      fromSpec: { toEnv: [{ path: 'spec.variable2', default: { value: 'new variable2 value' } }] },
    },
    spec: { variable1: 'value 1' },
    env: { VARIABLE1: 'value 1', VARIABLE2: 'new variable2 value' },
  },
  {
    name: 'and not for one that is there',
    parameters: { fromSpec: { toEnv: [{ path: 'spec.variable2', defaultValue: 'new variable2 value' }] } },
    env: baseEnv,
  },
  {
    name: 'a Secret',
    parameters: {
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
    spec: { ...usualSpec, refToSecret: { secretName: 'kuard-secret', secretKey: 'kuard-key' } },
    env: { ...baseEnv, FOO_CREDENTIALS: reference('secret', 'kuard-secret') },
  },
  {
    name: 'a ConfigMap',
    parameters: {
      fromSpec: {
        toEnv: [
          {
            path: 'spec.refToConfigMap',
            valueFrom: {
              configMapPath: { name: 'spec.refToConfigMap.configName', key: 'spec.refToConfigMap.configKey' },
            },
          },
        ],
      },
    },
    spec: { ...usualSpec, refToConfigMap: { configName: 'kuard-configmap', configKey: 'kuard-key' } },
    env: { ...baseEnv, REFTOCONFIGMAP: reference('configMap', 'kuard-configmap') },
  },
  {
    name: 'an added one',
    parameters: {
      add: { toEnv: [{ name: 'MY_POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
    },
    env: { ...baseEnv, MY_POD_NAME: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  },
  {
    name: 'a prefix',
    parameters: { global: { defaultPrefix: 'KUARD_' } },
    env: Object.fromEntries(Object.entries(baseEnv).map(([name, value]) => [`KUARD_${name}`, value])),
  },
])('$name, sorted by name, and written once', async ({ parameters, spec, env }) => {
  await using world = await openWith({ parameters }, spec);
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  const found = envOf(await world.get(deployments, child));
  expect(found).toEqual(env);
  expect(Object.keys(found)).toEqual(Object.keys(found).toSorted());
  const applies = world.writes.filter(
    ({ method, path }) => method === 'PATCH' && path.includes('/deployments/'),
  );
  expect(applies).toHaveLength(1);
});

test('an address is resolved with its port, and the instance waits for it without being touched', async () => {
  const parameters = {
    fromSpec: {
      toEnv: [
        {
          path: 'spec.refToAddress',
          name: 'FOO_SINK',
          valueFrom: { builtInFunc: { name: 'resolveAddress' } },
        },
      ],
    },
  };
  const status = { add: [{ path: 'status.sinkUri', valueFrom: { path: 'spec.refToAddress' } }] };
  const spec = {
    ...usualSpec,
    refToAddress: { ref: { apiVersion: 'v1', kind: 'Service', name: 'my-service' } },
  };
  await using world = await openWith({ parameters, status }, spec);
  await ready(world);
  expect(await world.get(deployments, child)).toBeUndefined();
  expect(conditionsOf(await world.instance())['Ready']).not.toMatch(/^True/);
  expect(messageOf(await world.instance(), 'Reconciled')).toContain('my-service');
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'my-service', namespace: 'default' },
    spec: { ports: [{ port: 8080 }] },
  });
  await world.settle();
  const url = 'http://my-service.default.svc.cluster.local:8080';
  expect(envOf(await world.get(deployments, child))['FOO_SINK']).toBe(url);
  expect(textAt(await world.instance(), 'status', 'sinkUri')).toBe(url);
  await world.patch(services, 'my-service', { spec: { ports: [{ port: 9090 }] } });
  await world.settle();
  expect(textAt(await world.instance(), 'status', 'sinkUri')).toBe(
    'http://my-service.default.svc.cluster.local:9090',
  );
});

const common = [
  { name: 'NAMESPACE', valueFrom: { field: { fieldPath: 'metadata.namespace' } } },
  { name: 'K_METRICS_CONFIG', value: '{}' },
  { name: 'K_LOGGING_CONFIG', value: '{}' },
];
const named = (path: string, name: string): JsonObject => ({ path, name });
const secret = (path: string, name: string): JsonObject => ({
  path,
  name,
  valueFrom: { secretPath: { name: `${path}.valueFromSecret.name`, key: `${path}.valueFromSecret.key` } },
});
const sink = { path: 'spec.sink', name: 'K_SINK', valueFrom: { builtInFunc: { name: 'resolveAddress' } } };
const fromSecret = (name: string): JsonObject => ({ valueFromSecret: { name, key: 'key' } });
const sinkSpec = { ref: { apiVersion: 'v1', kind: 'Service', name: 'sink' } };
const sinkUrl = 'http://sink.default.svc.cluster.local';
const keyRef = (name: string): JsonObject => ({ secretKeyRef: { name, key: 'key' } });
const everywhere = {
  NAMESPACE: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
  K_METRICS_CONFIG: '{}',
  K_LOGGING_CONFIG: '{}',
};

test.for([
  {
    plural: 'webhooksources',
    formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
    parameters: {
      global: { defaultPrefix: 'WEBHOOK_' },
      fromSpec: {
        toEnv: [
          named('spec.eventType', 'WEBHOOK_EVENT_TYPE'),
          secret('spec.basicAuthPassword', 'WEBHOOK_BASICAUTH_PASSWORD'),
          named('spec.eventExtensionAttributes.from', 'WEBHOOK_EVENT_EXTENSION_ATTRIBUTES_FROM'),
          named('spec.corsAllowOrigin', 'WEBHOOK_CORS_ALLOW_ORIGIN'),
          sink,
        ],
      },
    },
    spec: {
      eventType: 'hello',
      basicAuthPassword: fromSecret('foo'),
      eventExtensionAttributes: { from: ['path', 'queries'] },
      corsAllowOrigin: '*',
      sink: sinkSpec,
    },
    env: {
      WEBHOOK_EVENT_TYPE: 'hello',
      WEBHOOK_BASICAUTH_PASSWORD: keyRef('foo'),
      WEBHOOK_EVENT_EXTENSION_ATTRIBUTES_FROM: 'path,queries',
      WEBHOOK_CORS_ALLOW_ORIGIN: '*',
      K_SINK: sinkUrl,
    },
  },
  {
    plural: 'kafkasources',
    formFactor: { deployment: { replicas: 1 } },
    parameters: {
      fromSpec: {
        toEnv: [
          named('spec.bootstrapServers', 'BOOTSTRAP_SERVERS'),
          named('spec.auth.saslEnable', 'SASL_ENABLE'),
          secret('spec.auth.tls.ca', 'CA'),
          named('spec.groupID', 'GROUP_ID'),
          sink,
        ],
      },
    },
    spec: {
      bootstrapServers: ['kafka:9092', 'other:9092'],
      topic: 'cats',
      groupID: 'g',
      auth: { saslEnable: true, tls: { ca: fromSecret('tls') } },
      sink: sinkSpec,
    },
    env: {
      BOOTSTRAP_SERVERS: 'kafka:9092,other:9092',
      TOPIC: 'cats',
      GROUP_ID: 'g',
      SASL_ENABLE: 'true',
      CA: keyRef('tls'),
      K_SINK: sinkUrl,
    },
  },
  {
    plural: 'httppollersources',
    formFactor: { deployment: { replicas: 1 } },
    parameters: {
      global: { defaultPrefix: 'HTTPPOLLER_' },
      add: { toEnv: [{ name: 'METRICS_DOMAIN', value: 'triggermesh.io/sources' }] },
      fromSpec: { toEnv: [named('spec.eventType', 'HTTPPOLLER_EVENT_TYPE'), sink] },
    },
    spec: { eventType: 'poll', endpoint: 'http://a', method: 'GET', interval: '20s', sink: sinkSpec },
    env: {
      METRICS_DOMAIN: 'triggermesh.io/sources',
      HTTPPOLLER_EVENT_TYPE: 'poll',
      HTTPPOLLER_ENDPOINT: 'http://a',
      HTTPPOLLER_METHOD: 'GET',
      HTTPPOLLER_INTERVAL: '20s',
      K_SINK: sinkUrl,
    },
  },
  {
    plural: 'httptargets',
    formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
    parameters: {
      global: { defaultPrefix: 'HTTP_' },
      fromSpec: {
        toEnv: [
          named('spec.response.eventType', 'HTTP_EVENT_TYPE'),
          { path: 'spec.response.eventSource', name: 'HTTP_EVENT_SOURCE', defaultValue: 'httptarget' },
          named('spec.endpoint', 'HTTP_URL'),
          named('spec.headers', 'HTTP_HEADERS'),
        ],
      },
    },
    spec: { response: { eventType: 'r' }, endpoint: 'http://b', method: 'POST', skipVerify: false },
    env: {
      HTTP_EVENT_TYPE: 'r',
      HTTP_EVENT_SOURCE: 'httptarget',
      HTTP_URL: 'http://b',
      HTTP_METHOD: 'POST',
      HTTP_SKIPVERIFY: 'false',
    },
  },
  {
    plural: 'kafkatargets',
    formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
    parameters: {
      add: { toEnv: [{ name: 'METRICS_DOMAIN', value: 'triggermesh.io/targets' }] },
      fromSpec: {
        toEnv: [
          named('spec.topicReplicationFactor', 'TOPIC_REPLICATION_FACTOR'),
          named('spec.discardCloudEventContext', 'DISCARD_CE_CONTEXT'),
        ],
      },
    },
    spec: { topic: 'dogs', topicReplicationFactor: 3, discardCloudEventContext: true },
    env: {
      METRICS_DOMAIN: 'triggermesh.io/targets',
      TOPIC: 'dogs',
      TOPIC_REPLICATION_FACTOR: '3',
      DISCARD_CE_CONTEXT: 'true',
    },
  },
])('$plural are migrated', async ({ plural, formFactor, parameters, spec, env }) => {
  await using world = await openRegistrationWorld();
  const name = plural.slice(0, -1);
  const kind = name[0]?.toUpperCase() + name.slice(1);
  const added = [...common, ...listAt(parameters, 'add', 'toEnv')];
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'sink', namespace: 'default' },
    spec: { ports: [{ port: 80 }] },
  });
  await world.make(definitions, definition({ plural, kind }));
  await world.make(
    registrations,
    registration({
      name,
      crd: `${plural}.extensions.triggermesh.io`,
      formFactor,
      parameters: { ...parameters, add: { toEnv: added } },
      status: { add: [{ path: 'status.sinkUri', valueFrom: { path: 'spec.sink' } }] },
    }),
  );
  const of = { ...kuards, plural };
  await world.make(of, { ...kuard(spec, 'sample'), kind });
  await world.until(async () => conditionsOf(await world.get(of, 'sample'))['Ready'] === 'True CONDITIONSOK');
  const deployment = await world.get(deployments, `${name}-sample`);
  expect(envOf(deployment)).toEqual({ ...everywhere, ...env });
  const hasService = JSON.stringify(formFactor).includes('service');
  const instance = await world.get(of, 'sample');
  expect((await world.get(services, `${name}-sample`)) !== undefined).toBe(hasService);
  expect('ServiceReady' in conditionsOf(instance)).toBe(hasService);
  expect(textAt(instance, 'status', 'address', 'url') !== undefined).toBe(hasService);
  expect(textAt(instance, 'status', 'sinkUri')).toBe('sink' in spec ? sinkUrl : undefined);
});

test('a ConfigMap beside the controller is read into a variable, and followed', async () => {
  const parameters = {
    add: { toEnv: [{ name: 'MOOD', valueFromControllerConfigMap: { name: 'moods', key: 'mood' } }] },
  };
  await using world = await openWith({ parameters });
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(/ConfigMap default\/moods/);
  const map = (mood: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'moods', namespace: 'default' },
    data: { mood },
  });
  await world.make(configMaps, map('fine'));
  await world.settle();
  expect(envOf(await world.get(deployments, child))['MOOD']).toBe('fine');
  await world.patch(configMaps, 'moods', { data: { mood: 'better' } });
  await world.settle();
  expect(envOf(await world.get(deployments, child))['MOOD']).toBe('better');
});
