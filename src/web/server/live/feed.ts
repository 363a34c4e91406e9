import type { StreamMessage } from '#web/wire/stream.ts';

/** What a tab receives of a topic: the text of each message, and the version that it has then. */
export type FeedNews = { readonly texts: readonly string[]; readonly version: string | undefined };

/** What is known about a topic, for all tabs of an identity. */
export type Feed = {
  /** The messages that bring a tab from the version that it has to the present one; none: it is up to date. */
  newsSince(have: string | undefined): FeedNews;
  subscribe(listener: () => void): () => void;
  /** Ends the feed, once nobody follows it. */
  close(): void;
};

export type MakeFeed = (onChange: () => void) => Omit<Feed, 'subscribe'>;

/** A feed with its listeners. */
export function feedOf(make: MakeFeed): Feed {
  const listeners = new Set<() => void>();
  const feed = make(() => {
    for (const listener of listeners) listener();
  });
  return {
    newsSince: (have) => feed.newsSince(have),
    close: () => feed.close(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** As server-sent events are written. The id is for the resumption of the topic. */
export function eventText(message: StreamMessage, topic: string | undefined, json: string): string {
  const version = 'version' in message ? message.version : undefined;
  const id = version === undefined || topic === undefined ? '' : `id: ${topic}@${version}\n`;
  return `${id}data: ${json}\n\n`;
}
