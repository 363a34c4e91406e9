import type { Headers, WatchedObject } from '#kube/http.ts';

export type TransportRequest = {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Encoded, without the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case; a list becomes several header lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Asked right before the request leaves, after every wait; when it may not, the request fails. */
  readonly mayLeave?: () => boolean;
};

/** The head of a response. Its body is read once, as a whole or line by line. */
export type TransportResponse = {
  readonly status: number;
  readonly headers: Headers;
  text(): Promise<string>;
  /** Leaving the loop early ends the request. */
  lines(): AsyncIterable<string>;
  /** The events of a watch in batches, where the server is in this process and no text is needed. */
  readonly objects?: () => AsyncIterable<readonly WatchedObject[]>;
  /** The server is in this process: there is no connection that could be dead without anybody noticing. */
  readonly isLocal?: boolean;
};

/**
 * Sends requests to an API server. Throws `Unavailable` without a response, and the signal's reason when that
 * was aborted.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
