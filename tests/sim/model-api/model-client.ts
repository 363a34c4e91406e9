import type { Tasks } from '#base/tasks.ts';
import type { Random } from '#base/random.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Listed, Page, Selection } from '#edge/kube/list.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import type { KubeObject } from '#kube/object.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { ApiError } from '#kube/status.ts';
import { outcomeOf, refusalOf, type ModelApi } from './model-api.ts';
import { evict } from './model-eviction.ts';
import { selects, type ModelWatches } from './model-watch.ts';

export type ModelClientDeps = {
  readonly api: ModelApi;
  readonly watches: ModelWatches;
  readonly tasks: Tasks;
  /** Decides which requests and responses take a turn longer than others, so that they overtake each other. */
  readonly random: Random;
  /** Does a request; whoever wants to know who acts. */
  readonly act?: (request: () => Outcome) => Outcome;
};

/** Of so many requests one waits for a turn on its way there or back. */
const waitingShare = 0.15;

const go = (request: () => Outcome): Outcome => request();

/** A client of the model, as `createClient` makes one of a real server; nothing is encoded. */
export function modelClient({ api, watches, tasks, random, act = go }: ModelClientDeps): KubeClient {
  const turn = (): Promise<void> | undefined =>
    random.next() < waitingShare ? new Promise((resolve) => tasks.soon(resolve)) : undefined;
  const ask = async (request: () => KubeObject, signal: AbortSignal): Promise<Outcome> => {
    signal.throwIfAborted();
    await turn();
    const outcome = act(() => outcomeOf(request));
    await turn();
    return outcome;
  };
  const list = async (
    resource: Resource,
    selection: Selection,
    signal: AbortSignal,
  ): Promise<Listed | Refusal> => {
    signal.throwIfAborted();
    await turn();
    try {
      return { type: 'ok', ...listed(api, resource, selection) };
    } catch (error) {
      if (error instanceof ApiError) return refusalOf(error);
      throw error;
    }
  };
  return {
    get: (resource, key, signal) => ask(() => api.get(resource, key), signal),
    create: (resource, object, signal, { subresource } = {}) =>
      ask(() => (subresource === 'eviction' ? evict(api, object) : api.create(resource, object)), signal),
    update: (resource, object, signal, { subresource } = {}) =>
      ask(() => api.update(resource, object, subresource), signal),
    updateStatus: (resource, object, signal) => ask(() => api.update(resource, object, 'status'), signal),
    patch: (resource, key, patch, signal) => ask(() => api.patch(resource, key, patch), signal),
    remove: (resource, key, signal, options) => ask(() => api.remove(resource, key, options), signal),
    removeCollection: (resource, selection, signal, options) =>
      ask(() => {
        const { items } = listed(api, resource, selection);
        for (const each of items) api.remove(resource, keyOf(each), options);
        return { kind: 'List', items };
      }, signal),
    list,
    async *pages(resource, selection, signal) {
      const found = await list(resource, selection, signal);
      yield found.type === 'ok' ? ({ ...found, type: 'page' } satisfies Page) : found;
    },
    watch: (resource, options, signal) => watches.watch(api.kindOf(resource), options, signal),
    resourceOf: ({ apiVersion, kind }) => {
      const found = api.kindNamed(apiVersion, kind);
      if (found !== undefined) return Promise.resolve({ type: 'ok', resource: found });
      const message = `no kind ${kind} in ${apiVersion}`;
      return Promise.resolve(refusalOf(new ApiError({ code: 404, reason: 'NotFound', message })));
    },
    raw: () => Promise.resolve(nothingHere()),
    text: () => Promise.resolve(nothingHere()),
  };
}

const keyOf = (object: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
});

const nothingHere = (): Refusal =>
  refusalOf(new ApiError({ code: 404, reason: 'NotFound', message: 'the model has no such path' }));

function listed(
  api: ModelApi,
  resource: Resource,
  selection: Selection,
): { readonly items: readonly KubeObject[]; readonly resourceVersion: string } {
  const { storage } = api.kindOf(resource);
  const { store } = api;
  return { items: store.all(storage).filter(selects(selection)), resourceVersion: String(store.revision) };
}
