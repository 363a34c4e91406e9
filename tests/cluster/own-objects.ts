import { isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export type Sent = { readonly status: number; readonly body: JsonObject };
export type SendPlain = (method: string, path: string, body?: Json, type?: string) => Promise<Sent>;

/** Plain requests with the rights of the kubeconfig. */
export const plainRequests =
  (transport: Transport): SendPlain =>
  async (method, path, body, type = 'application/json') => {
    const [bare = '', query = ''] = path.split('?');
    const response = await transport({
      method,
      path: bare,
      query,
      headers: {
        accept: 'application/json',
        'user-agent': 'boathook-test-cluster',
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const parsed: Json = text.startsWith('{') ? parseJson(text) : { message: text };
    return { status: response.status, body: isObject(parsed) ? parsed : {} };
  };

const merge = 'application/merge-patch+json';
const atOnce = {
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds: 0,
  propagationPolicy: 'Background',
};

/** Removes an object for good, whatever finalizers it has, and waits until it is gone. */
export async function removeForGood(send: SendPlain, path: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { status, body } = await send('DELETE', path, atOnce);
    if (status === 404) return;
    if (listAt(body, 'metadata', 'finalizers').length > 0 && tries > 0)
      await send('PATCH', path, { metadata: { finalizers: null } }, merge);
    if ((await send('GET', path)).status === 404) return;
    if (tries > 300) throw new Error(`${path} does not go away: ${JSON.stringify(body)}`);
    await sleep(Math.min(tries * 2, 100));
  }
}

/** Empties a collection of one namespace. */
export async function emptyCollection(send: SendPlain, path: string): Promise<void> {
  const { status } = await send('DELETE', `${path}?gracePeriodSeconds=0`, atOnce);
  const left = await send('GET', path);
  if (left.status !== 200) return;
  if (status === 200 && listAt(left.body, 'items').length === 0) return;
  for (const item of listAt(left.body, 'items'))
    if (isObject(item)) await removeForGood(send, `${path}/${encodeURIComponent(nameOf(item))}`);
}

const namespaces = '/api/v1/namespaces';

/** Deletes an empty namespace. Where no controller of the cluster does the rest, its finalizer is removed here. */
export async function removeNamespace(send: SendPlain, name: string, hasControllers: boolean): Promise<void> {
  const path = `${namespaces}/${name}`;
  const { status } = await send('DELETE', path, {});
  if (status === 404 || hasControllers) return;
  const { body } = await send('GET', path);
  await send('PUT', `${path}/finalize`, { ...body, spec: { ...specOf(body), finalizers: [] } });
}

const specOf = (object: KubeObject): JsonObject => (isObject(object['spec']) ? object['spec'] : {});

/** Settles when an object is gone. */
export async function untilGone(send: SendPlain, path: string): Promise<void> {
  for (let tries = 0; (await send('GET', path)).status !== 404; tries += 1) {
    if (tries > 600) throw new Error(`${path} does not go away`);
    await sleep(50);
  }
}
