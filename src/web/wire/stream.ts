import type { ClusterPage } from './cluster-page.ts';
import type { HookRunPage, TemplatePage } from './hook-pages.ts';
import type { Overview, OverviewRow } from './overview.ts';
import type { CallPage, RegistrationPage } from './registration-page.ts';
import type { ReleasePage } from './release-page.ts';

/** The page of one object. */
export type ObjectPage =
  | { readonly type: 'release'; readonly page: ReleasePage }
  | { readonly type: 'hookrun'; readonly page: HookRunPage }
  | { readonly type: 'template'; readonly page: TemplatePage }
  | { readonly type: 'cluster'; readonly page: ClusterPage }
  | { readonly type: 'registration'; readonly page: RegistrationPage }
  | { readonly type: 'call'; readonly page: CallPage };

/** A part of the output of a script. */
export type OutputPart = {
  /** Whether it replaces what the tab has; otherwise it is added. */
  readonly isWhole: boolean;
  /** The bytes of the output before the text that is shown. */
  readonly omitted: number;
  readonly text: string;
  readonly isRunning: boolean;
};

/** Characters of an output that a page shows: the last ones. */
export const mostOutput = 128 * 1024;

/** Topics of one stream: addresses have a limit. The tabs of a browser share a stream; each shows one page. */
export const mostTopics = 32;

/**
 * One event of the stream of a tab: `GET /api/stream?topic=…&topic=…`, as server-sent events whose data is this. The
 * event id is `topic@version`; a client that reconnects sends the versions that it has in `have=topic@version`, and
 * receives only what is newer. Every 15 s without one there is an event `beat`, so that a client notices a dead connection.
 */
export type StreamMessage =
  /** The whole overview. */
  | { readonly type: 'overview'; readonly version: string; readonly overview: Overview }
  /** Rows that are new or changed, and keys of rows that are gone. */
  | {
      readonly type: 'rows';
      readonly version: string;
      readonly put: readonly OverviewRow[];
      readonly removed: readonly string[];
    }
  | { readonly type: 'object'; readonly topic: string; readonly version: string; readonly object: ObjectPage }
  /** What was added to the output of a script, or all that is shown of it. */
  | { readonly type: 'output'; readonly topic: string; readonly version: string; readonly part: OutputPart }
  /** The object does not exist (any more). */
  | { readonly type: 'gone'; readonly topic: string; readonly version: string }
  /** The topic cannot be followed: no rights, or its kind is not installed. */
  | { readonly type: 'refused'; readonly topic: string; readonly message: string }
  /** The connection to the API server: what is shown is of `since` while it is lost. */
  | { readonly type: 'connection'; readonly isUp: boolean; readonly since: string; readonly message: string }
  /** The session has ended: sign in again. */
  | { readonly type: 'signed-out'; readonly message: string };
