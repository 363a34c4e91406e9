import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { ChunkedBody } from './chunked-body.ts';

export type Address = {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly token?: string;
};

/** Paths and bodies are ASCII. */
export type Ask = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Takes the body as it comes; without it the body is counted, and kept when `keep` is set. */
  readonly onPiece?: (piece: Buffer) => void;
  readonly keep?: boolean;
};

export type Reply = { readonly status: number; readonly bytes: number; readonly text: string };

type Pending = {
  readonly ask: Ask;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
};

const headEnd = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP/1.1 connection over TLS with one request at a time. The load comes from the machine that
 * also serves it, so the client does as little as it can: every general client costs several times as much.
 */
export class Connection {
  readonly #socket: TLSSocket;
  readonly #common: string;
  #pending: Pending | undefined;
  #head: Buffer | undefined;
  #status = 0;
  #left = 0;
  #chunked: ChunkedBody | undefined;
  #inBody = false;
  #bytes = 0;
  #pieces: Buffer[] = [];

  private constructor(socket: TLSSocket, { host, port, token }: Address) {
    this.#socket = socket;
    const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
    this.#common = ` HTTP/1.1\r\nhost: ${host}:${port}\r\nuser-agent: bench\r\n${authorization}`;
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
    socket.on('error', (error) => this.#fail(error));
  }

  static async open(address: Address): Promise<Connection> {
    const { host, port, ca, certificate } = address;
    const socket = connect({ host, port, ca, ...certificate, ALPNProtocols: ['http/1.1'] });
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    return new Connection(socket, address);
  }

  send(ask: Ask): Promise<Reply> {
    const { method, path, accept = 'application/json', contentType = 'application/json', body } = ask;
    const about =
      body === undefined ? '' : `content-type: ${contentType}\r\ncontent-length: ${body.length}\r\n`;
    const text = `${method} ${path}${this.#common}accept: ${accept}\r\n${about}\r\n${body ?? ''}`;
    return new Promise((resolve, reject) => {
      this.#pending = { ask, resolve, reject };
      this.#socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#inBody) this.#takeBody(bytes);
    else this.#takeHead(this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]));
  }

  #takeHead(bytes: Buffer): void {
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      this.#head = bytes;
      return;
    }
    const head = bytes.toString('latin1', 0, end).toLowerCase();
    this.#head = undefined;
    this.#inBody = true;
    this.#status = Number(head.slice(9, 12));
    this.#left = Number(/\ncontent-length: *(\d+)/.exec(head)?.[1] ?? 0);
    this.#chunked = head.includes('\ntransfer-encoding: chunked') ? new ChunkedBody() : undefined;
    this.#takeBody(bytes.subarray(end + headEnd.length));
  }

  #takeBody(bytes: Buffer): void {
    if (this.#chunked !== undefined) {
      if (this.#chunked.feed(bytes, (piece) => this.#takePiece(piece))) this.#finish();
      return;
    }
    this.#left -= bytes.length;
    this.#takePiece(bytes);
    if (this.#left <= 0) this.#finish();
  }

  #takePiece(piece: Buffer): void {
    this.#bytes += piece.length;
    const ask = this.#pending?.ask;
    // What a refusal says is always kept: it explains why the benchmark ends.
    if (this.#status >= 400 || ask?.keep === true) this.#pieces.push(piece);
    else ask?.onPiece?.(piece);
  }

  #finish(): void {
    const pending = this.#pending;
    const text = this.#pieces.length === 0 ? '' : Buffer.concat(this.#pieces).toString();
    const reply = { status: this.#status, bytes: this.#bytes, text };
    this.#pending = undefined;
    this.#inBody = false;
    this.#bytes = 0;
    this.#pieces = [];
    pending?.resolve(reply);
  }

  #fail(error: Error): void {
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}

/** Several connections to one server. */
export function openAll(address: Address, count: number): Promise<readonly Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Connection.open(address)));
}

/** Fails with what the server said when it did not answer with one of these. */
export function mustBe(reply: Reply, ...statuses: readonly number[]): Reply {
  if (statuses.includes(reply.status)) return reply;
  throw new Error(`the server answered ${reply.status}: ${reply.text.slice(0, 1000)}`);
}
