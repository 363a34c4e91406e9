import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, Headers, Peer, RequestGate } from '#kube/http.ts';
import { ClientGone } from './client-gone.ts';
import type { Connection } from './connections.ts';
import { tooManyRequests } from './fair-turns.ts';
import { peerOf } from './peer.ts';
import { readBody } from './request-body.ts';
import type { Shares } from './shares.ts';

/** One request and its response. Parts that most requests do not need (signal, peer, body) are made on demand. */
export class Exchange implements ApiRequest, RequestGate {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly response: ServerResponse;
  readonly #connection: Connection;
  readonly #shares: Shares;
  readonly #request: IncomingMessage;
  #body: Promise<Uint8Array> | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #user: string | undefined;
  #bodyBytes = 0;

  constructor(request: IncomingMessage, response: ServerResponse, { target, connection, shares }: Arrival) {
    this.method = request.method ?? 'GET';
    this.path = target.path;
    this.query = target.query;
    // Only set-cookie is ever a list, and that is not a request's header.
    this.headers = request.headers as Headers;
    this.response = response;
    this.#request = request;
    this.#connection = connection;
    this.#shares = shares;
  }

  get gate(): RequestGate {
    return this;
  }

  /** The user whose share this request counts to; an address before authentication. */
  get #share(): string {
    return this.#user ?? this.#connection.address;
  }

  identified(user: string): void {
    this.#user = user;
    if (this.#shares.connections.authenticate(this.#connection, user)) return;
    this.response.shouldKeepAlive = false;
    throw tooManyRequests('too many connections of this user are open, please try again later');
  }

  identifiedByAddress(): void {
    this.identified(this.#connection.address);
  }

  turn(): Promise<void> | undefined {
    return this.#shares.turns.enter(this.#share);
  }

  /** In the middle of a long response: other requests run first. */
  giveWay(): Promise<void> {
    return this.#shares.turns.wait(this.#share);
  }

  /** Room for bytes that wait for the client to read; false when there is none. */
  hold(bytes: number): boolean {
    return this.#shares.unread.take(this.#share, bytes);
  }

  letGo(bytes: number): void {
    this.#shares.unread.give(this.#share, bytes);
  }

  headerValues(name: string): readonly string[] {
    return this.#request.headersDistinct[name] ?? [];
  }

  get peer(): Peer {
    return peerOf(this.#request.socket);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(new ClientGone());
    }
    return this.#controller.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    this.#body ??= readBody(this.#request, limit, (bytes) => this.#takeBody(bytes));
    return this.#body;
  }

  /** Bytes of the request body, released when the response is complete. */
  #takeBody(bytes: number): void {
    if (!this.#shares.bodies.take(this.#share, bytes)) {
      throw tooManyRequests('too many request bodies are being read, please try again later');
    }
    this.#bodyBytes += bytes;
  }

  /** The response is complete, or the client has disconnected. */
  served(): void {
    if (this.#bodyBytes > 0) this.#shares.bodies.give(this.#share, this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort(new ClientGone());
  }
}

type Arrival = { readonly target: RequestTarget; readonly connection: Connection; readonly shares: Shares };

export type RequestTarget = { readonly path: string; readonly query: string };

/** Path and query of a request line's target; undefined when it has neither a path nor is `*`. */
export function targetOf(url: string): RequestTarget | undefined {
  const start = url.startsWith('/') ? 0 : afterAuthority(url);
  if (start < 0) return url === '*' ? { path: '*', query: '' } : undefined;
  const question = url.indexOf('?', start);
  if (question < 0) return { path: url.slice(start) || '/', query: '' };
  return { path: url.slice(start, question) || '/', query: url.slice(question + 1) };
}

/** Proxies send the whole address: `GET http://host:1/path`. */
function afterAuthority(url: string): number {
  const match = /^https?:\/\/[^/?#]*/i.exec(url);
  return match === null ? -1 : match[0].length;
}
