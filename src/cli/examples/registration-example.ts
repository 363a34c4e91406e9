import { resourceOf } from '#hooks/kinds/resources.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import type { Resource } from '#kube/resource.ts';
import { createObjects, type ExampleObject } from './create-objects.ts';
import type { LoadExample } from './example.ts';

const group = 'example.boathook.dev';
const crdName = `webapps.${group}`;
const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const webApps: Resource = { group, version: 'v1', plural: 'webapps', namespaced: true };

const text = { type: 'string' };
const condition = {
  type: 'object',
  properties: { type: text, status: text, reason: text, message: text, lastTransitionTime: text },
};
/** What the controller of registrations can write. */
const status = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer' },
    annotations: { type: 'object', additionalProperties: text },
    address: { type: 'object', properties: { url: text } },
    conditions: { type: 'array', items: condition },
  },
};
const definition: ExampleObject = {
  resource: definitions,
  ifThere: 'keep',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'WebApp', listKind: 'WebAppList', plural: 'webapps', singular: 'webapp' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: text, greeting: text } },
                status,
              },
            },
          },
        },
      ],
    },
  },
};

const registration = (hookUrl: string): ExampleObject => ({
  resource: resourceOf(crdRegistration),
  // The hook has another port after a restart.
  ifThere: 'replace',
  object: {
    apiVersion: 'scoby.triggermesh.io/v1alpha1',
    kind: 'CRDRegistration',
    metadata: { name: 'webapp', labels: { example: 'registration' } },
    spec: {
      crd: crdName,
      hook: {
        version: 1,
        address: { uri: hookUrl },
        timeout: 'PT5S',
        payload: 'full',
        capabilities: ['pre-reconcile', 'post-reconcile'],
      },
      workload: {
        formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
        fromImage: { repo: 'webapp:1.0' },
        parameterConfiguration: { addEnvsFromHook: ['*'] },
      },
    },
  },
});

const instance = (name: string, size: string): ExampleObject => ({
  resource: webApps,
  ifThere: 'keep',
  object: {
    apiVersion: `${group}/v1`,
    kind: 'WebApp',
    metadata: { name, namespace: 'default' },
    spec: { size, greeting: `hello from ${name}` },
  },
});

/** Registers a kind whose hook runs here, and creates an instance that it takes and one that it refuses. */
export const registrationExample: LoadExample = async ({ client, clock, hook }, signal) => {
  const objects = [
    definition,
    registration(await hook.start()),
    instance('front', 'large'),
    instance('reports', 'huge'),
  ];
  const failure = await createObjects(client, clock, objects, signal);
  return (
    failure ?? {
      result: 'Done',
      message: 'CRDRegistration webapp and the WebApps front and reports exist now.',
    }
  );
};
