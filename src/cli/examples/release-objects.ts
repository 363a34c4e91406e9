import type { JsonObject } from '#base/json.ts';

const apiVersion = 'tkex.tencent.com/v1alpha1';

/** Asks the service of the examples once a second. Two values of 30 or more fail it. */
const errorRate = (serviceUrl: string): JsonObject => ({
  apiVersion,
  kind: 'HookTemplate',
  metadata: { name: 'error-rate', namespace: 'default' },
  spec: {
    metrics: [
      {
        name: 'errors',
        interval: '1s',
        count: 20,
        failureLimit: 1,
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: serviceUrl, jsonPath: '{$.errors}' } },
      },
    ],
  },
});

const steps = [
  { partition: 3 },
  { pause: {} },
  { partition: 2 },
  { pause: { duration: 3 } },
  { hook: { templateName: 'error-rate' } },
];

const commonSpec = (name: string): JsonObject => ({
  replicas: 4,
  selector: { matchLabels: { app: name } },
  template: {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'server', image: `${name}:1.0` }] },
  },
});

/** A HookTemplate and the workload whose release it judges. */
type ReleaseObjects = { readonly template: JsonObject; readonly workload: JsonObject };

export const canaryObjects = (serviceUrl: string): ReleaseObjects => ({
  template: errorRate(serviceUrl),
  workload: {
    apiVersion,
    kind: 'GameDeployment',
    metadata: { name: 'shop', namespace: 'default', labels: { example: 'canary' } },
    spec: {
      ...commonSpec('shop'),
      updateStrategy: {
        type: 'InplaceUpdate',
        maxUnavailable: 2,
        inPlaceUpdateStrategy: { gracePeriodSeconds: 2 },
        canary: { steps },
      },
    },
  },
});

export const statefulCanaryObjects = (serviceUrl: string): ReleaseObjects => ({
  template: errorRate(serviceUrl),
  workload: {
    apiVersion,
    kind: 'GameStatefulSet',
    metadata: { name: 'db', namespace: 'default', labels: { example: 'stateful-canary' } },
    spec: {
      ...commonSpec('db'),
      serviceName: 'db',
      podManagementPolicy: 'Parallel',
      updateStrategy: {
        type: 'InplaceUpdate',
        rollingUpdate: { maxUnavailable: 2 },
        inPlaceUpdateStrategy: { gracePeriodSeconds: 2 },
        canary: { steps },
      },
    },
  },
});
