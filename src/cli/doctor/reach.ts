import { connect } from 'node:net';
import type { FixedAddress } from './hook-addresses.ts';

export type Reach =
  | { readonly type: 'open' }
  | { readonly type: 'unknown-name' }
  | { readonly type: 'closed'; readonly why: string };

/** How long an address may take to accept a connection, in milliseconds. */
const patience = 3000;

/** Opens a connection and closes it: hooks are not called. */
export const reachOf = ({ host, port }: Pick<FixedAddress, 'host' | 'port'>): Promise<Reach> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reach: Reach): void => {
      socket.destroy();
      resolve(reach);
    };
    socket.setTimeout(patience, () => end({ type: 'closed', why: `no answer in ${patience / 1000} s` }));
    socket.once('connect', () => end({ type: 'open' }));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN'
          ? { type: 'unknown-name' }
          : { type: 'closed', why: error.code ?? 'the connection failed' },
      ),
    );
  });
