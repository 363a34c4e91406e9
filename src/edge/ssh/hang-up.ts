import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';

/** A connection, and how it is ended. */
export type Line = { readonly client: Client; readonly hangUp: () => void };

/** A working server has closed the connection itself by then. */
const grace = 5000;

/** ssh2 closes its own half and waits for the other one, for ever when the machine is frozen. */
export function lineOver(client: Client, socket: Duplex): Line {
  let cut: NodeJS.Timeout | undefined;
  return {
    client,
    hangUp() {
      client.end();
      if (cut !== undefined || socket.closed) return;
      // Not by the client, which destroys nothing once its half is closed.
      cut = setTimeout(() => socket.destroy(), grace);
      socket.once('close', () => clearTimeout(cut));
    },
  };
}
