import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import ssh2, {
  type AuthContext,
  type Connection,
  type ParsedKey,
  type Server,
  type ServerChannel,
} from 'ssh2';

/** A program that a client of the server runs. */
export type SshSession = {
  readonly command: string;
  readonly input: AsyncIterable<Uint8Array>;
  readonly out: (bytes: Uint8Array | string) => void;
  readonly err: (text: string) => void;
  /** Aborted when the client is gone. */
  readonly closed: AbortSignal;
};

export type SshServerOptions = {
  readonly address: string;
  readonly port: number;
  /** A private key of OpenSSH. */
  readonly hostKey: string;
  readonly user: string;
  /** The only key that logs in. */
  readonly publicKey: string;
  /** Serves a session and returns its exit code. */
  readonly serve: (session: SshSession) => Promise<number>;
};

/** An SSH server that runs programs and nothing else: no terminal, no files, no forwarding. */
export async function serveSsh(options: SshServerOptions): Promise<{ close(): void }> {
  const allowed = readKey(options.publicKey);
  const clients = new Set<Connection>();
  const server: Server = new ssh2.Server({ hostKeys: [options.hostKey] }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('authentication', (login) => {
      if (isAllowed(login, options.user, allowed)) login.accept();
      else login.reject(['publickey']);
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('exec', (acceptExec, _reject, { command }) =>
        serveChannel(acceptExec(), command, options.serve),
      );
      session.on('pty', (acceptPty) => acceptPty?.());
      session.on('shell', (acceptShell) => refuseShell(acceptShell()));
    });
  });
  server.listen(options.port, options.address);
  await once(server, 'listening');
  server.on('error', () => undefined);
  return {
    close() {
      for (const client of clients) client.end();
      server.close();
    },
  };
}

function readKey(text: string): ParsedKey {
  const parsed = ssh2.utils.parseKey(text);
  if (parsed instanceof Error) throw parsed;
  return Array.isArray(parsed) ? (parsed[0] as ParsedKey) : parsed;
}

function isAllowed(login: AuthContext, user: string, allowed: ParsedKey): boolean {
  if (login.username !== user || login.method !== 'publickey') return false;
  const [given, known] = [login.key.data, allowed.getPublicSSH()];
  if (given.length !== known.length || !timingSafeEqual(given, known)) return false;
  // Without a signature the client only asks whether the key would do.
  if (login.signature === undefined || login.blob === undefined) return true;
  return allowed.verify(login.blob, login.signature, login.hashAlgo);
}

function serveChannel(channel: ServerChannel, command: string, serve: SshServerOptions['serve']): void {
  const closed = new AbortController();
  channel.on('close', () => closed.abort(new Error('the client is gone')));
  channel.on('error', () => undefined);
  const session: SshSession = {
    command,
    input: channel as AsyncIterable<Uint8Array>,
    out: (bytes) => void (channel.writable && channel.write(bytes)),
    err: (text) => void (channel.writable && channel.stderr.write(text)),
    closed: closed.signal,
  };
  const end = (code: number): void => {
    if (closed.signal.aborted) return;
    channel.exit(code);
    channel.end();
  };
  serve(session).then(end, () => end(255));
}

function refuseShell(channel: ServerChannel): void {
  channel.write(
    'This machine is simulated and has no interactive shell: give a command, as in ssh … ls /opt\r\n',
  );
  channel.exit(1);
  channel.end();
}
