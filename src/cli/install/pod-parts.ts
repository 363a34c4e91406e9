import type { JsonObject } from '#base/json.ts';

/** The labels of the objects of a part of Boathook, which select its pods too. */
export const labelsOfPart = (component: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': 'boathook',
  'app.kubernetes.io/component': component,
});

/** A pod that the Pod Security standard `restricted` accepts. */
export const restrictedPod: JsonObject = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  fsGroup: 65_532,
  seccompProfile: { type: 'RuntimeDefault' },
};

export const restrictedContainer: JsonObject = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const resourcesOf = (cpu: string, memory: string, most: string): JsonObject => ({
  requests: { cpu, memory },
  limits: { memory: most },
});

/** Lets traffic in at these ports only. Hooks may be anywhere, so traffic out is not restricted. */
export const networkPolicy = (
  metadata: JsonObject & { readonly name: string },
  component: string,
  ports: readonly string[],
): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata,
  spec: {
    podSelector: { matchLabels: labelsOfPart(component) },
    policyTypes: ['Ingress'],
    ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })) }],
  },
});

export const service = (
  metadata: JsonObject & { readonly name: string },
  component: string,
  ports: readonly JsonObject[],
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: labelsOfPart(component), ports },
});
