import type { FromHub } from '#web/page/model/hub-messages.ts';
import {
  isUnread,
  missingTopics,
  newsOf,
  nothingUnread,
  unreadAfter,
  type Unread,
} from '#web/page/model/tab-news.ts';
import type { TabState } from '#web/page/model/tab-state.ts';
import type { StreamMessage } from '#web/wire/stream.ts';

/** A tab that was not heard of for so long is closed or asleep. */
const longestSilence = 3 * 60_000;

/** A tab as the hub knows it: what it follows, and what it has not received yet. */
export class HubTab {
  readonly send: (message: FromHub) => void;
  session = '';
  topics: ReadonlySet<string> = new Set();
  #unread: Unread = nothingUnread;
  /** It has not shown the last news yet. A tab that is asleep never does, so nothing is sent to it meanwhile. */
  #isBusy = false;
  #heardAt = Date.now();

  constructor(send: (message: FromHub) => void) {
    this.send = send;
  }

  get isSilent(): boolean {
    return Date.now() - this.#heardAt > longestSilence;
  }

  heard(): void {
    this.#heardAt = Date.now();
  }

  /** Whether it follows exactly these topics already. */
  isAt(session: string, topics: readonly string[]): boolean {
    return (
      this.session === session &&
      this.topics.size === topics.length &&
      topics.every((topic) => this.topics.has(topic))
    );
  }

  follow(state: TabState, topics: readonly string[], have: Readonly<Record<string, string>>): void {
    this.topics = new Set(topics);
    this.#unread = { topics: missingTopics(state, topics, have), rows: new Set(), connection: true };
    this.#isBusy = false;
    this.flush(state);
  }

  /** Notes a message that is part of the state by now. */
  note(message: StreamMessage, state: TabState): void {
    const unread = unreadAfter(this.#unread, message, this.topics);
    if (unread === this.#unread) return;
    if (this.#isBusy || isUnread(this.#unread)) this.#unread = unread;
    // A tab that has everything else needs only what is new.
    else this.#tell([message]);
    this.flush(state);
  }

  hasRead(state: TabState): void {
    this.#isBusy = false;
    this.flush(state);
  }

  flush(state: TabState): void {
    if (this.#isBusy || !isUnread(this.#unread)) return;
    const messages = newsOf(state, this.#unread);
    this.#unread = nothingUnread;
    this.#tell(messages);
  }

  #tell(messages: readonly StreamMessage[]): void {
    this.#isBusy = true;
    this.send({ type: 'news', messages });
  }
}
