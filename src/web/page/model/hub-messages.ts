import type { StreamMessage } from '#web/wire/stream.ts';

/** What a tab sends to the hub that the tabs of a browser share. */
export type ToHub =
  /**
   * The topics that the tab shows, with the versions that it has. A tab repeats this as long as it is open: a hub forgets
   * tabs that it has not heard of for minutes, since a browser does not report that a tab is closed or asleep.
   */
  | {
      readonly type: 'follow';
      readonly session: string;
      readonly topics: readonly string[];
      readonly have: Readonly<Record<string, string>>;
    }
  /** The tab has shown the last news. */
  | { readonly type: 'read' }
  /** The network is back. */
  | { readonly type: 'reconnect' }
  | { readonly type: 'leave' };

/** What the hub sends to a tab. */
export type FromHub =
  | { readonly type: 'news'; readonly messages: readonly StreamMessage[] }
  /** The state of the stream; `lostAt`: since when it is down, by the clock of this computer. */
  | { readonly type: 'link'; readonly lostAt?: number }
  /** The session has ended, or is another one now: ask for it. */
  | { readonly type: 'session'; readonly message: string };
