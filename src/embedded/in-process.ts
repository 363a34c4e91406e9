import type { JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { ApiServer } from './server/server.ts';
import type { ServedResource } from './server/registry/resource.ts';
import type { Answer, Cluster, ResourceRef } from './controllers/in-process/cluster.ts';
import type { Transport } from '#edge/kube/transport.ts';

/** The cluster as controllers in this process see it: changes from the store, writes through the API. */
export function inProcessCluster(server: ApiServer, transport: Transport): Cluster {
  const { store, registry } = server.context;
  const refs = new WeakMap<ServedResource, ResourceRef>();
  const refOf = (resource: ServedResource): ResourceRef => {
    const { group, version, plural, kind, namespaced, verbs } = resource;
    const known = refs.get(resource) ?? { group, version, plural, kind, namespaced, verbs };
    refs.set(resource, known);
    return known;
  };
  let known: { readonly generation: number; readonly resources: readonly ServedResource[] } = {
    generation: 0,
    resources: [],
  };
  const preferred = (): readonly ServedResource[] => {
    if (known.generation === registry.generation) return known.resources;
    const byStorage = new Map<string, ServedResource>();
    for (const group of registry.groups()) {
      for (const resource of group.versions.flatMap((each) => each.resources)) {
        if (resource.verbs.includes('list') && !byStorage.has(resource.storage))
          byStorage.set(resource.storage, resource);
      }
    }
    known = { generation: registry.generation, resources: [...byStorage.values()] };
    return known.resources;
  };
  const table = ({ group, plural }: ResourceRef): ReturnType<typeof store.table> =>
    store.table(`${group}/${plural}`);
  return {
    resources: () => preferred().map(refOf),
    list: (resource, namespace) => [...table(resource).range(namespace)].map((stored) => stored.object),
    get: (resource, namespace, name) => table(resource).get(`${namespace}/${name}`)?.object,
    subscribe: (listener) =>
      store.subscribe((changes) => {
        const byStorage = new Map(preferred().map((resource) => [resource.storage, resource]));
        listener(
          changes.flatMap(({ resource, type, after }) => {
            const served = byStorage.get(resource);
            return served === undefined ? [] : [{ resource: refOf(served), type, object: after.object }];
          }),
        );
      }),
    send: (request) => send(transport, request),
  };
}

async function send(transport: Transport, request: Parameters<Cluster['send']>[0]): Promise<Answer> {
  const { method, path, query = '', body, contentType = 'application/json', userAgent, signal } = request;
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': contentType }),
  };
  const sent = body === undefined ? {} : { body: printJson(body) };
  const answer = await transport({ method, path, query, headers, ...sent, signal });
  return { status: answer.status, body: parsed(await answer.text()) };
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (parseJson(text) as JsonObject) : { message: text };
}
