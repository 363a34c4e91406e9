/**
 * A program: keeps a controller, and kills it at its n-th write, again and again. The controller speaks to the API server
 * through here, so that each write is either lost, or carried out with its answer lost.
 *
 * Arguments: the kubeconfig to use, a folder of its own, a seed, how often to kill, then the controller's words.
 * It prints a line for each death, `living` when no further one comes, and what the controller says on stderr.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { seededRandom } from '#base/random.ts';

const [kubeconfig = '', folder = '', seed = '1', deaths = '0', ...words] = process.argv.slice(2);
const chance = seededRandom(Number(seed));
/** The longest life, in writes. */
const longest = 6;

type Config = {
  readonly clusters: readonly { cluster: { server: string; 'certificate-authority-data'?: string } }[];
  readonly users: readonly { user: Readonly<Record<string, string | undefined>> }[];
};
const config = parse(readFileSync(kubeconfig, 'utf8')) as Config;
const target = config.clusters[0]?.cluster ?? { server: '' };
const user = config.users[0]?.user ?? {};
const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');

let child: ChildProcess | undefined;
let died = 0;
let left = 0;
let isLost = false;

const isCounted = ({ method, url = '' }: IncomingMessage): boolean =>
  method !== 'GET' && !/\/(events|leases)(\/|\?|$)/.test(url);

function kill(how: string, { method = '', url = '' }: IncomingMessage): void {
  died += 1;
  console.log(`death ${died} ${how} ${method} ${url}`);
  child?.kill('SIGKILL');
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, isLast: boolean): void {
  const onward = request(
    target.server + (incoming.url ?? ''),
    {
      method: incoming.method,
      headers: {
        ...incoming.headers,
        ...(user['token'] !== undefined && { authorization: `Bearer ${user['token']}` }),
      },
      ca: decoded(target['certificate-authority-data']),
      cert: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
    },
    (answer) => {
      if (isLast) {
        answer.resume().on('end', () => kill('after', incoming));
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

const server = createServer((incoming, outgoing) => {
  if (!isCounted(incoming) || died >= Number(deaths)) return forward(incoming, outgoing, false);
  left -= 1;
  if (left > 0) return forward(incoming, outgoing, false);
  if (left < 0) return void outgoing.destroy();
  if (isLost) return kill('before', incoming);
  forward(incoming, outgoing, true);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  const own = join(folder, 'kubeconfig-killed');
  const cluster = { server: `http://127.0.0.1:${port}` };
  writeFileSync(
    own,
    stringify({
      ...config,
      clusters: [{ ...config.clusters[0], cluster }],
      users: config.users.map((each) => ({ ...each, user: {} })),
    }),
  );
  live(own);
});

function live(own: string): void {
  left = 1 + Math.floor(chance.next() * longest);
  isLost = chance.next() < 0.5;
  if (died >= Number(deaths)) console.log('living');
  const [file = '', ...args] = words;
  child = spawn(file, [...args, '--kubeconfig', own], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('exit', () => live(own));
}

process.once('SIGTERM', () => {
  child?.removeAllListeners('exit').kill('SIGKILL');
  process.exit(0);
});
