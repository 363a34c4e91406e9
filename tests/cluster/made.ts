import { isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { labelsOf } from '#kube/object.ts';
import type { SendPlain } from './own-objects.ts';
import { isClusterWide, prefixedPath, runLabel, type Prefix } from './prefixed.ts';
import type { RequestPath } from './request-path.ts';
import { traffic } from './traffic.ts';

/** What a story has made, to be removed after it. */
export type Made = {
  /** Paths of objects outside of namespaces, in their order. */
  readonly objects: Set<string>;
  /** Collections of namespaces that were written. */
  readonly collections: Map<string, RequestPath>;
};

type Guard = { readonly send: SendPlain; readonly made: Made; readonly prefix: Prefix };

/** A story may not change an object outside of its namespaces that this run has not made. */
export async function refusal(
  { method }: ApiRequest,
  path: RequestPath,
  { send, made, prefix }: Guard,
): Promise<ApiResponse | undefined> {
  if (method === 'GET' || !isClusterWide(path) || path.name === '' || path.plural === 'namespaces')
    return undefined;
  const at = `${path.base}/${path.plural}/${path.name}`;
  if (made.objects.has(at)) return undefined;
  const { status, body } = await traffic.reading(
    `GET ${at}`,
    send('GET', prefixedPath({ ...path, subresource: '' }, prefix)),
  );
  if (status === 404) return undefined;
  if (labelsOf(body)[runLabel] === prefix.run) return undefined;
  const message = `${at} is not an object of this test run, so a story may not change it`;
  const refused = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    code: 403,
  };
  return {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: { type: 'text', text: JSON.stringify(refused) },
  };
}

/** Remembers what was made, and which version the watches have yet to tell. */
export function note(request: ApiRequest, path: RequestPath, object: JsonObject, made: Made): void {
  const { method, query } = request;
  if (query.includes('dryRun=All')) return;
  remember(method, path, object, made);
  const version = Number(textAt(object, 'metadata', 'resourceVersion') ?? 0);
  const isGone = method === 'DELETE' && textAt(object, 'metadata', 'deletionTimestamp') === undefined;
  if (version > 0) traffic.wrote(path, isGone ? version + 1 : version);
}

function remember(method: string, path: RequestPath, object: JsonObject, made: Made): void {
  const { base, plural, namespace, subresource } = path;
  if (namespace !== undefined) {
    made.collections.set(`${base} ${plural} ${namespace}`, path);
    return;
  }
  const name = textAt(object, 'metadata', 'name') ?? '';
  const isMade = method !== 'DELETE' && subresource === '' && name !== '';
  if (isMade && isClusterWide(path)) made.objects.add(`${base}/${plural}/${name}`);
}

/** The object in an answer; empty when there is none. */
export function objectIn({ body }: ApiResponse): JsonObject {
  const value: Json = body.type === 'text' && body.text.startsWith('{') ? parseJson(body.text) : {};
  return isObject(value) ? value : {};
}
