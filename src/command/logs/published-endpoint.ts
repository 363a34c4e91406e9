import { textAt, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
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

const keyOf = (resource: Resource): string => resourceText(resource);

/** Writes where the logs of these resources are served; those of other resources stay. */
export async function publishEndpoint(
  client: Pick<KubeClient, 'create' | 'patch'>,
  namespace: string,
  { resources, endpoint }: { readonly resources: readonly Resource[]; readonly endpoint: PublishedEndpoint },
  signal: AbortSignal,
): Promise<void> {
  const data = Object.fromEntries(resources.map((each) => [keyOf(each), printJson({ ...endpoint })]));
  const metadata = { name: endpointMap, namespace };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const made = await client.create(configMaps, object, signal);
  const outcome =
    made.type === 'exists'
      ? await client.patch(configMaps, metadata, { type: 'merge', body: { data } }, signal)
      : made;
  if (outcome.type !== 'ok')
    throw new Error(`the ConfigMap ${namespace}/${endpointMap} cannot be written: ${outcome.message}`);
}

/** Undefined: no controller has published one for this resource. */
export function endpointIn(map: KubeObject, resource: Resource): PublishedEndpoint | undefined {
  const json = parsed(textAt(map, 'data', keyOf(resource)) ?? '');
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
