import type { Refusal } from '#edge/kube/outcome.ts';
import type { WithMetadata } from '#kube/object.ts';
import type { Delta } from '#loop/delta.ts';
import type { InformerPool, PooledInformer } from './informer-pool.ts';
import type { WatchedKind } from './watched-kind.ts';

type KindWatchDeps<Decoded extends WithMetadata> = {
  readonly pool: Pick<InformerPool, 'take'>;
  readonly kind: WatchedKind<Decoded>;
  /** The namespace to fall back to; empty: none. */
  readonly namespace: string;
  /** Called with each change, and without one when what can be listed has changed. */
  readonly onChange: (delta?: Delta<Decoded>) => void;
};

/** The objects of one kind: of all namespaces, or where the user may not list those, of one. */
export class KindWatch<Decoded extends WithMetadata> {
  readonly #deps: KindWatchDeps<Decoded>;
  readonly #all: PooledInformer<Decoded>;
  #one: PooledInformer<Decoded> | undefined;

  constructor(deps: KindWatchDeps<Decoded>) {
    this.#deps = deps;
    this.#all = deps.pool.take(deps.kind);
    this.#all.subscribe((delta) => {
      if (delta === undefined) this.#choose();
      deps.onChange(delta);
    });
    this.#choose();
  }

  list(): readonly Decoded[] {
    return (this.#one ?? this.#all).list();
  }

  /** The objects are known, or why not. */
  isSettled(): boolean {
    return this.#all.isSettled() && (this.#one?.isSettled() ?? true);
  }

  /** Why not all objects are known. `isNarrow`: those of the one namespace are. */
  refusal(): { readonly refusal: Refusal; readonly isNarrow: boolean } | undefined {
    const refusal = this.#all.refusal();
    if (refusal === undefined) return undefined;
    return { refusal, isNarrow: this.#one !== undefined && this.#one.refusal() === undefined };
  }

  close(): void {
    this.#all.release();
    this.#one?.release();
  }

  #choose(): void {
    const { pool, kind, namespace, onChange } = this.#deps;
    const isNarrow =
      this.#all.refusal()?.type === 'forbidden' && kind.resource.namespaced && namespace !== '';
    if (isNarrow && this.#one === undefined) {
      this.#one = pool.take({ ...kind, namespace });
      this.#one.subscribe(onChange);
    } else if (!isNarrow) {
      this.#one?.release();
      this.#one = undefined;
    }
  }
}
