import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientChannel } from 'ssh2';
import { harmlessText } from '#base/harmless-text.ts';
import { seconds } from '#base/time.ts';
import { ConnectionLost, UnexpectedAnswer } from './failure.ts';
import type { Line } from './hang-up.ts';
import { quote, quoteAll } from './quote.ts';
import { keepLast, runToEnd, type Channel, type Connected, type Shell } from './shell.ts';
import { slots } from './slots.ts';
import { nameOf, type SshHost } from './target.ts';

/** Below the ten sessions that a server allows on one connection. */
const mostChannels = 8;

/** Programs over a connection. Whether root can be had is found out first. */
export async function openSshShell(line: Line, host: SshHost, signal: AbortSignal): Promise<Connected> {
  const asUser = shellOf(line, host, 'exec /bin/sh');
  if (host.login.user === 'root' || !host.login.sudo) return { type: 'connected', shell: asUser };
  const probe = await asUser.open(sudoProbe, [], signal);
  const probed = await runToEnd(probe, undefined, { silence: openLimit }).catch((error: unknown) => {
    if (error instanceof UnexpectedAnswer) return error;
    throw error;
  });
  if (probed instanceof UnexpectedAnswer) {
    line.hangUp();
    return { type: 'unreachable', message: `${nameOf(host)} cannot be worked on: ${probed.message}.` };
  }
  const { out, complaints } = probed;
  const answer = out.toString('utf8').trim();
  if (answer === 'root') return { type: 'connected', shell: asUser };
  if (answer === 'sudo') return { type: 'connected', shell: shellOf(line, host, 'exec sudo -n -- /bin/sh') };
  line.hangUp();
  return { type: 'sudo-missing', message: sudoAdvice(host, complaints) };
}

const sudoProbe = `if [ "$(id -u)" = 0 ]; then echo root; elif sudo -n true; then echo sudo; else echo none; fi`;

const sudoAdvice = (host: SshHost, said: string): string =>
  `${nameOf(host)} may not become root: scripts run as root, so log in as root or allow sudo without a ` +
  `password (a line '${host.login.user} ALL=(ALL) NOPASSWD: ALL' in sudoers). Output of the machine: ` +
  (said === '' ? 'nothing' : said);

/** How long a machine may take to begin with a program. */
const openLimit = seconds(60);

/**
 * What a login shell prints before it runs our program must not be taken for our program's words: that one begins
 * with a line that nobody else can know.
 */
const greeting = (): string => `boathook-${randomBytes(9).toString('hex')}`;

function shellOf({ client, hangUp }: Line, host: SshHost, sh: string): Shell {
  const name = nameOf(host);
  const marker = greeting();
  const { enter, leave } = slots(mostChannels);
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    client.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  // Errors after the login end in `close`, which all users of the connection handle.
  client.on('error', () => undefined);
  const start = async (command: string, signal: AbortSignal): Promise<Channel> => {
    await enter(signal);
    try {
      if (isClosed) throw new ConnectionLost(name);
      return await exec({ client, command, name, hangUp }, (stream) =>
        channelOf(stream, { leave, closed, marker, name }),
      );
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    name,
    open: (program, args, signal) => {
      const greeted = `echo ${marker}; echo ${marker} >&2\n${program}`;
      return start(`${sh} -c ${quote(greeted)} boathook ${quoteAll(args)}`, signal);
    },
    closed,
    close: hangUp,
  };
}

const mostRefusals = 20;

type Order = Pick<Line, 'client' | 'hangUp'> & { readonly command: string; readonly name: string };
type Receive = (stream: ClientChannel) => Channel;

/** A server may count a program that has just ended: one that has no room now has it a moment later. */
async function exec(order: Order, receive: Receive): Promise<Channel> {
  for (let refusals = 0; ; refusals++) {
    const channel = await execOnce(order, receive);
    if (!(channel instanceof Error)) return channel;
    if (refusals === mostRefusals) throw new ConnectionLost(`${order.name} (${channel.message})`);
    await sleep(25 * (refusals + 1));
  }
}

/** Received at once: the same piece of data may hold the whole life of a short program, exit code and all. */
const execOnce = ({ client, command, name, hangUp }: Order, receive: Receive): Promise<Channel | Error> =>
  new Promise((resolve, reject) => {
    const lost = (): void => {
      clearTimeout(watch);
      reject(new ConnectionLost(name));
    };
    const watch = setTimeout(() => {
      lost();
      hangUp();
    }, openLimit);
    client.once('close', lost);
    try {
      client.exec(command, (error, stream) => {
        clearTimeout(watch);
        client.removeListener('close', lost);
        resolve(error ?? receive(stream));
      });
    } catch {
      // It broke meanwhile: ssh2 throws instead of answering.
      lost();
    }
  });

type Surroundings = {
  readonly leave: () => void;
  readonly closed: Promise<void>;
  readonly marker: string;
  readonly name: string;
};

function channelOf(stream: ClientChannel, { leave, closed, marker, name }: Surroundings): Channel {
  const close = (): void => {
    stream.close();
  };
  const complaints = keepLast(stream.stderr, close, `${marker}\n`);
  const ended = new Promise<number | undefined>((resolve) => {
    let code: number | undefined;
    stream.once('exit', (exit: number | null) => (code = exit ?? undefined));
    stream.once('close', () => resolve(code));
    // A connection that breaks closes its channels, unless it broke before they were opened.
    void closed.then(() => resolve(code));
  }).finally(leave);
  stream.on('error', () => undefined);
  const output = afterGreeting(stream as AsyncIterable<Buffer>, { marker, name, ended });
  return { input: stream, output, complaints, ended, close };
}

/** What a login shell may print of its own. */
const mostNoise = 256 * 1024;

type Greeting = {
  readonly marker: string;
  readonly name: string;
  readonly ended: Promise<number | undefined>;
};

/** What comes after the line that our programs begin with. */
async function* afterGreeting(
  pieces: AsyncIterable<Buffer>,
  { marker, name, ended }: Greeting,
): AsyncGenerator<Uint8Array> {
  let noise = Buffer.alloc(0);
  let isGreeted = false;
  for await (const piece of pieces) {
    if (isGreeted) {
      yield piece;
      continue;
    }
    noise = Buffer.concat([noise, piece]);
    const at = noise.indexOf(`${marker}\n`);
    if (at < 0 && noise.length > mostNoise) throw new UnexpectedAnswer(noiseText(name, noise));
    if (at < 0) continue;
    isGreeted = true;
    const rest = noise.subarray(at + marker.length + 1);
    noise = Buffer.alloc(0);
    if (rest.length > 0) yield rest;
  }
  if (isGreeted || (await ended) === undefined) return;
  throw new UnexpectedAnswer(noiseText(name, noise));
}

const noiseText = (name: string, noise: Buffer): string => {
  const said = harmlessText(noise.subarray(0, 200).toString('utf8').trim());
  return (
    `the login shell of ${name} does not run what it is given` +
    `${said === '' ? '' : ` (it printed: ${said})`}: look at the account's shell and at its start-up files, as .bashrc`
  );
};
