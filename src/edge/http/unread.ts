import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

type Stuck = { readonly sent: number; readonly since: number };

/** Closes connections whose client does not read: bytes wait, and none has left for so many milliseconds. */
export function watchUnread(running: ReadonlySet<Exchange>, time: number): { stop(): void } {
  const seen = new WeakMap<Socket, Stuck>();
  const look = (): void => {
    const now = performance.now();
    for (const { response } of running) {
      const { socket } = response;
      if (socket === null) continue;
      const sent = socket.bytesWritten - socket.writableLength;
      const before = seen.get(socket);
      if (socket.writableLength === 0) seen.delete(socket);
      else if (before?.sent !== sent) seen.set(socket, { sent, since: now });
      else if (now - before.since >= time) socket.destroy();
    }
  };
  const timer = setInterval(look, time / 6);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
