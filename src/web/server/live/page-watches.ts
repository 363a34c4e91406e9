import type { Resource } from '#kube/resource.ts';
import type { InformerPool } from './informer-pool.ts';
import { KindWatch } from './kind-watch.ts';
import { overviewSources } from './overview-kinds.ts';
import { concerns, type WatchRequest } from './watch-request.ts';
import { watchedKind, type KnownObject } from './watched-kind.ts';

type PageWatch = { readonly watch: KindWatch<KnownObject>; requests: readonly WatchRequest[] };

/** The parts of the shared watches of an identity that one page needs. */
export class PageWatches {
  readonly #pool: Pick<InformerPool, 'take'>;
  readonly #onChange: (resource: Resource) => void;
  readonly #open = new Map<string, PageWatch>();

  constructor(pool: Pick<InformerPool, 'take'>, onChange: (resource: Resource) => void) {
    this.#pool = pool;
    this.#onChange = onChange;
  }

  /**
   * Watches these objects and no others. True: a watch that others had opened before is used now, and a change since the
   * page was read is not reported again.
   */
  follow(requests: readonly WatchRequest[]): boolean {
    const wanted = Map.groupBy(requests, kindKey);
    const added = [...wanted].filter(([key, asked]) => {
      const known = this.#open.get(key);
      if (known !== undefined) known.requests = asked;
      return known === undefined;
    });
    for (const [key, { watch }] of this.#open) {
      if (wanted.has(key)) continue;
      watch.close();
      this.#open.delete(key);
    }
    return added.map(([key, asked]) => this.#add(key, asked)).some((watch) => watch.isSettled());
  }

  close(): void {
    for (const { watch } of this.#open.values()) watch.close();
    this.#open.clear();
  }

  #add(key: string, requests: readonly WatchRequest[]): KindWatch<KnownObject> {
    const [first] = requests;
    if (first === undefined) throw new Error('a watch is of at least one request');
    const watch = new KindWatch<KnownObject>({
      pool: this.#pool,
      kind: watchedKind(first.resource, overviewSources),
      namespace: first.namespace ?? '',
      onChange: (delta) => {
        const asked = this.#open.get(key)?.requests ?? [];
        if (delta === undefined || asked.some((each) => concerns(each, delta)))
          this.#onChange(first.resource);
      },
    });
    this.#open.set(key, { watch, requests });
    return watch;
  }
}

/** Requests of one kind share a watch. A user without the right to watch all namespaces watches one. */
const kindKey = ({ resource, namespace = '' }: WatchRequest): string =>
  [resource.group, resource.plural, namespace].join(' ');
