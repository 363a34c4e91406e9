import type { JsonObject } from '#base/json.ts';
import { listAt, textAt } from '#base/json.ts';
import type { Answer, BareApi } from './bare-api.ts';

export const home = '/api/v1/namespaces/default';
export const configMaps = `${home}/configmaps`;
export const pods = `${home}/pods`;
export const deployments = '/apis/apps/v1/namespaces/default/deployments';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const widgets = '/apis/example.com/v1/namespaces/default/widgets';

export const configMap = (name: string, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});

export const deployment = (name: string, replicas = 1): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'img:1' }] },
    },
  },
});

export const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'img:1' }],
    ...spec,
  },
});

/** Pods need the account that a controller would otherwise make. */
export const readyForPods = (api: BareApi): Promise<JsonObject> =>
  api.create(`${home}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });

export const widget = (name: string, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  ...more,
});

/** Defines Widgets with one version, and waits until they are served. */
export async function defineWidgets(
  api: BareApi,
  schema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  version: JsonObject = {},
): Promise<void> {
  await api.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
      ],
    },
  });
  await api.embedded.server.settled();
}

export const metaText = ({ body }: Answer, key: string): string | undefined => textAt(body, 'metadata', key);

/** The names in a list, in its order. */
export const namesIn = ({ body }: Answer): readonly string[] =>
  listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name') ?? '');

/** A refusal in one line: `404 NotFound: configmaps "a" not found`. */
export const refusalOf = ({ status, body }: Answer): string =>
  `${status} ${textAt(body, 'reason') ?? '-'}: ${textAt(body, 'message') ?? ''}`;
