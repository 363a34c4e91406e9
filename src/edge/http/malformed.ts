import type { Duplex } from 'node:stream';

/** What the parser's refusals mean; everything else is a plain bad request. */
const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** How long the client may take to read it. */
const patienceMillis = 1000;

/** Responds to malformed HTTP, while the connection can still carry a response. */
export function answerMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const line = statusLines[error.code ?? ''] ?? '400 Bad Request';
  const head = `HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close`;
  const timer = setTimeout(() => socket.destroy(), patienceMillis);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`${head}\r\nContent-Length: ${line.length}\r\n\r\n${line}`, () => socket.destroy());
}
