import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh2, { type ConnectConfig, type ServerHostKeyAlgorithm } from 'ssh2';
import { harmlessText } from '#base/harmless-text.ts';
import type { Millis } from '#base/time.ts';
import type { SshFailure } from './failure.ts';
import { lineOver, type Line } from './hang-up.ts';
import type { HostKeys } from './host-keys.ts';
import { fastAlgorithms, loginConfig } from './login.ts';
import { nameOf, type SshHost } from './target.ts';

export type ConnectOptions = {
  readonly hostKeys: HostKeys;
  readonly agentSocket: string | undefined;
  /** For the whole handshake. */
  readonly timeout: Millis;
  /** A key was seen for the first time and is now known. */
  readonly onFirstKey?: (host: SshHost, fingerprint: string) => void;
};

export type ConnectedOnce =
  | { readonly type: 'connected'; readonly line: Line }
  | SshFailure
  /** The server closed the connection before its greeting, as sshd does with too many connections (MaxStartups). */
  | { readonly type: 'dropped'; readonly message: string };

/** One attempt, over a socket of its own or the stream given. */
export function connectOnce(
  host: SshHost,
  options: ConnectOptions,
  signal: AbortSignal,
  via?: Duplex,
): Promise<ConnectedOnce> {
  const login = loginConfig(host, options.agentSocket);
  if (login.type === 'unusable') return Promise.resolve(refused(host, login.why));
  signal.throwIfAborted();
  const client = new ssh2.Client();
  const socket = via ?? connect({ host: host.address, port: host.port }).setMaxListeners(0);
  const line = lineOver(client, socket);
  return new Promise((resolve, reject) => {
    let refusal: string | undefined;
    let isOver = false;
    const settle = (end: ConnectedOnce): void => {
      isOver = true;
      signal.removeEventListener('abort', abort);
      if (end.type !== 'connected') line.hangUp();
      resolve(end);
    };
    const abort = (): void => {
      isOver = true;
      socket.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    client.once('ready', () => settle({ type: 'connected', line }));
    client.on('error', (error) => {
      if (!isOver) settle(failureOf(host, error, refusal));
    });
    client.once('close', () => {
      if (!isOver) settle({ type: 'dropped', message: 'the server closed the connection' });
    });
    client.connect({
      ...basicConfig(host, options),
      authHandler: [...login.methods],
      hostVerifier: (key: Buffer): boolean => {
        const verdict = options.hostKeys.judge(host, key);
        if (verdict.type === 'refused') refusal = verdict.message;
        if (verdict.type === 'recorded') options.onFirstKey?.(host, verdict.fingerprint);
        return verdict.type !== 'refused';
      },
      sock: socket,
    });
  });
}

function basicConfig(host: SshHost, { hostKeys, timeout }: ConnectOptions): ConnectConfig {
  const types = hostKeys.typesOf(host).flatMap((type) => (type === 'ssh-rsa' ? rsaAlgorithms : [type]));
  const usable = types.filter(isServerHostKey);
  return {
    host: host.address,
    port: host.port,
    username: host.login.user,
    readyTimeout: timeout,
    // An unreachable machine is noticed within 20 s.
    keepaliveInterval: 5000,
    keepaliveCountMax: 3,
    algorithms: usable.length === 0 ? fastAlgorithms : { ...fastAlgorithms, serverHostKey: usable },
  };
}

const rsaAlgorithms = ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'];
const serverHostKeys = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  ...rsaAlgorithms,
];
const isServerHostKey = (type: string): type is ServerHostKeyAlgorithm => serverHostKeys.includes(type);

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the name is not known',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'it does not answer',
};

const refused = (host: SshHost, why: string): SshFailure => ({
  type: 'login-refused',
  message: `Login refused for ${nameOf(host)}: ${why}.`,
});

const hangs = 'it does not answer in time (look whether it hangs, and whether its SSH server runs)';

function failureOf(host: SshHost, error: Error, refusal: string | undefined): ConnectedOnce {
  const name = nameOf(host);
  if (refusal !== undefined)
    return { type: 'host-key-refused', message: `The host key of ${name} is refused: ${refusal}.` };
  const level = 'level' in error ? error.level : undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (level === 'client-authentication') return refused(host, 'check the user, password or key');
  if (/before handshake/.test(error.message) || code === 'ECONNRESET')
    return { type: 'dropped', message: 'the server closed the connection before the handshake' };
  const cause = level === 'client-timeout' ? hangs : (causes[code] ?? harmlessText(error.message));
  return { type: 'unreachable', message: `${name} cannot be reached: ${cause}.` };
}
