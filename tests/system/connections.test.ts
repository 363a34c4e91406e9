import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startBoathook, type Boathook } from '../support/boathook.ts';

/** Connections that say nothing, opened one after the other; every one gets as far as the server lets it. */
async function openBare({ port }: Boathook, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return sockets;
}

async function ask({ url, access }: Boathook, path: string): Promise<Reply> {
  const { ca, cert, key } = access;
  const asked = request(`${url}${path}`, { ca, cert, key, agent: false, timeout: 120_000 });
  asked.once('timeout', () => asked.destroy(new Error('nobody answers')));
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

type Reply = { readonly status: number | undefined; readonly text: string };

const openFilesOf = ({ pid }: Boathook): number => readdirSync(`/proc/${pid}/fd`).length;

test('a thousand connections that say nothing lock nobody out, and are gone when their time is up', async () => {
  await using server = await startBoathook({ openFiles: 1024, flags: ['--ephemeral'] });
  const before = openFilesOf(server);
  const sockets = await openBare(server, 1200);
  expect((await ask(server, '/api/v1/namespaces')).status).toBe(200);
  const open = sockets.filter((socket) => !socket.closed);
  await Promise.all(open.map((socket) => once(socket.resume(), 'close')));
  expect((await ask(server, '/api/v1/namespaces')).status).toBe(200);
  expect(openFilesOf(server)).toBeLessThan(before + 20);
});
