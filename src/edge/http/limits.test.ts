import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '#edge/testing/server.ts';
import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { statusAnswer } from './status-answer.ts';

const plain = { 'content-type': 'text/plain' };
const say = (said: string): ApiResponse => ({
  status: 200,
  headers: plain,
  body: { type: 'text', text: said },
});

/** Knows users by their word for it: enough for a listener, which believes its server. */
const believing =
  (serve: Serve): Serve =>
  async (asked) => {
    try {
      const { 'x-user': user } = asked.headers;
      if (user === undefined)
        throw new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
      asked.gate?.identified(user);
      await asked.gate?.turn();
      return await serve(asked);
    } catch (error) {
      return statusAnswer(error);
    }
  };

const endless: ApiResponse = {
  status: 200,
  headers: plain,
  body: {
    type: 'stream',
    stream: (async function* () {
      yield 'first\n';
      await new Promise(() => undefined);
    })(),
    cut: new AbortController().signal,
  },
};

type Asking = { readonly user?: string; readonly agent?: Agent | false };

async function open(server: TestServer, path: string, { user, agent = false }: Asking = {}) {
  const headers = user === undefined ? {} : { 'x-user': user };
  const asked = request(`${server.url}${path}`, { ca: server.certificates.ca, agent, headers });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function ask(server: TestServer, path: string, asking: Asking = {}) {
  const response = await open(server, path, asking);
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

async function bare({ port }: TestServer, said = ''): Promise<Socket> {
  const socket = connectPlain({ host: '127.0.0.1', port }).on('error', () => undefined);
  await once(socket, 'connect');
  if (said !== '') await new Promise((sent) => socket.write(said, sent));
  return socket.resume();
}

async function secure({ port, certificates }: TestServer): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: certificates.ca }).on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

const few = { unauthenticated: 8, unauthenticatedPerAddress: 6, authenticated: 6, perUser: 4 };

test.for([
  { name: 'silent ones', said: '' },
  { name: 'ones that begin a handshake', said: '\u0016\u0003\u0001' },
])('connections that never authenticate make room for those that do: $name', async ({ said }) => {
  await using server = await startServer(
    believing(async () => say('hello')),
    { limits: few, authenticates: true },
  );
  const sockets: Socket[] = [];
  for (let at = 0; at < 20; at += 1) {
    sockets.push(await bare(server, said));
    expect(await ask(server, '/', { user: 'ann' })).toMatchObject({ status: 200, text: 'hello' });
  }
  await expect.poll(() => sockets.filter((each) => each.closed).length).toBeGreaterThanOrEqual(14);
});

test('a connection that asked without authenticating makes room before one that is new', async () => {
  await using server = await startServer(
    believing(async () => say('hello')),
    { limits: few, authenticates: true },
  );
  const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true }));
  for (const agent of agents) expect((await ask(server, '/', { agent })).status).toBe(401);
  const honest = await secure(server);
  const others = [await bare(server), await bare(server), await bare(server)];
  honest.write('GET / HTTP/1.1\r\nHost: me\r\nX-User: ann\r\nConnection: close\r\n\r\n');
  expect(await text(honest)).toContain('200 OK');
  for (const agent of agents) agent.destroy();
  for (const other of others) other.destroy();
});

test('one user cannot take all connections: 429 for more, and others are answered', async () => {
  await using server = await startServer(
    believing(async ({ path }) => (path === '/watch' ? endless : say('hello'))),
    { limits: few, authenticates: true },
  );
  const watches = [];
  for (let at = 0; at < few.perUser; at += 1) watches.push(await open(server, '/watch', { user: 'eve' }));
  const refused = await ask(server, '/', { user: 'eve' });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1', connection: 'close' } });
  expect(JSON.parse(refused.text)).toMatchObject({ reason: 'TooManyRequests', code: 429 });
  expect(await ask(server, '/', { user: 'ann' })).toMatchObject({ status: 200 });
  const [first] = watches;
  first?.destroy();
  await expect.poll(async () => (await ask(server, '/', { user: 'eve' })).status).toBe(200);
  for (const watch of watches) watch.destroy();
});

test('an idle connection of a user makes room for a new one of theirs', async () => {
  await using server = await startServer(
    believing(async () => say('hello')),
    { limits: few, authenticates: true },
  );
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true }));
  for (const agent of agents) expect((await ask(server, '/', { agent, user: 'ann' })).status).toBe(200);
  for (const agent of agents) agent.destroy();
});

test('what is not finished in time is closed, a running stream is not', async () => {
  const limits = { handshakeTime: 200, headTime: 200, requestTime: 200, idleTime: 200 };
  await using server = await startServer(async ({ path }) => (path === '/watch' ? endless : say('hello')), {
    limits,
  });
  const watch = await open(server, '/watch');
  const silent = await bare(server);
  const withoutHead = await secure(server);
  withoutHead.write('GET / HT');
  const withoutBody = await secure(server);
  withoutBody.write('POST / HTTP/1.1\r\nHost: me\r\nContent-Length: 5\r\n\r\nab');
  const agent = new Agent({ keepAlive: true });
  const idle = await open(server, '/', { agent });
  const closed = once(idle.socket, 'close');
  await Promise.all([
    text(idle),
    closed,
    once(silent, 'close'),
    once(withoutHead.resume(), 'close'),
    once(withoutBody.resume(), 'close'),
  ]);
  expect(watch.closed).toBe(false);
  expect(watch.socket.destroyed).toBe(false);
  watch.destroy();
});

test('a client that does not read loses its connection', async () => {
  const much = 'x'.repeat(16 * 1024 * 1024);
  const gone = new EventEmitter();
  await using server = await startServer(
    async ({ signal }) => {
      signal.addEventListener('abort', () => gone.emit('gone'));
      return say(much);
    },
    { limits: { unreadTime: 300 } },
  );
  const left = once(gone, 'gone');
  const response = await open(server, '/');
  await left;
  await expect(text(response)).rejects.toThrow();
});

test('answers that nobody reads are bounded, for one user and in all', async () => {
  const much = 'x'.repeat(4 * 1024 * 1024);
  await using server = await startServer(
    believing(async () => say(much)),
    { authenticates: true, limits: { unreadBytes: 13 * 1024 * 1024, unreadBytesPerUser: 9 * 1024 * 1024 } },
  );
  const unread = [await open(server, '/', { user: 'eve' }), await open(server, '/', { user: 'eve' })];
  const refused = await ask(server, '/', { user: 'eve' });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(await ask(server, '/', { user: 'ann' })).toMatchObject({ status: 200, text: much });
  unread.push(await open(server, '/', { user: 'bob' }));
  expect(await ask(server, '/', { user: 'ann' })).toMatchObject({ status: 429 });
  for (const each of unread) expect(await text(each)).toBe(much);
  expect(await ask(server, '/', { user: 'eve' })).toMatchObject({ status: 200, text: much });
});

test('bodies that are being read are bounded', async () => {
  const reading = new EventEmitter();
  await using server = await startServer(
    believing(async (asked: ApiRequest) => {
      const body = asked.body(1024);
      reading.emit('begun');
      return say(String((await body).length));
    }),
    { authenticates: true, limits: { bodyBytes: 2000, bodyBytesPerUser: 1500 } },
  );
  const post = async (user: string, whole: boolean): Promise<TLSSocket> => {
    const socket = await secure(server);
    const begun = once(reading, 'begun');
    const end = whole ? 'x' : '';
    socket.write(
      `POST / HTTP/1.1\r\nHost: me\r\nX-User: ${user}\r\nConnection: close\r\nContent-Length: 1001\r\n\r\n${'x'.repeat(1000)}${end}`,
    );
    await begun;
    return socket;
  };
  const slow = await post('eve', false);
  // The listener reads what has come before it looks at the next connection.
  expect(await text(await post('eve', true))).toContain('429 Too Many Requests');
  slow.write('x');
  expect(await text(slow)).toContain('200 OK');
  expect(await text(await post('eve', true))).toContain('200 OK');
});

test('requests sent ahead on one connection are answered one after the other', async () => {
  let running = 0;
  let most = 0;
  await using server = await startServer(async ({ path }) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    running -= 1;
    return say(path);
  });
  const socket = await secure(server);
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
  const sent = paths.map(
    (path, at) => `GET ${path} HTTP/1.1\r\nHost: me\r\n${at === 19 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  socket.write(sent.join(''));
  const answers = (await text(socket)).split('\r\n').filter((line) => line.startsWith('/'));
  expect(answers.map((line) => line.split('HTTP')[0])).toEqual(paths);
  expect(most).toBe(1);
});
