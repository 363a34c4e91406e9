import type { JsonObject } from '#base/json.ts';
import { mustBe, openAll, type Address, type Ask } from '../apiserver/connection.ts';

const group = 'bench.boathook.dev';
const text = { type: 'string' };

export const instancesPath = (plural: string): string => `/apis/${group}/v1/namespaces/bench/${plural}`;

/** A kind with all of a status that a controller can use. */
export const defineKind = (plural: string, kind: string): Ask => ({
  method: 'POST',
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        },
      ],
    },
  }),
});

const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const status = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer' },
    annotations: { type: 'object', additionalProperties: text },
    address: { type: 'object', properties: { url: text } },
    conditions: {
      type: 'array',
      items: {
        type: 'object',
        properties: { type: text, status: text, reason: text, message: text, lastTransitionTime: text },
      },
    },
  },
};

export type RegistrationWish = {
  readonly plural: string;
  readonly uri: string;
  readonly concurrency?: number;
};

/** As the first document writes it: Deployment and Service, the hook in all its phases. */
export const register = ({ plural, uri, concurrency = 5 }: RegistrationWish): Ask => ({
  method: 'POST',
  path: '/apis/scoby.triggermesh.io/v1alpha1/crdregistrations',
  body: JSON.stringify({
    apiVersion: 'scoby.triggermesh.io/v1alpha1',
    kind: 'CRDRegistration',
    metadata: { name: plural },
    spec: {
      crd: `${plural}.${group}`,
      concurrency,
      hook: {
        version: 'v1',
        address: { uri },
        timeout: 'PT10S',
        capabilities: ['pre-reconcile', 'post-reconcile', 'finalize'],
      },
      workload: {
        formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
        fromImage: { repo: 'gcr.io/kuar-demo/kuard-amd64:blue' },
        parameterConfiguration: { addEnvsFromHook: ['*'] },
        statusConfiguration: { conditionsFromHook: [{ type: 'KuardReady' }] },
      },
    },
  }),
});

const instance = (kind: string, number: number): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: `i-${number}` },
  spec: { variable1: 'value 1', group: { variable3: false, variable4: number }, array: ['alpha', 'beta'] },
});

const clients = 32;

/** Makes so many instances of a kind. */
export async function makeInstances(
  address: Address,
  { plural, kind, count }: { readonly plural: string; readonly kind: string; readonly count: number },
): Promise<void> {
  const connections = await openAll(address, clients);
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let number = next++; number < count; number = next++) {
        const body = JSON.stringify(instance(kind, number));
        mustBe(await connection.send({ method: 'POST', path: instancesPath(plural), body }), 201);
      }
    }),
  );
  for (const connection of connections) connection.close();
}
