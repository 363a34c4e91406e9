import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { ConnectionLost } from './failure.ts';
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
  const { out, complaints } = await runToEnd(probe, undefined);
  const answer = out.toString('utf8').trim();
  if (answer === 'root') return { type: 'connected', shell: asUser };
  if (answer === 'sudo') return { type: 'connected', shell: shellOf(line, host, 'exec sudo -n -- /bin/sh') };
  line.hangUp();
  return { type: 'sudo-missing', message: sudoAdvice(host, complaints) };
}

const sudoProbe = `if [ "$(id -u)" = 0 ]; then echo root; elif sudo -n true; then echo sudo; else echo none; fi`;

const sudoAdvice = (host: SshHost, said: string): string =>
  `${nameOf(host)} may not become root: scripts run as root, so log in as root or allow sudo without a ` +
  `password (a line '${host.login.user} ALL=(ALL) NOPASSWD: ALL' in sudoers). The machine says: ` +
  (said === '' ? 'nothing' : said);

function shellOf({ client, hangUp }: Line, host: SshHost, sh: string): Shell {
  const name = nameOf(host);
  const { enter, leave } = slots(mostChannels);
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    client.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  // Errors after the login end in `close`, which everybody hears of.
  client.on('error', () => undefined);
  const start = async (command: string, signal: AbortSignal): Promise<Channel> => {
    await enter(signal);
    try {
      if (isClosed) throw new ConnectionLost(name);
      return await exec({ client, command, name }, (stream) => channelOf(stream, leave, closed));
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    name,
    open: (program, args, signal) => start(`${sh} -c ${quote(program)} boathook ${quoteAll(args)}`, signal),
    closed,
    close: hangUp,
  };
}

const mostRefusals = 20;

type Order = { readonly client: Client; readonly command: string; readonly name: string };
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
const execOnce = ({ client, command, name }: Order, receive: Receive): Promise<Channel | Error> =>
  new Promise((resolve, reject) => {
    const lost = (): void => reject(new ConnectionLost(name));
    client.once('close', lost);
    try {
      client.exec(command, (error, stream) => {
        client.removeListener('close', lost);
        resolve(error ?? receive(stream));
      });
    } catch {
      // It broke meanwhile: ssh2 throws instead of answering.
      lost();
    }
  });

function channelOf(stream: ClientChannel, leave: () => void, closed: Promise<void>): Channel {
  const complaints = keepLast(stream.stderr);
  const ended = new Promise<number | undefined>((resolve) => {
    let code: number | undefined;
    stream.once('exit', (exit: number | null) => (code = exit ?? undefined));
    stream.once('close', () => resolve(code));
    // A connection that breaks closes its channels, unless it broke before they were opened.
    void closed.then(() => resolve(code));
  }).finally(leave);
  stream.on('error', () => undefined);
  return { input: stream, output: stream, complaints, ended, close: () => stream.close() };
}
