import type { Random } from '#base/random.ts';
import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { WithMetadata } from '#kube/object.ts';
import type { Delta } from '#loop/delta.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import { isRefusal } from './cluster-health.ts';
import type { WatchedKind } from './watched-kind.ts';

export type PooledInformer<Decoded extends WithMetadata = WithMetadata> = {
  list(): readonly Decoded[];
  /** It has the objects, or knows why not. */
  isSettled(): boolean;
  /** Why the objects cannot be listed; undefined when they can, or when nothing is known yet. */
  refusal(): Refusal | undefined;
  /** Called with each change, and without one when it is settled or refused. */
  subscribe(listener: (delta?: Delta<Decoded>) => void): () => void;
  /** Ends the watch, unless others use it. */
  release(): void;
};

type PoolDeps = {
  readonly client: Pick<KubeClient, 'pages' | 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** A lost server is asked again at least so often. Few do that: one process, a few watches. */
const longestPause = seconds(3);

/** The objects of a kind: in all namespaces, or in one. */
type Watched<Decoded extends WithMetadata> = WatchedKind<Decoded> & { readonly namespace?: string };

/** The watches of one identity: one for each kind, however many tabs and pages look. */
export class InformerPool {
  readonly #deps: PoolDeps;
  readonly #shared = new Map<string, Endable>();

  constructor(deps: PoolDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#shared.size;
  }

  take<Decoded extends WithMetadata>(watched: Watched<Decoded>): PooledInformer<Decoded> {
    const id = idOf(watched);
    // Each kind is watched in one way: the informer under this id is of this type.
    const known = this.#shared.get(id) as SharedInformer<Decoded> | undefined;
    const informer = known ?? new SharedInformer(this.#deps, watched);
    this.#shared.set(id, informer);
    return informer.use(() => this.#shared.delete(id));
  }

  close(): void {
    for (const each of this.#shared.values()) each.end();
    this.#shared.clear();
  }
}

type Endable = { end(): void };

const idOf = ({ resource, namespace = '' }: Pick<Watched<WithMetadata>, 'resource' | 'namespace'>): string =>
  [resource.group, resource.plural, namespace].join(' ');

class SharedInformer<Decoded extends WithMetadata> {
  readonly #informer: Informer<Decoded>;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(delta?: Delta<Decoded>) => void>();
  #users = 0;
  #isSynced = false;
  #refusal: Refusal | undefined;

  constructor({ client, clock, random }: PoolDeps, watched: Watched<Decoded>) {
    const noted = { ...client, ...this.#noting(client) };
    this.#informer = createInformer({ ...watched, client: noted, random, clock: this.#impatient(clock) });
    this.#informer.subscribe((delta) => this.#tell(delta));
    void this.#sync();
    void this.#informer.run(this.#stop.signal);
  }

  use(onEnd: () => void): PooledInformer<Decoded> {
    this.#users += 1;
    let isReleased = false;
    const own = new Set<(delta?: Delta<Decoded>) => void>();
    return {
      list: () => this.#informer.list(),
      isSettled: () => this.#isSynced || this.#refusal !== undefined,
      refusal: () => this.#refusal,
      subscribe: (listener) => {
        own.add(listener);
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const listener of own) this.#listeners.delete(listener);
        this.#users -= 1;
        if (this.#users > 0) return;
        onEnd();
        this.end();
      },
    };
  }

  end(): void {
    this.#stop.abort(new Error('nobody looks any more'));
  }

  async #sync(): Promise<void> {
    await this.#informer.synced;
    this.#isSynced = true;
    this.#tell();
  }

  #tell(delta?: Delta<Decoded>): void {
    for (const listener of this.#listeners) listener(delta);
  }

  #settle(refusal: Refusal | undefined): void {
    const isNew = this.#refusal?.message !== refusal?.message;
    this.#refusal = refusal;
    if (isNew) this.#tell();
  }

  /** Notes whether the server refuses the list. A refusal of an old list or watch is not about rights. */
  #noting({ pages, list }: PoolDeps['client']): Pick<KubeClient, 'pages' | 'list'> {
    const note = (answer: object): void =>
      this.#settle(isRefusal(answer) && answer.type !== 'gone' ? answer : undefined);
    const pagesOf: KubeClient['pages'] = (...given) => noted(pages(...given), note);
    const listed: KubeClient['list'] = async (...given) => {
      const answer = await list(...given);
      note(answer);
      return answer;
    };
    return { pages: pagesOf, list: listed };
  }

  #impatient(clock: Clock): Clock {
    const bounded = (span: Millis): Millis =>
      this.#refusal === undefined ? millis(Math.min(span, longestPause)) : span;
    return { ...clock, sleep: (span, signal) => clock.sleep(bounded(span), signal) };
  }
}

async function* noted<Answer>(
  answers: AsyncIterable<Answer>,
  note: (answer: Answer) => void,
): AsyncGenerator<Answer> {
  for await (const answer of answers) {
    note(answer);
    yield answer;
  }
}
