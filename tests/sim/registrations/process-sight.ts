import type { Clock, Instant } from '#base/time.ts';
import type { Listed } from '#edge/kube/list.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { isWrite, type ClientCall, type ClientFault } from '../faults/around-client.ts';

/** Up to this revision something was shown at that time. */
type Shown = { readonly at: Instant; readonly revision: number };
/** A request that took its time. */
type Delay = { readonly end: Instant; readonly span: number };

const followed = new Set(['kuards', 'crdregistrations', 'deployments', 'services']);

/** What one process was shown of instances, children and registrations, and which of its requests failed or were slow. */
export class ProcessSight implements ClientFault {
  readonly #clock: Clock;
  readonly #objects = new Map<string, Shown[]>();
  readonly #lists = new Map<string, Shown[]>();
  readonly #delays: Delay[] = [];
  readonly #failures = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The newest revision of an object that was shown until then. */
  revisionAt({ plural, uid }: { readonly plural: string; readonly uid: string }, until: number): number {
    return Math.max(newest(this.#objects.get(uid), until), newest(this.#lists.get(plural), until));
  }

  /** How long requests that ended since then took. */
  delaySince(then: number): number {
    let sum = 0;
    for (const { end, span } of this.#delays) if (end >= then) sum += span;
    return sum;
  }

  /** Requests about an instance and its children, or about the registration, that failed or were refused. */
  failuresOf(name: string): number {
    return this.#failures.get(name) ?? 0;
  }

  async call<Result>(call: ClientCall, go: () => Promise<Result>): Promise<Result> {
    const begin = this.#clock.now();
    try {
      const result = await go();
      this.#answered(call, result as Outcome | Listed);
      return result;
    } catch (error) {
      this.#failed(call);
      throw error;
    } finally {
      const end = this.#clock.now();
      if (end > begin) this.#delays.push({ end, span: end - begin });
    }
  }

  watch(
    { plural }: Resource,
    open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent> {
    return followed.has(plural) ? this.#seen(open(signal)) : open(signal);
  }

  async *#seen(events: AsyncIterable<WatchEvent>): AsyncIterable<WatchEvent> {
    for await (const event of events) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED')
        this.#show(event.object);
      yield event;
    }
  }

  #answered(call: ClientCall, result: Outcome | Listed): void {
    if (result.type !== 'ok') {
      if (result.type !== 'not-found' || isWrite(call)) this.#failed(call);
      return;
    }
    const { plural } = call.resource;
    if (!followed.has(plural)) return;
    if ('items' in result) this.#note(this.#lists, plural, Number(result.resourceVersion));
    else if (isWrite(call) || plural !== 'kuards') this.#show(result.object);
  }

  #failed({ name, resource }: ClientCall): void {
    const about = resource.plural === 'kuards' || name === 'kuard' ? name : name.slice('kuard-'.length);
    this.#failures.set(about, this.failuresOf(about) + 1);
  }

  #show(object: KubeObject): void {
    this.#note(this.#objects, uidOf(object), Number(resourceVersionOf(object)));
  }

  #note(all: Map<string, Shown[]>, key: string, revision: number): void {
    const known = all.get(key);
    const shown = { at: this.#clock.now(), revision };
    if (known === undefined) all.set(key, [shown]);
    else if (revision > (known.at(-1)?.revision ?? 0)) known.push(shown);
  }
}

const newest = (shown: readonly Shown[] | undefined, until: number): number =>
  shown?.findLast(({ at }) => at <= until)?.revision ?? 0;
