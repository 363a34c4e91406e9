import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { imageTag } from './image-tag.ts';
import { defaultPod, defaultTemplate } from './pod-defaults.ts';
import { podRules } from './pod.ts';
import { container, livePod } from './testing/check.ts';

const filled: JsonObject = {
  name: 'c',
  image: 'img:1',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};
const filledSpec: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

test('a minimal pod', () => {
  expect(defaultPod({ spec: { containers: [container] } })).toEqual({
    spec: { ...filledSpec, containers: [filled], enableServiceLinks: true },
  });
});

test('a template shows its unset time and leaves the rest to its pods', () => {
  const limited = { ...container, resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] };
  expect(defaultTemplate({ spec: { hostNetwork: true, containers: [limited] } })).toEqual({
    metadata: { creationTimestamp: null },
    spec: {
      ...filledSpec,
      hostNetwork: true,
      containers: [
        { ...filled, resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80, protocol: 'TCP' }] },
      ],
    },
  });
});

const containerOf = (given: JsonObject, spec: JsonObject = {}): JsonObject => {
  const pod = defaultPod({ spec: { containers: [{ ...container, ...given }], ...spec } });
  return ((pod['spec'] as JsonObject)['containers'] as readonly JsonObject[])[0] ?? {};
};

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

test.for<readonly [what: string, given: JsonObject, expected: JsonObject]>([
  ['ports are TCP', { ports: [{ containerPort: 80 }] }, { ports: [{ containerPort: 80, protocol: 'TCP' }] }],
  [
    'field references are v1',
    { env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
    { env: [{ name: 'N', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
  ],
  [
    'resource references are divided by nothing',
    { env: [{ name: 'N', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] },
    { env: [{ name: 'N', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } }] },
  ],
  [
    'HTTP probes ask for the root',
    { livenessProbe: { httpGet: { port: 80 } } },
    { livenessProbe: { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, ...probe } },
  ],
  [
    'probes keep what they say',
    { readinessProbe: { tcpSocket: { port: 'x' }, periodSeconds: 3 } },
    { readinessProbe: { tcpSocket: { port: 'x' }, ...probe, periodSeconds: 3 } },
  ],
  [
    'gRPC probes ask for the server',
    { startupProbe: { grpc: { port: 1 } } },
    { startupProbe: { grpc: { port: 1, service: '' }, ...probe } },
  ],
  [
    'hooks ask for the root',
    { lifecycle: { preStop: { httpGet: { port: 1 } }, postStart: { exec: { command: ['x'] } } } },
    {
      lifecycle: {
        preStop: { httpGet: { path: '/', port: 1, scheme: 'HTTP' } },
        postStart: { exec: { command: ['x'] } },
      },
    },
  ],
  [
    'limits are requests',
    { resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '250m' } } },
    { resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '250m', memory: '1Gi' } } },
  ],
])('%s', ([, given, expected]) => {
  expect(containerOf(given)).toMatchObject(expected);
});

test('in the network of the host, ports are the ports of the host', () => {
  expect(containerOf({ ports: [{ containerPort: 80 }] }, { hostNetwork: true })['ports']).toEqual([
    { containerPort: 80, hostPort: 80, protocol: 'TCP' },
  ]);
});

test.for<readonly [volume: JsonObject, expected: JsonObject]>([
  [{}, { emptyDir: {} }],
  [{ emptyDir: {} }, { emptyDir: {} }],
  [{ secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
  [{ configMap: { name: 'c' } }, { configMap: { name: 'c', defaultMode: 420 } }],
  [{ hostPath: { path: '/x' } }, { hostPath: { path: '/x', type: '' } }],
  [
    { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    {
      downwardAPI: {
        items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }],
        defaultMode: 420,
      },
    },
  ],
  [
    { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    {
      projected: {
        sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
        defaultMode: 420,
      },
    },
  ],
  [
    { ephemeral: { volumeClaimTemplate: { spec: {} } } },
    {
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { creationTimestamp: null },
          spec: { resources: {}, volumeMode: 'Filesystem' },
        },
      },
    },
  ],
])('the volume %j', ([volume, expected]) => {
  const pod = defaultPod({ spec: { containers: [container], volumes: [{ name: 'v', ...volume }] } });
  expect((pod['spec'] as JsonObject)['volumes']).toEqual([{ name: 'v', ...expected }]);
});

test('the old name of the service account follows the new one, and the other way round', () => {
  for (const key of ['serviceAccount', 'serviceAccountName']) {
    const pod = defaultPod({ spec: { containers: [], [key]: 'x' } });
    expect(pod['spec']).toMatchObject({ serviceAccount: 'x', serviceAccountName: 'x' });
  }
});

test('a complete pod is not copied', () => {
  const pod = livePod({ volumes: [{ name: 'v' }], initContainers: [{ name: 'i', image: 'i' }] });
  expect(podRules.defaults?.(pod)).toBe(pod);
});

test.for([
  ['nginx', 'latest'],
  ['nginx:1.2', '1.2'],
  ['localhost:5000/a/b', 'latest'],
  ['localhost:5000/a/b:x', 'x'],
  [`x@sha256:${'0'.repeat(64)}`, ''],
  ['', ''],
  ['Bad Name', ''],
] as const)('the tag of %j is %j', ([image, tag]) => {
  expect(imageTag(image)).toBe(tag);
});
