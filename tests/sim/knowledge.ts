import type { WatchEvent } from '#edge/kube/watch.ts';
import { nameOf, namespaceOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { Received } from '../support/unseen-pods.ts';
import { isSideline, isWrite, type ClientCall, type ClientFault } from './faults/around-client.ts';
import type { Turns } from './turns.ts';

/** The resourceVersion up to which changes were received, by the plural of their resource. */
type Versions = ReadonlyMap<string, number>;

/** One reconcile, or several without a turn between them. */
type Work = { readonly received: Versions; requests: number; lastTurn: number };

/** What controllers knew when they decided on the writes of pods that are on their way. */
export class Knowledge {
  readonly #turns: Turns;
  /** By namespace and name of the pod. */
  readonly #writes = new Map<string, readonly Versions[]>();

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** What all controllers that write this pod now knew when they decided on it. Undefined: no controller writes it. */
  of(pod: KubeObject): Received | undefined {
    const writes = this.#writes.get(`${namespaceOf(pod)}/${nameOf(pod)}`);
    if (writes === undefined) return undefined;
    return (plural) => Math.min(...writes.map((each) => each.get(plural) ?? 0));
  }

  /**
   * Notes what controllers with the same informers receive and write. It is the first on the way of their requests, and
   * nobody waits for it, so it changes no history.
   */
  ofControllers(): ClientFault {
    const received = new Map<string, number>();
    const works = new WeakMap<AbortSignal, Map<string, Work>>();
    const reach = (plural: string, version: string): void => {
      received.set(plural, Math.max(received.get(plural) ?? 0, Number(version)));
    };
    return {
      call: (call, go) => {
        if (isSideline(call)) return go();
        const { plural } = call.resource;
        if (call.verb === 'list')
          return noting(go(), (listed) => reach(plural, (listed as ListAnswer).resourceVersion ?? '0'));
        const work = this.#workOf(works, call, received);
        return isWrite(call) && plural === 'pods' ? this.#write(call, work, go) : this.#request(work, go);
      },
      watch: ({ plural }, open, signal) =>
        noticed(open(signal), (event) => {
          if (!('code' in event)) reach(plural, resourceVersionOf(event.object));
        }),
    };
  }

  /** The work that a request is part of: that of its controller in its namespace, unless it has ended before this turn. */
  #workOf(
    works: WeakMap<AbortSignal, Map<string, Work>>,
    { signal, namespace, name }: ClientCall,
    received: Versions,
  ): Work {
    const known = works.get(signal) ?? new Map<string, Work>();
    works.set(signal, known);
    // A Namespace is in none.
    const place = namespace === '' ? name : namespace;
    const last = known.get(place);
    if (last !== undefined && (last.requests > 0 || last.lastTurn === this.#turns.count)) return last;
    const work = { received: new Map(received), requests: 0, lastTurn: 0 };
    known.set(place, work);
    return work;
  }

  #request<Result>(work: Work, go: () => Promise<Result>): Promise<Result> {
    work.requests += 1;
    const end = (): void => {
      work.requests -= 1;
      work.lastTurn = this.#turns.count;
    };
    return noting(go(), end, end);
  }

  #write<Result>({ namespace, name }: ClientCall, work: Work, go: () => Promise<Result>): Promise<Result> {
    const key = `${namespace}/${name}`;
    const { received } = work;
    this.#writes.set(key, [...(this.#writes.get(key) ?? []), received]);
    const end = (): void => {
      const left = (this.#writes.get(key) ?? []).toSpliced(
        (this.#writes.get(key) ?? []).indexOf(received),
        1,
      );
      if (left.length === 0) this.#writes.delete(key);
      else this.#writes.set(key, left);
    };
    return noting(this.#request(work, go), end, end);
  }
}

type ListAnswer = { readonly resourceVersion?: string };

/** The same promise: whoever waits for it goes on as if nobody else did, but after `seen`. */
function noting<Result>(
  promise: Promise<Result>,
  seen: (result: Result) => void,
  failed: () => void = () => undefined,
): Promise<Result> {
  promise.then(seen, failed);
  return promise;
}

/** The same events, each seen before it is taken. */
function noticed(
  events: AsyncIterable<WatchEvent>,
  see: (event: WatchEvent) => void,
): AsyncIterable<WatchEvent> {
  return {
    [Symbol.asyncIterator]() {
      const inner = events[Symbol.asyncIterator]();
      return {
        ...inner,
        next: () =>
          noting(inner.next(), ({ done, value }) => {
            if (done !== true) see(value);
          }),
        return: (value?: unknown) => inner.return?.(value) ?? Promise.resolve({ done: true, value }),
      };
    },
  };
}
