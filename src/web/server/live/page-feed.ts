import { hashText } from '#base/hash.ts';
import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { ObjectPage, StreamMessage } from '#web/wire/stream.ts';
import { eventText, type Feed, type FeedNews } from './feed.ts';
import { watchId, type InformerPool, type PooledInformer, type WatchRequest } from './informer-pool.ts';
import { wireText } from './wire-text.ts';

/** A page as it was read. */
export type ReadPage = (
  | {
      readonly type: 'object';
      readonly object: ObjectPage;
      /** The parts that differ whenever it is read, such as the time: they alone are no reason to send it. */
      readonly passing?: readonly string[];
    }
  | { readonly type: 'gone' }
  | { readonly type: 'refused'; readonly message: string }
) & {
  /** The objects whose changes make it old. */
  readonly watch: readonly WatchRequest[];
};

type PageDeps = {
  readonly topic: string;
  readonly read: (signal: AbortSignal) => Promise<ReadPage>;
  readonly pool: Pick<InformerPool, 'take'>;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
};

/** Changes within this time are read together. */
const together = millis(50);
/** Some sentences depend on the time: also without a change a page is read again. */
const refreshed = seconds(30);
const afterFailure = seconds(2);
/** A page that is not read by then is given up, and read again. */
const patience = seconds(30);

/** The page of one object: read again when one of the watched objects has changed, and sent when it differs. */
export class PageFeed implements Omit<Feed, 'subscribe'> {
  readonly #deps: PageDeps;
  readonly #onChange: () => void;
  readonly #watched = new Map<string, PooledInformer>();
  readonly #closed = new AbortController();
  #news: FeedNews | undefined;
  #isReading = false;
  #isOld = false;
  #cancel: () => void = () => undefined;

  constructor(deps: PageDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
    void this.#read();
  }

  newsSince(have: string | undefined): FeedNews {
    const news = this.#news;
    if (news === undefined) return { texts: [], version: have };
    return news.version === have ? { texts: [], version: have } : news;
  }

  close(): void {
    this.#closed.abort(new Error('nobody looks at the page any more'));
    this.#cancel();
    for (const informer of this.#watched.values()) informer.release();
    this.#watched.clear();
  }

  #changed(): void {
    if (this.#isReading) this.#isOld = true;
    else if (!this.#isOld) {
      this.#isOld = true;
      this.#readIn(together);
    }
  }

  #readIn(span: Millis): void {
    this.#cancel();
    if (!this.#closed.signal.aborted) this.#cancel = this.#deps.clock.after(span, () => void this.#read());
  }

  async #read(): Promise<void> {
    const { clock, read, report } = this.#deps;
    const late = new AbortController();
    const cancel = clock.after(patience, () => late.abort(new Unavailable('no answer in 30 s')));
    const began = clock.now();
    this.#isReading = true;
    this.#isOld = false;
    let pause: Millis = refreshed;
    try {
      this.#take(await read(AbortSignal.any([this.#closed.signal, late.signal])));
    } catch (error) {
      if (!this.#closed.signal.aborted && !(error instanceof Unavailable)) report(error);
      pause = afterFailure;
    } finally {
      cancel();
      this.#isReading = false;
    }
    // A page that takes long to read leaves time for others.
    this.#readIn(this.#isOld ? millis(Math.max(together, clock.now() - began)) : pause);
  }

  #take(page: ReadPage): void {
    if (this.#closed.signal.aborted) return;
    this.#follow(page.watch);
    const news = newsOf(this.#deps.topic, page);
    if (news.version === this.#news?.version) return;
    this.#news = news;
    this.#onChange();
  }

  #follow(requests: readonly WatchRequest[]): void {
    const wanted = new Map(requests.map((request) => [watchId(request), request]));
    for (const [id, request] of wanted) {
      if (this.#watched.has(id)) continue;
      const informer = this.#deps.pool.take(request);
      informer.subscribe(() => this.#changed());
      this.#watched.set(id, informer);
    }
    for (const [id, informer] of this.#watched) {
      if (wanted.has(id)) continue;
      informer.release();
      this.#watched.delete(id);
    }
  }
}

function newsOf(topic: string, page: ReadPage): FeedNews {
  switch (page.type) {
    case 'object': {
      const { object, passing = [] } = page;
      const json = wireText(object);
      const version = hashText(passing.reduce((text, part) => text.replaceAll(`"${part}"`, '""'), json));
      const message: StreamMessage = { type: 'object', topic, version, object };
      return { version, texts: [eventText(message, topic, wireText(message))] };
    }
    case 'gone': {
      const message: StreamMessage = { type: 'gone', topic, version: 'gone' };
      return { version: 'gone', texts: [eventText(message, topic, wireText(message))] };
    }
    case 'refused': {
      const message: StreamMessage = { type: 'refused', topic, message: page.message };
      const version = `refused ${hashText(page.message)}`;
      return { version, texts: [eventText(message, undefined, wireText(message))] };
    }
  }
}
