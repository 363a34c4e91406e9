import { seconds, type Clock } from '#base/time.ts';
import { parseTopic, topicText, type Topic } from '#web/wire/topic.ts';
import type { Feed } from './feed.ts';

/** A feed that no tab follows goes on for so long, and its watches with it. */
const lingering = seconds(30);

type Kept = { readonly feed: Feed; tabs: number; cancel: () => void };

/** A topic that a tab follows. */
export type FollowedTopic = { readonly topic: string; readonly feed: Feed; release(): void };

/** The feeds of one identity: tabs that follow the same topic share one. */
export class Feeds {
  readonly #clock: Clock;
  readonly #make: (topic: Topic) => Feed;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock, make: (topic: Topic) => Feed) {
    this.#clock = clock;
    this.#make = make;
  }

  /** Undefined: the text names no topic. */
  follow(text: string): FollowedTopic | undefined {
    const topic = parseTopic(text);
    if (topic === undefined) return undefined;
    const key = topicText(topic);
    const kept = this.#kept.get(key) ?? { feed: this.#make(topic), tabs: 0, cancel: () => undefined };
    this.#kept.set(key, kept);
    kept.cancel();
    kept.tabs += 1;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      kept.tabs -= 1;
      if (kept.tabs === 0) this.#endLater(key, kept);
    };
    return { topic: key, feed: kept.feed, release };
  }

  close(): void {
    for (const { feed, cancel } of this.#kept.values()) {
      cancel();
      feed.close();
    }
    this.#kept.clear();
  }

  /** A tab that is loaded again, or a laptop that wakes up, finds the feed as it left it. */
  #endLater(key: string, kept: Kept): void {
    kept.cancel = this.#clock.after(lingering, () => {
      this.#kept.delete(key);
      kept.feed.close();
    });
  }
}
