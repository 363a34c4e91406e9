import { textAt, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { mostShards } from '#command/shards-flag.ts';
import { resourceText } from './log-resource.ts';

/** The ConfigMap, in the namespace of the controllers, that says where the logs of each resource are served. */
export const endpointMap = 'boathook-logs';
export const usualNamespace = 'boathook-system';

export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };

/** Where a controller serves logs, and how clients recognise it. */
export type PublishedEndpoint = {
  /** `https://HOST:PORT`. */
  readonly url: string;
  /** The authority of its certificate, in PEM, made for this process alone. */
  readonly ca: string;
  /** The process that serves. */
  readonly holder: string;
};

/** The name in the certificate of every endpoint, so that it can be verified at any address. */
export const endpointName = 'boathook-logs';

/** Which of the processes serves: one of `count` shards. */
export type LogShard = { readonly index: number; readonly count: number };

const keyOf = (resource: Resource, shard?: number): string =>
  `${resourceText(resource)}${shard === undefined ? '' : `.shard-${shard}`}`;

/** Where earlier controllers served, with another number of shards or with none. */
const formerKeys = (resource: Resource, shard: LogShard | undefined): readonly string[] => [
  ...(shard === undefined ? [] : [keyOf(resource)]),
  ...Array.from({ length: mostShards }, (_, index) => index)
    .slice(shard?.count ?? 0)
    .map((index) => keyOf(resource, index)),
];

export type Publication = {
  readonly resources: readonly Resource[];
  readonly endpoint: PublishedEndpoint;
  /** The part of the resources; all of their objects unless given. */
  readonly shard?: LogShard | undefined;
};

/** Writes where the logs of these resources are served; those of other resources and shards stay. */
export async function publishEndpoint(
  client: Pick<KubeClient, 'create' | 'patch'>,
  namespace: string,
  { resources, endpoint, shard }: Publication,
  signal: AbortSignal,
): Promise<void> {
  const data = Object.fromEntries(
    resources.map((each) => [keyOf(each, shard?.index), printJson({ ...endpoint })]),
  );
  const former = Object.fromEntries(
    resources.flatMap((each) => formerKeys(each, shard)).map((key) => [key, null]),
  );
  const metadata = { name: endpointMap, namespace };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const made = await client.create(configMaps, object, signal);
  const outcome =
    made.type === 'exists'
      ? await client.patch(
          configMaps,
          metadata,
          { type: 'merge', body: { data: { ...former, ...data } } },
          signal,
        )
      : made;
  if (outcome.type !== 'ok')
    throw new Error(`the ConfigMap ${namespace}/${endpointMap} cannot be written: ${outcome.message}`);
}

/** Where the logs of a resource are served: by one process, or by those that share the shards. */
export function endpointsIn(map: KubeObject, resource: Resource): readonly PublishedEndpoint[] {
  const keys = [undefined, ...Array.from({ length: mostShards }, (_, index) => index)];
  const found = keys.flatMap((index) => endpointAt(map, keyOf(resource, index)) ?? []);
  return found.filter(({ url }, at) => found.findIndex((each) => each.url === url) === at);
}

function endpointAt(map: KubeObject, key: string): PublishedEndpoint | undefined {
  const json = parsed(textAt(map, 'data', key) ?? '');
  const [url, ca, holder] = ['url', 'ca', 'holder'].map((key) => textAt(json, key) ?? '');
  if (url === undefined || ca === undefined || holder === undefined || ca === '') return undefined;
  return /^https:\/\/[^/?#@]+$/.test(url) ? { url, ca, holder } : undefined;
}

function parsed(text: string): JsonObject {
  try {
    return parseJson(text) as JsonObject;
  } catch {
    // Not written by a controller.
    return {};
  }
}
