import { backOff } from '#base/back-off.ts';
import { millis } from '#base/time.ts';
import { mostTopics, type StreamMessage } from '#web/wire/stream.ts';
import type { FromHub, ToHub } from '#web/page/model/hub-messages.ts';
import { applyMessage, emptyTab, keptPages, versionsOf, type TabState } from '#web/page/model/tab-state.ts';
import { EventLink } from './event-link.ts';
import { HubTab } from './hub-tab.ts';
import { getSession } from './requests.ts';

const betweenChecks = 15_000;

/**
 * The event stream that the tabs of a browser share. A browser opens at most six connections to a server without TLS, so
 * that a stream for each tab would leave the seventh tab without one. It keeps what the server sent, and each tab receives
 * what it does not have.
 */
export class StreamHub {
  readonly #tabs = new Set<HubTab>();
  #links: EventLink[] = [];
  #state: TabState = emptyTab;
  #session = '';
  #failures = 0;
  #lostAt: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    setInterval(() => this.#check(), betweenChecks);
  }

  /** A new tab. Returns what takes its messages. */
  connect(send: (message: FromHub) => void): (message: ToHub) => void {
    const tab = new HubTab(send);
    return (message) => this.#take(tab, message);
  }

  #take(tab: HubTab, message: ToHub): void {
    tab.heard();
    switch (message.type) {
      case 'follow':
        return this.#follow(tab, message);
      case 'read':
        return tab.hasRead(this.#state);
      case 'reconnect':
        return this.#reconnect();
      case 'leave':
        this.#tabs.delete(tab);
        return this.#open();
    }
  }

  #follow(tab: HubTab, { session, topics, have }: ToHub & { readonly type: 'follow' }): void {
    if (session !== this.#session) this.#begin(session);
    if (!this.#tabs.has(tab) || !tab.isAt(session, topics)) {
      this.#tabs.add(tab);
      tab.session = session;
      this.#sendLink(tab);
      tab.follow(this.#state, topics, have);
    }
    this.#check();
    this.#open();
  }

  /** Another session: what is known was for another user. Tabs of the one before have to ask who they are. */
  #begin(session: string): void {
    this.#forget();
    this.#session = session;
    this.#failures = 0;
    this.#lostAt = undefined;
    for (const tab of this.#tabs)
      if (tab.session !== session) tab.send({ type: 'session', message: 'Another user has signed in.' });
  }

  #forget(): void {
    this.#close();
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#state = emptyTab;
  }

  #close(): void {
    for (const link of this.#links) link.close();
    this.#links = [];
  }

  /** Follows the topics of all tabs. */
  #open(): void {
    if (this.#retry !== undefined) return;
    const tabs = [...this.#tabs].filter(({ session }) => session === this.#session);
    const topics = [...new Set(tabs.flatMap((tab) => [...tab.topics]))].sort();
    this.#state = keptPages(this.#state, new Set(topics));
    const count = Math.ceil(topics.length / mostTopics);
    for (const link of this.#links.splice(count)) link.close();
    while (this.#links.length < count) this.#links.push(this.#newLink());
    for (const [index, link] of this.#links.entries()) {
      const part = topics.slice(index * mostTopics, (index + 1) * mostTopics);
      link.follow(part, versionsOf(this.#state, part));
    }
  }

  #newLink(): EventLink {
    return new EventLink({
      onOpen: () => this.#up(),
      onMessage: (message) => this.#receive(message),
      onLost: () => this.#lose(),
    });
  }

  #receive(message: StreamMessage): void {
    if (message.type === 'signed-out') return this.#end(message.message);
    this.#state = applyMessage(this.#state, message);
    for (const tab of this.#tabs) if (tab.session === this.#session) tab.note(message, this.#state);
  }

  #up(): void {
    this.#failures = 0;
    // A server that reaches the cluster does not say so in a new stream.
    if (!this.#state.connection.isUp) this.#receive({ type: 'connection', ...emptyTab.connection });
    if (this.#lostAt === undefined) return;
    this.#lostAt = undefined;
    for (const tab of this.#tabs) this.#sendLink(tab);
  }

  #sendLink(tab: HubTab): void {
    tab.send({ type: 'link', ...(this.#lostAt === undefined ? {} : { lostAt: this.#lostAt }) });
  }

  /** Tries again with the versions that are known by then, which the browser's own repetition would not send. */
  #lose(): void {
    this.#close();
    if (this.#lostAt === undefined) {
      this.#lostAt = Date.now();
      for (const tab of this.#tabs) this.#sendLink(tab);
    }
    this.#failures += 1;
    const delay = backOff(this.#failures, Math.random(), { first: millis(500), longest: millis(5000) });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#again(), delay);
  }

  async #again(): Promise<void> {
    const session = this.#session;
    const answer = await getSession();
    // Meanwhile a tab may have come with another session.
    if (session !== this.#session || this.#retry === undefined) return;
    this.#retry = undefined;
    if (answer.type === 'failure') return this.#lose();
    if (answer.value.isSignedIn && answer.value.csrf === session) return this.#open();
    this.#end('The session has ended: it was too old, or the server of the dashboard was restarted.');
  }

  #end(message: string): void {
    this.#forget();
    this.#session = '';
    for (const tab of this.#tabs) tab.send({ type: 'session', message });
    this.#tabs.clear();
  }

  #reconnect(): void {
    this.#close();
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#open();
  }

  /** A browser does not report that a tab is gone, nor that a connection died while this computer was asleep. */
  #check(): void {
    const gone = [...this.#tabs].filter(({ isSilent }) => isSilent);
    for (const tab of gone) this.#tabs.delete(tab);
    if (this.#links.some(({ isSilent }) => isSilent)) this.#reconnect();
    else if (gone.length > 0) this.#open();
  }
}
