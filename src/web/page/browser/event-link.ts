import type { StreamMessage } from '#web/wire/stream.ts';

type LinkEvents = {
  readonly onOpen: () => void;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onLost: () => void;
};

/** The server sends something every 15 s. After this time without anything the connection is dead. */
const silence = 45_000;

/** One event stream from the server of the dashboard. */
export class EventLink {
  readonly #events: LinkEvents;
  #source: EventSource | undefined;
  #topics = '';
  #heardAt = 0;

  constructor(events: LinkEvents) {
    this.#events = events;
  }

  /** Follows these topics. `have`: the versions that are known. Nothing happens if it follows them already. */
  follow(topics: readonly string[], have: readonly string[]): void {
    const wanted = topics.join(' ');
    if (this.#source !== undefined && wanted === this.#topics) return;
    this.close();
    this.#topics = wanted;
    this.#heard();
    const query = new URLSearchParams([
      ...topics.map((topic) => ['topic', topic]),
      ...have.map((version) => ['have', version]),
    ]);
    const source = new EventSource(`/api/stream?${query}`);
    this.#source = source;
    source.addEventListener('open', () => {
      this.#heard();
      this.#events.onOpen();
    });
    source.addEventListener('beat', () => this.#heard());
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#heard();
      this.#events.onMessage(JSON.parse(data) as StreamMessage);
    });
    source.addEventListener('error', () => {
      if (this.#source === source) this.#events.onLost();
    });
  }

  /** Whether nothing came for so long that the connection must be dead, for example after this computer was asleep. */
  get isSilent(): boolean {
    return this.#source !== undefined && Date.now() - this.#heardAt > silence;
  }

  close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #heard(): void {
    this.#heardAt = Date.now();
  }
}
