import { millis, type Clock } from '#base/time.ts';
import type { Random } from '#base/random.ts';
import type { Delta } from '#loop/delta.ts';
import type { Overview, OverviewRow } from '#web/wire/overview.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { eventText, type Feed, type FeedNews } from './feed.ts';
import type { InformerPool } from './informer-pool.ts';
import { KindWatch } from './kind-watch.ts';
import { missingText } from './missing-kind.ts';
import { overviewSources, type KeptRow, type OverviewSource } from './overview-kinds.ts';
import { inOrder, mostRows } from './overview-order.ts';
import { wireText } from './wire-text.ts';

type OverviewDeps = {
  readonly pool: Pick<InformerPool, 'take'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly examples: Overview['examples'];
  /** The namespace that is shown to users who may not list all. */
  readonly namespace: string;
};

/** Changes within this time are sent together. */
const together = millis(30);
/** Rows that are gone are remembered, so that a tab can come back. */
const mostGone = 10_000;

/** All rows, and which changed when: a tab receives what is newer than the version that it has. */
export class OverviewFeed implements Omit<Feed, 'subscribe'> {
  readonly #deps: OverviewDeps;
  readonly #onNews: () => void;
  readonly #kinds: readonly { readonly source: OverviewSource; readonly watch: KindWatch<KeptRow> }[];
  /** Versions of another process, or of an earlier feed, begin with another text. */
  readonly #epoch: string;
  /** When each row was last changed, in the order of changes. */
  readonly #changed = new Map<string, number>();
  readonly #rows = new Map<string, OverviewRow>();
  #version = 0;
  /** A tab with an older version receives everything. */
  #wholeFrom = 0;
  #cancel: (() => void) | undefined;
  readonly #texts = new Map<string, FeedNews>();

  constructor(deps: OverviewDeps, onNews: () => void) {
    this.#deps = deps;
    this.#onNews = onNews;
    this.#epoch = deps.random.uuid().slice(0, 8);
    const onChange = (delta?: Delta<KeptRow>): void => this.#take(delta);
    this.#kinds = overviewSources.map((source) => ({
      source,
      watch: new KindWatch({ ...deps, kind: source, onChange }),
    }));
    for (const { watch } of this.#kinds) for (const { row } of watch.list()) this.#put(row);
  }

  newsSince(have: string | undefined): FeedNews {
    const key = have ?? '';
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const news = this.#news(have);
    this.#texts.set(key, news);
    return news;
  }

  close(): void {
    this.#cancel?.();
    for (const { watch } of this.#kinds) watch.close();
  }

  /** Without a change: what can be listed has changed, so that tabs need the whole overview. */
  #take(delta: Delta<KeptRow> | undefined): void {
    if (delta === undefined) this.#wholeFrom = this.#version += 1;
    else if (delta.type === 'deleted') this.#remove(delta.object.row.key);
    else this.#put(delta.object.row);
    this.#soon();
  }

  #put(row: OverviewRow): void {
    this.#rows.set(row.key, row);
    this.#note(row.key);
  }

  #remove(key: string): void {
    this.#rows.delete(key);
    this.#note(key);
    const [oldest] = this.#changed;
    if (this.#changed.size <= this.#rows.size + mostGone || oldest === undefined) return;
    this.#wholeFrom = Math.max(this.#wholeFrom, oldest[1]);
    this.#changed.delete(oldest[0]);
  }

  #note(key: string): void {
    this.#version += 1;
    this.#changed.delete(key);
    this.#changed.set(key, this.#version);
  }

  #soon(): void {
    this.#texts.clear();
    this.#cancel ??= this.#deps.clock.after(together, () => {
      this.#cancel = undefined;
      this.#texts.clear();
      this.#onNews();
    });
  }

  #news(have: string | undefined): FeedNews {
    // Until each kind has been listed or refused, the overview would look empty.
    if (!this.#kinds.every(({ watch }) => watch.isSettled())) return { texts: [], version: have };
    const version = `${this.#epoch}.${this.#version}`;
    if (have === version) return { texts: [], version };
    const [epoch, number] = (have ?? '').split('.');
    const from = epoch === this.#epoch ? Number(number) : -1;
    const message: StreamMessage =
      from >= this.#wholeFrom && from <= this.#version
        ? { type: 'rows', version, ...this.#since(from) }
        : { type: 'overview', version, overview: this.#overview() };
    return { texts: [eventText(message, 'overview', wireText(message))], version };
  }

  #since(from: number): { readonly put: readonly OverviewRow[]; readonly removed: readonly string[] } {
    const keys: string[] = [];
    for (const [key, at] of [...this.#changed].toReversed()) {
      if (at <= from) break;
      keys.push(key);
    }
    return {
      put: keys.flatMap((key) => this.#rows.get(key) ?? []),
      removed: keys.filter((key) => !this.#rows.has(key)),
    };
  }

  #overview(): Overview {
    const all = inOrder([...this.#rows.values()]);
    const missing = this.#kinds.flatMap(({ source, watch }) => {
      const message = missingText(source, watch, this.#deps.namespace);
      return message === undefined ? [] : [{ kind: source.kind, message }];
    });
    const rows = all.slice(0, mostRows);
    return { rows, missing, left: all.length - rows.length, examples: this.#deps.examples };
  }
}
