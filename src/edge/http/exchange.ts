import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, Headers, Peer } from '#kube/http.ts';
import { ClientGone } from './client-gone.ts';
import { peerOf } from './peer.ts';
import { readBody } from './request-body.ts';

/** One request being answered. What most requests never ask for (signal, peer, body) is made when asked for. */
export class Exchange implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly response: ServerResponse;
  readonly #request: IncomingMessage;
  #body: Promise<Uint8Array> | undefined;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(request: IncomingMessage, response: ServerResponse, target: Target) {
    this.method = request.method ?? 'GET';
    this.path = target.path;
    this.query = target.query;
    // Only set-cookie is ever a list, and that is not a request's header.
    this.headers = request.headers as Headers;
    this.response = response;
    this.#request = request;
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
    this.#body ??= readBody(this.#request, limit);
    return this.#body;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort(new ClientGone());
  }
}

export type Target = { readonly path: string; readonly query: string };

/** Path and query of a request line's target; undefined when it has neither a path nor is `*`. */
export function targetOf(url: string): Target | undefined {
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
