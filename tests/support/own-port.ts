import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to those who ask for any. */
const [first, last] = [10_000, 32_000];
let next = first + (process.pid % 2000) * 11;

/**
 * A port of this machine for a program that has to be told one. The system gives it to nobody else, so it is still free
 * when the program listens.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    next = next < last ? next + 1 : first;
    if (await isFree(next)) return next;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
