import type { ServerResponse } from 'node:http';

/** Far below the socket's high-water mark, with room for the head. */
const atOnce = 32 * 1024;
/** How much of a longer response is kept back until the rest is sent. */
const kept = 4 * 1024;

/**
 * Ends a response with its last, or only, bytes. On a connection whose socket is above its high-water mark, Node (24.21)
 * treats the body of the next request as broken (HPE_PAUSED) and resets the connection. A client sends
 * again as soon as it has the last byte: so that byte stays here until the socket waits for nothing.
 */
export async function finish(response: ServerResponse, last: string): Promise<void> {
  if (last.length > atOnce) await finishBytes(response, Buffer.from(last));
  else response.end(last);
}

/** The same for bytes. */
export async function finishBytes(response: ServerResponse, last: Buffer): Promise<void> {
  if (last.length <= atOnce) {
    response.end(last);
    return;
  }
  await left(response, last.subarray(0, -kept));
  if (!response.destroyed) response.end(last.subarray(-kept));
}

/** Writes, and waits until the system has all of it or the client has disconnected. */
export function left(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    if (response.destroyed) done();
    else response.write(bytes, done);
  });
}
