import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { childMeta, selectorLabels } from './children.ts';
import type { Children } from './cycle.ts';
import type { FormFactor, Registration } from '#registrations/model/registration.ts';
import type { RenderFailure } from './render-failure.ts';
import { variablesOf, type RenderGiven, type Variables } from './variables.ts';

export type RenderedInstance =
  | {
      readonly type: 'rendered';
      readonly children: Children;
      /** Literal values of variables, for the status. */
      readonly values: ReadonlyMap<string, string>;
    }
  | RenderFailure;

export const containerName = 'adapter';

/** The children of an instance before the hook changes them. Equal input gives equal output. */
export function renderInstance(given: RenderGiven): RenderedInstance {
  const variables = variablesOf(given);
  if (variables.type === 'failed') return variables;
  return { type: 'rendered', children: childrenOf(given, variables), values: variables.values };
}

function childrenOf({ registration, instance }: RenderGiven, variables: Variables): Children {
  const { form } = registration;
  const podSpec = podSpecOf(registration, variables);
  if (form.type === 'ksvc') return { ksvc: knativeService(registration, instance, form, podSpec) };
  const deployment = deploymentOf(registration, instance, form.replicas, podSpec);
  if (form.service === undefined) return { deployment };
  return { deployment, service: serviceOf(registration, instance, form.service) };
}

function podSpecOf({ image }: Registration, { env, mounts }: Variables): JsonObject {
  const container = {
    name: containerName,
    image,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
    ...(env.length === 0 ? {} : { env }),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts.map(({ volumeMount }) => volumeMount) }),
  };
  return {
    containers: [container],
    ...(mounts.length === 0 ? {} : { volumes: mounts.map(({ volume }) => volume) }),
  };
}

function deploymentOf(
  { name }: Registration,
  instance: KubeObject,
  replicas: number,
  podSpec: JsonObject,
): KubeObject {
  const labels = selectorLabels(name, instance);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: childMeta(name, instance),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  };
}

function serviceOf(
  { name }: Registration,
  instance: KubeObject,
  { port, targetPort }: { readonly port: number; readonly targetPort: number },
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: childMeta(name, instance),
    // Server-side apply needs the protocol: it is part of the key of a port.
    spec: { selector: selectorLabels(name, instance), ports: [{ port, protocol: 'TCP', targetPort }] },
  };
}

function knativeService(
  { name }: Registration,
  instance: KubeObject,
  form: Extract<FormFactor, { type: 'ksvc' }>,
  podSpec: JsonObject,
): KubeObject {
  const meta = childMeta(name, instance);
  const { minScale, maxScale, visibility } = form;
  const annotations = {
    ...(minScale === undefined ? {} : { 'autoscaling.knative.dev/min-scale': String(minScale) }),
    ...(maxScale === undefined ? {} : { 'autoscaling.knative.dev/max-scale': String(maxScale) }),
  };
  const labels = meta['labels'] as JsonObject;
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata:
      visibility === undefined
        ? meta
        : { ...meta, labels: { ...labels, 'networking.knative.dev/visibility': visibility } },
    spec: {
      template: {
        ...(Object.keys(annotations).length === 0 ? {} : { metadata: { annotations } }),
        spec: podSpec,
      },
    },
  };
}
