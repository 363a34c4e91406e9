import { hashText } from '#base/hash.ts';
import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Resource } from '#kube/resource.ts';
import type { ObjectPage, StreamMessage } from '#web/wire/stream.ts';
import { eventText, type Feed, type FeedNews } from './feed.ts';
import type { InformerPool } from './informer-pool.ts';
import { PageWatches } from './page-watches.ts';
import type { WatchRequest } from './watch-request.ts';
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
  /** Called before a page is read again: watched objects of this kind have changed; undefined: any may have. */
  readonly onStale: (resource: Resource | undefined) => void;
  readonly pool: Pick<InformerPool, 'take'>;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
};

/** Changes within this time are read together. */
const together = millis(30);
/** Some sentences depend on the time: also without a change a page is read again. */
const refreshed = seconds(30);
const afterFailure = seconds(2);
/** Who has no right today may be given it in the next moment. */
const afterRefusal = seconds(5);
/** A page that is not read by then is given up, and read again. */
const patience = seconds(30);

/** The page of one object: read again when one of the watched objects has changed, and sent when it differs. */
export class PageFeed implements Omit<Feed, 'subscribe'> {
  readonly #deps: PageDeps;
  readonly #onChange: () => void;
  readonly #watches: PageWatches;
  readonly #closed = new AbortController();
  #news: FeedNews | undefined;
  #isReading = false;
  #isOld = false;
  #cancel: () => void = () => undefined;

  constructor(deps: PageDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
    this.#watches = new PageWatches(deps.pool, (resource) => this.#changed(resource));
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
    this.#watches.close();
  }

  #changed(resource: Resource): void {
    this.#deps.onStale(resource);
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
    const { clock, read, onStale, report } = this.#deps;
    const late = new AbortController();
    const cancel = clock.after(patience, () => late.abort(new Unavailable('no answer in 30 s')));
    const began = clock.now();
    if (!this.#isOld) onStale(undefined);
    this.#isReading = true;
    this.#isOld = false;
    let pause: Millis = refreshed;
    try {
      const page = await read(AbortSignal.any([this.#closed.signal, late.signal]));
      this.#take(page);
      if (page.type === 'refused') pause = afterRefusal;
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
    if (this.#watches.follow(page.watch)) this.#isOld = true;
    const news = newsOf(this.#deps.topic, page);
    if (news.version === this.#news?.version) return;
    this.#news = news;
    this.#onChange();
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
