import type { Refusal } from '#edge/kube/outcome.ts';
import type { Delta } from '#loop/delta.ts';
import type { InformerPool, PooledInformer } from './informer-pool.ts';
import type { KeptRow, OverviewSource } from './overview-kinds.ts';

type KindWatchDeps = {
  readonly pool: Pick<InformerPool, 'take'>;
  readonly source: OverviewSource;
  /** The namespace to fall back to; empty: none. */
  readonly namespace: string;
  /** Called with each change, and without one when what can be listed has changed. */
  readonly onChange: (delta?: Delta<KeptRow>) => void;
};

/** The rows of one kind: of all namespaces, or where a user may not list those, of one. */
export class KindWatch {
  readonly source: OverviewSource;
  readonly #deps: KindWatchDeps;
  readonly #all: PooledInformer<KeptRow>;
  #one: PooledInformer<KeptRow> | undefined;

  constructor(deps: KindWatchDeps) {
    this.#deps = deps;
    this.source = deps.source;
    this.#all = deps.pool.take(deps.source);
    this.#all.subscribe((delta) => {
      if (delta === undefined) this.#choose();
      deps.onChange(delta);
    });
    this.#choose();
  }

  rows(): readonly KeptRow[] {
    return (this.#one ?? this.#all).list();
  }

  /** The rows are known, or why not. */
  isSettled(): boolean {
    return this.#all.isSettled() && (this.#one?.isSettled() ?? true);
  }

  /** What is not shown, in a sentence. */
  missing(): string | undefined {
    const refusal = this.#all.refusal();
    if (refusal === undefined) return undefined;
    const { words } = this.source;
    if (this.#one === undefined || this.#one.refusal() !== undefined)
      return missingText(this.source, refusal);
    return `Only ${words} of namespace ${this.#deps.namespace} are shown: ${refusal.message}`;
  }

  close(): void {
    this.#all.release();
    this.#one?.release();
  }

  #choose(): void {
    const { pool, source, namespace, onChange } = this.#deps;
    const isNarrow =
      this.#all.refusal()?.type === 'forbidden' && source.resource.namespaced && namespace !== '';
    if (isNarrow && this.#one === undefined) {
      this.#one = pool.take({ ...source, namespace });
      this.#one.subscribe(onChange);
    } else if (!isNarrow) {
      this.#one?.release();
      this.#one = undefined;
    }
  }
}

function missingText({ words, resource }: OverviewSource, { type, message }: Refusal): string {
  if (type === 'not-found')
    return `The cluster has no ${words}: install ${resource.plural}.${resource.group} with boathook crds | kubectl apply -f -`;
  return `${words} cannot be listed: ${message}`;
}
