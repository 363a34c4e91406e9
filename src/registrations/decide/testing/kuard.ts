import type { Json, JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { freshMemory, type InstanceSnapshot, type HookAnswer } from '#registrations/decide/cycle.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { readRegistration } from '#registrations/read.ts';
import type { Registration } from '#registrations/model/registration.ts';

/** The registration of the scenarios: a Deployment with one pod, and a Service 80 → 8080. */
export const kuardRegistration = (parts: {
  readonly workload?: JsonObject;
  readonly spec?: JsonObject;
  readonly name?: string;
}): JsonObject => ({
  apiVersion: 'scoby.triggermesh.io/v1alpha1',
  kind: 'CRDRegistration',
  metadata: { name: parts.name ?? 'kuard', uid: 'reg-uid', generation: 3 },
  spec: {
    crd: 'kuards.extensions.triggermesh.io',
    workload: {
      formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
      fromImage: { repo: 'gcr.io/kuar-demo/kuard-amd64:blue' },
      ...parts.workload,
    },
    ...parts.spec,
  },
});

export const hookSpec = (more: JsonObject = {}): JsonObject => ({
  version: 1,
  address: { uri: 'http://hook.example.com' },
  capabilities: ['pre-reconcile', 'post-reconcile', 'finalize'],
  ...more,
});

/** The normal form; throws with the errors when there is none. */
export function mustRead(object: Json): Registration {
  const read = readRegistration(object);
  if (read.type === 'refused')
    throw new Error(read.errors.map(({ field, message }) => `${field}: ${message}`).join('\n'));
  return read.registration;
}

export const registered = (parts: Parameters<typeof kuardRegistration>[0] = {}): Registration =>
  mustRead(kuardRegistration(parts));

export const kuardSpec: JsonObject = {
  variable1: 'value 1',
  variable2: 'value 2',
  group: { variable3: false, variable4: 42 },
  array: ['alpha', 'beta', 'gamma'],
};

export const kuard = (spec: Json | undefined = kuardSpec, meta: JsonObject = {}): KubeObject => ({
  apiVersion: 'extensions.triggermesh.io/v1',
  kind: 'Kuard',
  metadata: { name: 'my-kuard-extension', namespace: 'default', uid: 'kuard-uid', generation: 1, ...meta },
  ...(spec === undefined ? {} : { spec }),
});

export const kuardKind: InstanceKind = {
  group: 'extensions.triggermesh.io',
  version: 'v1',
  kind: 'Kuard',
  plural: 'kuards',
  supports: {
    subresource: true,
    observedGeneration: true,
    annotations: true,
    address: true,
    conditions: true,
  },
};

export const environment = { namespace: 'triggermesh', clusterDomain: 'cluster.local' };

export const kuardSnapshot = (more: Partial<InstanceSnapshot> = {}): InstanceSnapshot => ({
  registration: registered(),
  kind: kuardKind,
  environment,
  instance: kuard(),
  now: instant(1_700_000_000_000),
  chance: 0,
  memory: freshMemory,
  references: new Map(),
  live: [],
  answers: {},
  ...more,
});

export const replied = (body: Json, status = 200): HookAnswer => ({
  type: 'answer',
  status,
  retryAfter: undefined,
  body: typeof body === 'string' ? body : printJson(body),
});
