import { seconds, type Clock } from '#base/time.ts';
import { eventText } from './feed.ts';
import type { FollowedTopic } from './feeds.ts';
import type { ClusterHealth, ConnectionMessage } from './cluster-health.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { wireText } from './wire-text.ts';

type TabDeps = {
  /** Called when the stream is read for the first time: what it takes is released when the stream ends. */
  readonly open: () => readonly FollowedTopic[];
  /** The versions that the tab has, by topic. */
  readonly have: ReadonlyMap<string, string>;
  readonly health: Pick<ClusterHealth, 'connection' | 'subscribe'>;
  readonly clock: Clock;
  /** Aborts when the session ends; the message of its reason is for the user. */
  readonly ended: AbortSignal;
  /** Aborts when the tab is closed. */
  readonly gone: AbortSignal;
};

/** Proxies close silent connections after a minute or less, and a page takes a silent one for dead after 45 s. */
const heartbeat = seconds(15);

/**
 * The events of a tab. What a tab has not read yet is not kept: when it reads on, it receives the difference between
 * what it has and what there is now.
 */
export async function* tabStream(deps: TabDeps): AsyncGenerator<string> {
  const tab = new Tab(deps);
  try {
    yield 'retry: 1000\n: boathook\n\n';
    while (!tab.isOver) {
      const news = tab.news();
      yield* news;
      if (news.length === 0 && !(await tab.changed())) yield 'event: beat\ndata: {}\n\n';
    }
    yield* tab.farewell();
  } finally {
    tab.close();
  }
}

class Tab {
  readonly #deps: TabDeps;
  readonly #topics: readonly FollowedTopic[];
  readonly #versions: Map<string, string>;
  readonly #over: AbortSignal;
  readonly #stops: readonly (() => void)[];
  readonly #call = (): void => this.#wake.resolve();
  #wake = Promise.withResolvers<void>();
  #connection: ConnectionMessage | undefined;

  constructor(deps: TabDeps) {
    this.#deps = deps;
    this.#versions = new Map(deps.have);
    this.#topics = deps.open();
    this.#over = AbortSignal.any([deps.ended, deps.gone]);
    this.#over.addEventListener('abort', this.#call);
    const feeds = this.#topics.map(({ feed }) => feed.subscribe(this.#call));
    this.#stops = [...feeds, deps.health.subscribe(this.#call)];
  }

  get isOver(): boolean {
    return this.#over.aborted;
  }

  /** What the tab does not have yet. */
  news(): readonly string[] {
    this.#wake = Promise.withResolvers<void>();
    return [
      ...this.#connectionNews(),
      ...this.#topics.flatMap(({ topic, feed }) => {
        const { texts, version } = feed.newsSince(this.#versions.get(topic));
        if (version !== undefined) this.#versions.set(topic, version);
        return texts;
      }),
    ];
  }

  /** Whether something changes before the next heartbeat. */
  async changed(): Promise<boolean> {
    const beat = Promise.withResolvers<void>();
    let isChanged = true;
    const cancel = this.#deps.clock.after(heartbeat, () => {
      isChanged = false;
      beat.resolve();
    });
    await Promise.race([this.#wake.promise, beat.promise]);
    cancel();
    return isChanged;
  }

  farewell(): readonly string[] {
    const { ended } = this.#deps;
    const message = reasonOf(ended);
    // Without a message the server is being stopped: the page keeps what it shows and tries to connect again.
    return ended.aborted && message !== '' ? [plainEvent({ type: 'signed-out', message })] : [];
  }

  close(): void {
    this.#over.removeEventListener('abort', this.#call);
    for (const stop of this.#stops) stop();
    for (const topic of this.#topics) topic.release();
  }

  /** A connection that was never lost needs no message. */
  #connectionNews(): readonly string[] {
    const { connection } = this.#deps.health;
    const before = this.#connection;
    this.#connection = connection;
    return connection === before || (before === undefined && connection.isUp) ? [] : [plainEvent(connection)];
  }
}

const plainEvent = (message: StreamMessage): string => eventText(message, undefined, wireText(message));

const reasonOf = ({ reason }: AbortSignal): string =>
  reason instanceof Error ? reason.message : 'the session has ended';
