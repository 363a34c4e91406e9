import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { harmlessText } from '#base/harmless-text.ts';
import type { Random } from '#base/random.ts';
import { millis, seconds, type Clock } from '#base/time.ts';
import { connectOnce, type ConnectOptions } from './connect-once.ts';
import type { SshFailure } from './failure.ts';
import type { Line } from './hang-up.ts';
import { openSshShell } from './ssh-shell.ts';
import type { Connected } from './shell.ts';
import { nameOf, type SshHost, type SshTarget } from './target.ts';

export type ConnectorOptions = ConnectOptions & { readonly clock: Clock; readonly random: Random };

/** Logs in to machines; jump hosts are shared between the machines behind them. */
export type Connector = {
  connect(target: SshTarget, signal: AbortSignal): Promise<Connected>;
  close(): void;
};

export function createConnector(options: ConnectorOptions): Connector {
  const jumps = new Map<string, Promise<Joined>>();
  const jumpTo = (jump: SshHost, signal: AbortSignal): Promise<Joined> => {
    const name = nameOf(jump);
    const open = jumps.get(name) ?? joinHost(jump, options, signal);
    jumps.set(name, open);
    const forget = (): boolean => jumps.delete(name);
    open.then(
      (joined) => (joined.type === 'connected' ? joined.line.client.once('close', forget) : forget()),
      forget,
    );
    return open;
  };
  return {
    async connect({ jump, ...host }, signal) {
      const via = jump === undefined ? undefined : await jumpTo(jump, signal);
      if (via !== undefined && via.type !== 'connected')
        return { ...via, message: `On the way to ${nameOf(host)}: ${via.message}` };
      const joined = await joinHost(host, options, signal, via?.line.client);
      return joined.type === 'connected' ? openSshShell(joined.line, host, signal) : joined;
    },
    close() {
      for (const open of jumps.values())
        void open.then((joined) => joined.type === 'connected' && joined.line.hangUp());
    },
  };
}

type Joined = { readonly type: 'connected'; readonly line: Line } | SshFailure;

const mostAttempts = 8;

/** A server with `MaxStartups` drops callers at random while many call: all of them come again, not together. */
async function joinHost(
  host: SshHost,
  options: ConnectorOptions,
  signal: AbortSignal,
  via?: Client,
): Promise<Joined> {
  for (let attempt = 1; ; attempt++) {
    const sock = via === undefined ? undefined : await forward(via, host);
    if (sock instanceof Error)
      return {
        type: 'unreachable',
        message: `${nameOf(host)} cannot be reached from the jump host: ${harmlessText(sock.message)}.`,
      };
    const end = await connectOnce(host, options, signal, sock);
    if (end.type !== 'dropped') return end;
    if (attempt === mostAttempts)
      return {
        type: 'unreachable',
        message: `${nameOf(host)} cannot be reached: ${end.message}, ${attempt} times in a row.`,
      };
    const longest = Math.min(100 * 2 ** attempt, 3000);
    await options.clock.sleep(millis(longest * (0.25 + 0.75 * options.random.next())), signal);
  }
}

const forwardLimit = seconds(60);

const forward = (via: Client, { address, port }: SshHost): Promise<Duplex | Error> =>
  new Promise((resolve) => {
    const watch = setTimeout(() => resolve(new Error('it does not answer')), forwardLimit);
    via.forwardOut('127.0.0.1', 0, address, port, (error, stream) => {
      clearTimeout(watch);
      resolve(error ?? stream);
    });
  });
