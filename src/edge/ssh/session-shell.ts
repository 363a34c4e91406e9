import { PassThrough } from 'node:stream';
import { ConnectionLost } from './failure.ts';
import { quote, quoteAll } from './quote.ts';
import type { SshSession } from './serve-ssh.ts';
import { keepLast, type Channel, type Shell } from './shell.ts';

const marker = 'boathook-0';

/** Serves a program and returns its exit code. */
export type ServeSession = (session: SshSession) => Promise<number>;

/**
 * Programs that a function of this process serves, with the same command lines as over SSH: no connection and no other
 * process. `close` is also how a connection is lost.
 */
export function sessionShell(name: string, serve: ServeSession): Shell {
  const open = new Set<Channel>();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let isClosed = false;
  return {
    name,
    open(program, args, signal) {
      signal.throwIfAborted();
      if (isClosed) return Promise.reject(new ConnectionLost(name));
      const greeted = `echo ${marker}; echo ${marker} >&2\n${program}`;
      const channel = channelTo(serve, `exec /bin/sh -c ${quote(greeted)} boathook ${quoteAll(args)}`);
      open.add(channel);
      void channel.ended.then(() => open.delete(channel));
      return Promise.resolve(channel);
    },
    closed,
    close() {
      isClosed = true;
      for (const channel of open) channel.close();
      resolve();
    },
  };
}

function channelTo(serve: ServeSession, command: string): Channel {
  const [input, output, complaints] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const stream of [input, output, complaints]) stream.on('error', () => undefined);
  const gone = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<number | undefined>();
  const end = (code: number | undefined): void => {
    resolve(code);
    output.end();
    complaints.end();
    // A program that still reads finds the end of its input.
    input.end();
  };
  const session: SshSession = {
    command,
    input,
    // A program may print after its client is gone: that is lost, and no error for those who read.
    out: afterGreeting((bytes) => void (output.writable && output.write(bytes))),
    err: afterGreeting((text) => void (complaints.writable && complaints.write(text))),
    closed: gone.signal,
  };
  serve(session).then(end, () => end(255));
  return {
    input,
    output,
    complaints: keepLast(complaints),
    ended,
    close() {
      gone.abort(new Error('the client is gone'));
      end(undefined);
    },
  };
}

/** The first piece is the greeting, which is known here. */
function afterGreeting<Piece extends Uint8Array | string>(
  write: (piece: Piece) => void,
): (piece: Piece) => void {
  let isGreeted = false;
  return (piece) => {
    if (isGreeted) write(piece);
    isGreeted = true;
  };
}
