import type { JsonObject } from '#base/json.ts';

/** HTTP as plain values: the platform's Request and Response classes are too slow for an API server. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** Who opened the connection, as far as TLS proved it. */
export type Peer = {
  readonly certificate: { readonly user: string; readonly groups: readonly string[] } | undefined;
};

export type ApiRequest = {
  readonly method: string;
  /** Path as it came, still percent-encoded, without the query. */
  readonly path: string;
  /** Query as it came, without the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Headers;
  /** Every value of a header that may come more than once; left out where none does. */
  headerValues?(name: string): readonly string[];
  readonly peer: Peer;
  /** Reads the whole body, refusing more than `limit` bytes with `BodyTooLarge`. Empty when there is none. */
  body(limit: number): Promise<Uint8Array>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** What the listener does for fairness between users; left out inside the process, where nobody waits. */
  readonly gate?: RequestGate;
};

/** How a listener shares what it has between users. Refusals are thrown as `ApiError` with code 429. */
export type RequestGate = {
  /** Called as soon as it is known who asks. */
  identified(user: string): void;
  /** Called when everything that is needed of the client has arrived: settles when it is the user's turn. */
  turn(): Promise<void> | undefined;
};

/** An event of a watch before it is text. */
export type WatchedObject = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
};

/**
 * The body of an answer: a text; bytes; a list of texts to send one after the other, giving way to others between
 * them; or a stream that ends by itself, or is cut when `cut` aborts because the reader is too slow. A watch can also
 * be read as objects, for readers in this process: either the stream is read or the objects are.
 */
export type ApiBody =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'chunks'; readonly chunks: Iterable<string> }
  | {
      readonly type: 'stream';
      readonly stream: AsyncIterable<string>;
      readonly objects?: AsyncIterable<readonly WatchedObject[]>;
      readonly cut: AbortSignal;
    };

export type ApiResponse = {
  readonly status: number;
  /** Names in lower case; a list becomes several header lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: ApiBody;
};

/** The API server, and everything that can stand in its place. */
export type Serve = (request: ApiRequest) => Promise<ApiResponse>;

/** The body was longer than the reader allows. */
export class BodyTooLarge extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`the request body is longer than ${limit} bytes`);
    this.name = 'BodyTooLarge';
    this.limit = limit;
  }
}
