import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type ServerChannel } from 'ssh2';
import type { ClusterNode } from '#machines/decide/model.ts';
import { nodeAt } from './plans.ts';

/** What a machine does with a program that it is given, instead of running it. */
export type Misbehaviour = (channel: ServerChannel, command: string) => void;

export type HostileServer = {
  readonly node: ClusterNode;
  [Symbol.asyncDispose](): Promise<void>;
};

/** An SSH server that takes every login and every program, and answers as it likes. */
export async function openHostileServer(key: string, behave: Misbehaviour): Promise<HostileServer> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const clients = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('authentication', (login) => login.accept());
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => behave(acceptExec(), command));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    node: nodeAt('node-1', { address: '127.0.0.1', port, key }),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The line that our programs begin with, taken from the program itself. */
export const greetingIn = (command: string): string => `${/boathook-[0-9a-f]+/.exec(command)?.[0] ?? ''}\n`;

/** Writes the same again and again, as fast as it is read, until the channel is gone. */
export function pour(
  channel: ServerChannel,
  text: string,
  into: Pick<ServerChannel, 'write'> = channel,
): void {
  let isGone = false;
  channel.on('close', () => (isGone = true));
  // In turns: the operator lives in the same process.
  const go = (): void => {
    if (isGone) return;
    if (into.write(text)) setImmediate(go);
    else source.once('drain', go);
  };
  const source = into === channel.stderr ? channel.stderr : channel;
  go();
}
