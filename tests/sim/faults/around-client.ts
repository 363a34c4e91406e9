import type { KubeClient } from '#edge/kube/client.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import type { RemoveOptions } from '#edge/kube/write-verbs.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';

/** One request of a client. */
export type ClientCall = {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'remove';
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly removal?: RemoveOptions | undefined;
};

/** What can happen to requests and watches on their way. */
export type ClientFault = {
  /** `go` sends the request: with the signal of its client, or with another one, which ends it in its place. */
  call?<Result>(call: ClientCall, go: (signal?: AbortSignal) => Promise<Result>): Promise<Result>;
  watch?(
    resource: Resource,
    open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
};

export const isWrite = ({ verb }: ClientCall): boolean => verb !== 'get' && verb !== 'list';

/** Events and leases tell others what happens; nothing about releases is decided by them. */
export const isSideline = ({ resource: { plural } }: Pick<ClientCall, 'resource'>): boolean =>
  plural === 'events' || plural === 'leases';

/** The same client with a fault on its way to the server. */
export function aroundClient(client: KubeClient, fault: ClientFault): KubeClient {
  const call = <Result>(
    call: ClientCall,
    send: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const go = (signal = call.signal): Promise<Result> => send(signal);
    return fault.call === undefined ? go() : fault.call(call, go);
  };
  const watch: KubeClient['watch'] = (resource, options, signal) => {
    if (fault.watch === undefined) return client.watch(resource, options, signal);
    return fault.watch(resource, (until) => client.watch(resource, options, until), signal);
  };
  const list: KubeClient['list'] = (resource, selection, signal) =>
    call({ verb: 'list', resource, namespace: '', name: '', signal }, (until) =>
      client.list(resource, selection, until),
    );
  return {
    ...client,
    get: (resource, { namespace = '', name }, signal) =>
      call({ verb: 'get', resource, namespace, name, signal }, (until) =>
        client.get(resource, { namespace, name }, until),
      ),
    list,
    async *pages(resource, selection, signal) {
      const found = await list(resource, selection, signal);
      yield found.type === 'ok' ? { ...found, type: 'page' } : found;
    },
    create: (resource, object, signal, options) =>
      call(
        { verb: 'create', resource, namespace: namespaceOf(object), name: nameOf(object), signal },
        (until) => client.create(resource, object, until, options),
      ),
    update: (resource, object, signal, options) =>
      call(
        { verb: 'update', resource, namespace: namespaceOf(object), name: nameOf(object), signal },
        (until) => client.update(resource, object, until, options),
      ),
    updateStatus: (resource, object, signal, options) =>
      call(
        { verb: 'update', resource, namespace: namespaceOf(object), name: nameOf(object), signal },
        (until) => client.updateStatus(resource, object, until, options),
      ),
    patch: (resource, { namespace = '', name }, patch, signal) =>
      call({ verb: 'patch', resource, namespace, name, signal }, (until) =>
        client.patch(resource, { namespace, name }, patch, until),
      ),
    remove: (resource, { namespace = '', name }, signal, removal) =>
      call({ verb: 'remove', resource, namespace, name, signal, removal }, (until) =>
        client.remove(resource, { namespace, name }, until, removal),
      ),
    watch,
  };
}
