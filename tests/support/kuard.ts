import type { Json, JsonObject } from '#base/json.ts';

const text = { type: 'string' };
const condition = {
  type: 'object',
  properties: { type: text, status: text, reason: text, message: text, lastTransitionTime: text },
};

/** A status with everything in it that a controller can use, and an element of its own. */
export const fullStatus: JsonObject = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer' },
    annotations: { type: 'object', additionalProperties: text },
    address: { type: 'object', properties: { url: text } },
    conditions: { type: 'array', items: condition },
    sinkUri: text,
  },
};

export const definition = ({
  plural = 'kuards',
  kind = 'Kuard',
  status = fullStatus,
  hasStatus = true,
}: {
  readonly plural?: string;
  readonly kind?: string;
  readonly status?: JsonObject;
  readonly hasStatus?: boolean;
} = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.extensions.triggermesh.io` },
  spec: {
    group: 'extensions.triggermesh.io',
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        ...(hasStatus ? { subresources: { status: {} } } : {}),
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, status },
          },
        },
      },
    ],
  },
});

const image = 'gcr.io/kuar-demo/kuard-amd64:blue';
const deployment = { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } };

export type RegistrationWish = {
  readonly name?: string;
  readonly crd?: string;
  readonly formFactor?: JsonObject;
  readonly parameters?: JsonObject;
  readonly status?: JsonObject;
  readonly hook?: JsonObject;
  readonly more?: JsonObject;
};

export const registration = (wish: RegistrationWish = {}): JsonObject => ({
  apiVersion: 'scoby.triggermesh.io/v1alpha1',
  kind: 'CRDRegistration',
  metadata: { name: wish.name ?? 'kuard' },
  spec: {
    crd: wish.crd ?? 'kuards.extensions.triggermesh.io',
    workload: {
      formFactor: wish.formFactor ?? deployment,
      fromImage: { repo: image },
      ...(wish.parameters === undefined ? {} : { parameterConfiguration: wish.parameters }),
      ...(wish.status === undefined ? {} : { statusConfiguration: wish.status }),
    },
    ...(wish.hook === undefined ? {} : { hook: wish.hook }),
    ...wish.more,
  },
});

/** A hook at an address, asked in all phases unless told otherwise. */
export const hookAt = (uri: string, more: JsonObject = {}): JsonObject => ({
  version: 'v1',
  address: { uri },
  capabilities: ['pre-reconcile', 'post-reconcile', 'finalize'],
  ...more,
});

export const usualSpec: JsonObject = {
  variable1: 'value 1',
  variable2: 'value 2',
  group: { variable3: false, variable4: 42 },
  array: ['alpha', 'beta', 'gamma'],
};

export const baseEnv: Readonly<Record<string, Json>> = {
  ARRAY: 'alpha,beta,gamma',
  GROUP_VARIABLE3: 'false',
  GROUP_VARIABLE4: '42',
  VARIABLE1: 'value 1',
  VARIABLE2: 'value 2',
};

export const kuard = (
  spec: JsonObject = usualSpec,
  name = 'my-kuard',
  more: JsonObject = {},
): JsonObject => ({
  apiVersion: 'extensions.triggermesh.io/v1',
  kind: 'Kuard',
  metadata: { name, namespace: 'default', ...more },
  spec,
});
