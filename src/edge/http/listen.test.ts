import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { minutes } from '#base/time.ts';
import { makePair } from '#edge/certificate-make.ts';
import { systemClock } from '#edge/clock.ts';
import { startServer, type TestServer } from '#edge/testing/server.ts';
import { BodyTooLarge, type ApiBody, type ApiRequest, type ApiResponse, type Serve } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { listen } from './listen.ts';

type Ask = RequestOptions & { readonly body?: string | Buffer };

async function open(
  server: TestServer,
  path: string,
  { body, ...options }: Ask = {},
): Promise<IncomingMessage> {
  const asked = request(`${server.url}${path}`, { ca: server.certificates.ca, agent: false, ...options });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

type Reply = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

async function ask(server: TestServer, path: string, options: Ask = {}): Promise<Reply> {
  const response = await open(server, path, options);
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}

const plain = { 'content-type': 'text/plain' };
const answer = (body: ApiBody, status = 200): ApiResponse => ({ status, headers: plain, body });
const say = (said: string, status = 200): ApiResponse => answer({ type: 'text', text: said }, status);
const never = new AbortController().signal;

const echo: Serve = async ({ method, path, query, headers, peer }) =>
  say(JSON.stringify({ method, path, query, agent: headers['user-agent'], peer }));

test('a request arrives as plain values and the answer leaves in one piece', async () => {
  await using server = await startServer(async (asked) => {
    const { body, ...rest } = await echo(asked);
    return { ...rest, status: 201, headers: { ...plain, warning: ['299 - "a"', '299 - "b"'] }, body };
  });
  const reply = await ask(server, '/api/v1/a%2Fb?x=1&y=%20?', {
    method: 'PUT',
    headers: { 'User-Agent': 'me' },
  });
  expect(JSON.parse(reply.text)).toEqual({
    method: 'PUT',
    path: '/api/v1/a%2Fb',
    query: 'x=1&y=%20?',
    agent: 'me',
    peer: {},
  });
  expect(reply.status).toBe(201);
  expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
  expect(reply.headers['transfer-encoding']).toBeUndefined();
  expect(reply.headers['warning']).toBe('299 - "a", 299 - "b"');
});

test('a header that comes twice keeps its values apart', async () => {
  await using server = await startServer((asked) =>
    Promise.resolve(say(JSON.stringify([asked.headerValues?.('x-group'), asked.headerValues?.('x-none')]))),
  );
  const reply = await ask(server, '/', { headers: { 'X-Group': ['a, b', 'c'] } });
  expect(JSON.parse(reply.text)).toEqual([['a, b', 'c'], []]);
});

test('only a certificate of our CA makes a user', async () => {
  await using server = await startServer(echo);
  await using foreign = await startServer(echo);
  const now = systemClock.now();
  const wanted = { subject: 'O=a, O=b, CN=eve', issuer: server.ca, now, lifetime: minutes(10) };
  const peers = [];
  for (const pair of [
    undefined,
    server.certificates.admin,
    await makePair(wanted),
    foreign.certificates.admin,
  ]) {
    const options = pair === undefined ? {} : { cert: pair.certificate, key: pair.key };
    peers.push(JSON.parse((await ask(server, '/', options)).text).peer.certificate);
  }
  expect(peers).toEqual([
    undefined,
    { user: 'boathook-admin', groups: ['system:masters'] },
    { user: 'eve', groups: ['a', 'b'] },
    undefined,
  ]);
});

/** Reads the body and says what came of it. */
const readUpTo =
  (limit: number): Serve =>
  async (asked) => {
    try {
      return say(Buffer.from(await asked.body(limit)).toString());
    } catch (error) {
      if (error instanceof BodyTooLarge) return say(`more than ${error.limit}`, 413);
      if (error instanceof ApiError) return say(error.message, error.code);
      throw error;
    }
  };

const long = 'x'.repeat(50_000);
const gzip = { 'content-encoding': 'gzip' };
const chunked = { 'transfer-encoding': 'chunked' };

test.for<{
  name: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  status: number;
  said: string;
}>([
  { name: 'no body', status: 200, said: '' },
  { name: 'a short one', body: 'hällo', status: 200, said: 'hällo' },
  { name: 'just within the limit', body: 'x'.repeat(20_000), status: 200, said: 'x'.repeat(20_000) },
  { name: 'one byte over', body: 'x'.repeat(20_001), status: 413, said: 'more than 20000' },
  { name: 'over, in chunks', body: long, headers: chunked, status: 413, said: 'more than 20000' },
  { name: 'in chunks', body: 'abc', headers: chunked, status: 200, said: 'abc' },
  { name: 'gzip', body: gzipSync('packed'), headers: gzip, status: 200, said: 'packed' },
  { name: 'a gzip bomb', body: gzipSync(long), headers: gzip, status: 413, said: 'more than 20000' },
  {
    name: 'not gzip',
    body: 'plain',
    headers: gzip,
    status: 400,
    said: 'the request body is not what its content encoding gzip promises',
  },
  {
    name: 'an unknown encoding',
    body: 'plain',
    headers: { 'content-encoding': 'br' },
    status: 415,
    said: 'the request body has the content encoding "br", only gzip is understood',
  },
])('request body: $name', async ({ body, headers = {}, status, said }) => {
  await using server = await startServer(readUpTo(20_000));
  const reply = await ask(server, '/', { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
  expect(reply.text).toBe(said);
  expect(reply.status).toBe(status);
});

const kib = 1024;
const asText = (size: number): ApiBody => ({ type: 'text', text: 'ä'.repeat(size) });
const unevenChunks: ApiBody = {
  type: 'chunks',
  chunks: [5, 100_000, 3, 200_000, 70_000, 1, 2, 90_000, 4].map((size, n) => String(n).repeat(size)),
};
const asChunks = (size: number): ApiBody => ({
  type: 'chunks',
  chunks: Array.from({ length: size / kib }, () => 'ä'.repeat(kib)),
});

test.for([
  { name: 'long text', body: asText(129 * kib), accept: 'gzip', packed: true },
  { name: 'long text, among others', body: asText(129 * kib), accept: 'br, gzip;q=0.5', packed: true },
  { name: 'long text, gzip refused', body: asText(129 * kib), accept: 'gzip;q=0, br', packed: false },
  { name: 'long text, not asked', body: asText(129 * kib), accept: undefined, packed: false },
  { name: 'short text', body: asText(128 * kib), accept: 'gzip', packed: false },
  { name: 'huge text', body: asText(5 * 1024 * kib), accept: 'gzip', packed: true },
  { name: 'huge text, not asked', body: asText(5 * 1024 * kib), accept: undefined, packed: false },
  { name: 'long chunks', body: asChunks(1024 * kib), accept: 'gzip', packed: true },
  { name: 'short chunks', body: asChunks(128 * kib), accept: 'gzip', packed: false },
  { name: 'uneven chunks', body: unevenChunks, accept: 'gzip', packed: true },
  { name: 'uneven chunks, not asked', body: unevenChunks, accept: undefined, packed: false },
  { name: 'long chunks, not asked', body: asChunks(1024 * kib), accept: undefined, packed: false },
])('gzip: $name', async ({ body, accept, packed }) => {
  await using server = await startServer(async () => answer(body));
  const reply = await ask(server, '/', {
    headers: accept === undefined ? {} : { 'Accept-Encoding': accept },
  });
  expect(reply.headers['content-encoding']).toBe(packed ? 'gzip' : undefined);
  expect(reply.headers['vary']).toBe(packed ? 'Accept-Encoding' : undefined);
  const whole = body.type === 'text' ? body.text : body.type === 'chunks' ? [...body.chunks].join('') : '';
  expect((packed ? gunzipSync(reply.bytes) : reply.bytes).equals(Buffer.from(whole))).toBe(true);
  expect(server.problems).toEqual([]);
});

test.for([asText(10), asText(200 * kib), asChunks(512 * kib)])('HEAD gets the head alone', async (body) => {
  await using server = await startServer(async () => answer(body));
  const reply = await ask(server, '/', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  expect([reply.status, reply.bytes.length]).toEqual([200, 0]);
  if (body.type === 'text') expect(reply.headers['content-length']).toBe(String(2 * body.text.length));
});

test('chunks wait for a slow reader while others are served', async () => {
  let made = 0;
  let left = false;
  function* pieces(): Generator<string> {
    try {
      for (; made < 2000; made++) yield 'y'.repeat(16 * kib);
    } finally {
      left = true;
    }
  }
  await using server = await startServer(async ({ path }) =>
    path === '/quick' ? say('here') : answer({ type: 'chunks', chunks: pieces() }),
  );
  const slow = await open(server, '/slow');
  slow.pause();
  for (let i = 0; i < 5; i++) expect((await ask(server, '/quick')).text).toBe('here');
  expect(made).toBeLessThan(1500);
  expect((await buffer(slow)).length).toBe(2000 * 16 * kib);
  expect(left).toBe(true);
});

test.for([{}, { 'Accept-Encoding': 'gzip' }])(
  'chunks are no longer made for a reader who left (%o)',
  async (headers) => {
    const over = Promise.withResolvers<void>();
    function* pieces(): Generator<string> {
      try {
        for (;;) yield 'y'.repeat(16 * kib);
      } finally {
        over.resolve();
      }
    }
    await using server = await startServer(async () => answer({ type: 'chunks', chunks: pieces() }));
    const response = await open(server, '/', { headers });
    response.destroy();
    await over.promise;
    expect(server.problems).toEqual([]);
  },
);

test('a stream sends its head at once and each text as it comes', async () => {
  const gate = Promise.withResolvers<void>();
  async function* events(): AsyncGenerator<string> {
    await gate.promise;
    yield 'one\n';
    yield 'two\n';
  }
  await using server = await startServer(async () =>
    answer({ type: 'stream', stream: events(), cut: never }),
  );
  const response = await open(server, '/', { headers: { 'Accept-Encoding': 'gzip' } });
  expect(response.headers['content-encoding']).toBeUndefined();
  gate.resolve();
  expect(await text(response)).toBe('one\ntwo\n');
  expect(response.complete).toBe(true);
});

test('a stream that is cut breaks off', async () => {
  const cut = new AbortController();
  async function* events({ signal }: ApiRequest): AsyncGenerator<string> {
    yield 'one\n';
    await once(signal, 'abort');
  }
  await using server = await startServer(async (asked) =>
    answer({ type: 'stream', stream: events(asked), cut: cut.signal }),
  );
  const response = await open(server, '/');
  await once(response, 'data');
  cut.abort();
  await expect(text(response)).rejects.toThrow('aborted');
  expect(server.problems).toEqual([]);
});

test('a reader who leaves ends the stream', async () => {
  const seen: string[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stream: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        seen.push('next');
        return seen.length === 1
          ? Promise.resolve({ done: false, value: 'x' })
          : new Promise(() => undefined);
      },
      return: () => {
        seen.push('return');
        end();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  await using server = await startServer(async ({ signal }) => {
    signal.addEventListener('abort', () => seen.push('aborted'));
    return answer({ type: 'stream', stream, cut: never });
  });
  const response = await open(server, '/');
  await once(response, 'data');
  response.destroy();
  await over;
  expect(seen.filter((each) => each !== 'next').toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'aborted',
    'return',
  ]);
});

test('a stream does not run ahead of its reader', async () => {
  let made = 0;
  async function* events(): AsyncGenerator<string> {
    for (; made < 1000; made++) yield 'z'.repeat(64 * kib);
  }
  await using server = await startServer(async ({ path }) =>
    path === '/quick' ? say('here') : answer({ type: 'stream', stream: events(), cut: never }),
  );
  const response = await open(server, '/');
  response.pause();
  for (let i = 0; i < 5; i++) await ask(server, '/quick');
  expect(made).toBeLessThan(900);
  expect((await buffer(response)).length).toBe(1000 * 64 * kib);
});

test('the signal aborts when the client leaves before the answer, and stays quiet when it does not', async () => {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  await using server = await startServer(async ({ path, signal }) => {
    signals.push(signal);
    if (path === '/done') return say('done');
    await once(signal, 'abort');
    abort((signal.reason as Error).name);
    throw signal.reason;
  });
  await ask(server, '/done');
  const leaving = request(`${server.url}/wait`, { ca: server.certificates.ca, agent: false });
  leaving.on('error', () => undefined);
  leaving.end();
  while (signals.length < 2) await new Promise(setImmediate);
  leaving.destroy();
  expect(await aborted).toBe('ClientGone');
  expect(signals.map((each) => each.aborted)).toEqual([false, true]);
  expect(server.problems).toEqual([]);
});

async function raw(server: TestServer, bytes: string): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1', ca: server.certificates.ca });
  socket.write(bytes);
  return text(socket);
}

const tail = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test.for([
  { name: 'nonsense', sent: 'NONSENSE\r\n\r\n', got: /^HTTP\/1\.1 400 Bad Request\r\n/ },
  { name: 'binary', sent: '\u0000\u0001\u0002\r\n\r\n', got: /^HTTP\/1\.1 400 / },
  {
    name: 'a huge header',
    sent: `GET / HTTP/1.1\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`,
    got: /^HTTP\/1\.1 431 /,
  },
  {
    name: 'two lengths',
    sent: 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    got: / 400 /,
  },
  { name: 'an absolute address', sent: `GET https://a.b:1/p?q=1 ${tail}`, got: /"path":"\/p","query":"q=1"/ },
  { name: 'an address without a path', sent: `GET http://a.b?q=1 ${tail}`, got: /"path":"\/","query":"q=1"/ },
  { name: 'two slashes', sent: `GET //a//b ${tail}`, got: /"path":"\/\/a\/\/b"/ },
  { name: 'a star', sent: `OPTIONS * ${tail}`, got: /"path":"\*"/ },
  { name: 'a bare word', sent: `GET word ${tail}`, got: / 400 / },
  { name: 'another scheme', sent: `GET ftp://a/b ${tail}`, got: / 400 / },
  { name: 'broken escapes', sent: `GET /%zz%?%a ${tail}`, got: /"path":"\/%zz%","query":"%a"/ },
])('on the wire: $name', async ({ sent, got }) => {
  await using server = await startServer(echo);
  expect(await raw(server, sent)).toMatch(got);
  expect((await ask(server, '/')).status).toBe(200);
});

test('what is no TLS, and a CONNECT, only lose their connection', async () => {
  await using server = await startServer(echo);
  const socket = connectPlain({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await once(socket, 'close');
  await raw(server, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
  expect((await ask(server, '/')).status).toBe(200);
});

test('a failure of the server is a 500 without details, and is reported', async () => {
  const bug = new Error('secret detail');
  await using server = await startServer(() => Promise.reject(bug));
  const reply = await ask(server, '/');
  expect(reply.status).toBe(500);
  expect(JSON.parse(reply.text)).toMatchObject({ kind: 'Status', reason: 'InternalError', code: 500 });
  expect(reply.text).not.toContain('secret');
  expect(server.problems).toEqual([bug]);
});

test('a failure in the middle of an answer breaks the connection', async () => {
  const bug = new Error('broken stream');
  async function* events(): AsyncGenerator<string> {
    yield 'one\n';
    throw bug;
  }
  await using server = await startServer(async () =>
    answer({ type: 'stream', stream: events(), cut: never }),
  );
  await expect(open(server, '/').then(text)).rejects.toThrow();
  expect(server.problems).toEqual([bug]);
});

test('a taken port is named', async () => {
  await using server = await startServer(echo);
  const { port } = server;
  const second = listen({ serve: echo, host: '127.0.0.1', port, tls: undefined, report: () => undefined });
  await expect(second).rejects.toMatchObject({ name: 'PortTaken', host: '127.0.0.1', port });
});

test('plain HTTP works as well', async () => {
  const server = await listen({
    serve: echo,
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    report: () => undefined,
  });
  const socket = connectPlain({ port: server.port, host: '127.0.0.1' });
  socket.write(`GET /x ${tail}`);
  expect(await text(socket)).toContain('"path":"/x"');
  await server.close();
});

test('closing ends idle, running and half-open connections within a second', async () => {
  const { promise: running, resolve: runs } = Promise.withResolvers<void>();
  await using server = await startServer(async ({ path, signal }) => {
    if (path === '/') return say('done');
    if (path === '/stubborn') {
      runs();
      return new Promise(() => undefined);
    }
    async function* events(): AsyncGenerator<string> {
      yield 'one\n';
      await once(signal, 'abort');
      yield 'last words\n';
    }
    return answer({ type: 'stream', stream: events(), cut: never });
  });
  const agent = new Agent({ keepAlive: true });
  await ask(server, '/', { agent });
  const halfOpen = connectPlain({ port: server.port, host: '127.0.0.1' });
  await once(halfOpen, 'connect');
  const watch = await open(server, '/watch');
  const words = text(watch);
  const stubborn = open(server, '/stubborn').catch((error: Error) => error.message);
  await running;
  const begun = performance.now();
  await Promise.all([server.close(), server.close()]);
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(await words).toBe('one\nlast words\n');
  expect(await stubborn).toMatch(/hang up|ECONNRESET/);
  await expect(ask(server, '/')).rejects.toThrow('ECONNREFUSED');
  agent.destroy();
  halfOpen.destroy();
});
