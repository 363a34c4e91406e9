import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { millis, seconds, type Clock } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { startServer } from '#edge/testing/server.ts';
import { createOutgoing, type ClosableOutgoing, type OutgoingSettings } from './create-outgoing.ts';
import type { OutgoingAnswer, OutgoingRequest } from './outgoing.ts';
import { bodyOf, startRaw, startWeb } from './testing/web-server.ts';

const never = new AbortController().signal;
const sentinel = 'SENTINEL-9f2c';

type World = {
  readonly outgoing: ClosableOutgoing;
  call(url: string, more?: Partial<OutgoingRequest>): Promise<OutgoingAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Every call carries secrets, and no failure may show them. */
function world(settings: Partial<OutgoingSettings> = {}, clock: Clock = systemClock): World {
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock, ...settings });
  return {
    outgoing,
    async call(address, more = {}) {
      const url = address.replace(/^(\w+:\/\/)/, `$1user:${sentinel}@`);
      const headers = { 'x-api-key': sentinel };
      const base = { method: 'GET', url, headers, timeout: seconds(10), maxBytes: 100_000 };
      const answer = await outgoing({ ...base, ...more }, never);
      if (answer.type === 'failed') expect(JSON.stringify(answer)).not.toMatch(/SENTINEL|user:|token/);
      return answer;
    },
    [Symbol.asyncDispose]: () => outgoing.close(),
  };
}

const failing = (why: string, message: RegExp) => ({
  type: 'failed',
  why,
  message: expect.stringMatching(message),
});

const echo: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  void bodyOf(request).then((body) => response.end(JSON.stringify({ method, url, headers, body })));
};
const seenBy = (answer: OutgoingAnswer) =>
  JSON.parse(answer.type === 'answer' ? answer.body : 'null') as Record<string, unknown>;

test('a call goes out as it is written, and its answer comes back', async () => {
  await using server = await startWeb(echo);
  await using to = world();
  const answer = await to.call(`${server.url}/a/b?c=d%20e#f`, { method: 'PUT', body: '{"é":1}' });
  expect(answer).toMatchObject({ type: 'answer', status: 200, latency: expect.any(Number) });
  expect(seenBy(answer)).toMatchObject({
    method: 'PUT',
    url: '/a/b?c=d%20e',
    body: '{"é":1}',
    headers: {
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'boathook',
      'x-api-key': sentinel,
      'accept-encoding': 'gzip, deflate, br',
      authorization: `Basic ${Buffer.from(`user:${sentinel}`).toString('base64')}`,
    },
  });
});

test('connections are kept', async () => {
  await using server = await startWeb(echo);
  await using to = world();
  for (let i = 0; i < 20; i += 1) expect(await to.call(server.url)).toMatchObject({ status: 200 });
  // One rests for a moment after each answer, and then the other is taken.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test.for<[number]>([[204], [301], [404], [503]])('%i is an answer', async ([status]) => {
  await using server = await startWeb((_request, response) => response.writeHead(status).end());
  await using to = world();
  expect(await to.call(server.url)).toMatchObject({ type: 'answer', status, body: '' });
});

test.for([
  '',
  'nonsense',
  '/path',
  'ftp://127.0.0.1/',
  'http://',
  'http://exa mple/',
  'http://127.0.0.1:99999/',
])('%j is no address', async (url) => {
  await using to = world();
  expect(await to.call(url)).toMatchObject(failing('url', /not a complete one: write it like/));
});

test('a refused connection, and a host that nobody knows', async () => {
  const server = await startWeb(echo);
  await server[Symbol.asyncDispose]();
  await using to = world();
  expect(await to.call(server.url)).toMatchObject(
    failing('connect', /refused the connection: nothing listens/),
  );
  expect(await to.call('http://nobody.invalid/')).toMatchObject(failing('dns', /nobody\.invalid/));
});

test.for([
  'http://169.254.169.254/latest/',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://metadata.google.internal/',
  'http://0.0.0.0/',
])('%s is refused without being asked', async (url) => {
  await using to = world();
  expect(await to.call(url)).toMatchObject(failing('policy', /denies/));
});

test('loopback is refused unless allowed', async () => {
  await using server = await startWeb(echo);
  await using to = world({ policy: {} });
  expect(await to.call(server.url)).toMatchObject(failing('policy', /loopback/));
  expect(await to.call(`http://localhost:${server.port}`)).toMatchObject(
    failing('policy', /localhost.*loopback/),
  );
  expect(server.connections()).toBe(0);
});

test('a name is judged by the address that is connected to, however often it changes', async () => {
  await using server = await startWeb(echo);
  const answers = [['10.255.0.1'], ['127.0.0.1', '10.255.0.2'], ['10.255.0.3']];
  const clock = manualClock(0);
  const asked: string[] = [];
  await using to = world(
    {
      policy: { allowLoopback: true, denyCidrs: ['10.255.0.0/16'] },
      findAddresses: async (host) => {
        asked.push(host);
        return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
      },
    },
    clock,
  );
  const url = `http://changing.example:${server.port}`;
  expect(await to.call(url)).toMatchObject(
    failing('policy', /changing\.example has the address 10\.255\.0\.1/),
  );
  clock.advance(seconds(6));
  expect(await to.call(url)).toMatchObject({ type: 'answer', status: 200 });
  for (const socket of server.sockets) socket.destroy();
  clock.advance(seconds(90));
  expect(await to.call(url)).toMatchObject(failing('policy', /10\.255\.0\.3/));
  expect(asked).toHaveLength(3);
});

test('trust', async () => {
  await using server = await startServer(async ({ peer }) => ({
    status: 200,
    headers: {},
    body: { type: 'text', text: peer.certificate?.user ?? 'nobody' },
  }));
  await using to = world({
    findAddresses: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const { ca, admin } = server.certificates;
  const unknown = failing('tls', /signed by an unknown authority.*caBundle/);
  expect(await to.call(server.url)).toMatchObject(unknown);
  expect(await to.call(server.url, { tls: { ca } })).toMatchObject({ body: 'nobody' });
  expect(await to.call(server.url)).toMatchObject(unknown);
  expect(await to.call(server.url, { tls: { insecure: true } })).toMatchObject({ body: 'nobody' });
  const shown = { ca, cert: admin.certificate, key: admin.key };
  expect(await to.call(server.url, { tls: shown })).toMatchObject({ body: 'boathook-admin' });
  const elsewhere = `https://other.example:${server.port}`;
  expect(await to.call(elsewhere, { tls: { ca } })).toMatchObject(failing('tls', /is for other hosts/));
  const garbage = { ca, cert: sentinel, key: sentinel };
  expect(await to.call(server.url, { tls: garbage })).toMatchObject(failing('tls', /cannot be read/));
  await using plain = await startWeb(echo);
  const wrong = plain.url.replace('http:', 'https:');
  expect(await to.call(wrong)).toMatchObject(failing('tls', /does not speak TLS: is it http/));
});

test.for<[string, (socket: Socket) => void]>([
  ['no headers', () => undefined],
  ['half a header', (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: b')],
])('%s', async ([, speak]) => {
  const clock = manualClock(0);
  await using server = await startRaw((socket) =>
    socket.once('data', () => {
      speak(socket);
      clock.advance(seconds(10));
    }),
  );
  await using to = world({}, clock);
  const failure = failing('timeout', /took the request and did not answer within 10s/);
  expect(await to.call(server.url)).toMatchObject({ ...failure, latency: 10_000 });
  await server.emptied();
});

test('a slow body', async () => {
  await using server = await startRaw((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')),
  );
  await using to = world();
  const failure = failing('timeout', /was not done after 400ms \(4 bytes came\)/);
  expect(await to.call(server.url, { timeout: millis(400) })).toMatchObject(failure);
});

test('time runs while a name is looked up', async () => {
  const clock = manualClock(0);
  await using to = world({ findAddresses: () => new Promise(() => undefined) }, clock);
  const asked = to.call('http://hanging.example/');
  clock.advance(seconds(10));
  expect(await asked).toMatchObject(failing('timeout', /did not take a connection within 10s/));
});

const forever: RequestListener = (_request, response) => {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(10_000), more);
  };
  more();
};
const large = 'x'.repeat(100_001);
const bomb = Buffer.alloc(50_000_000);
const sending =
  (body: string | Buffer, encoding?: string): RequestListener =>
  (_request, response) => {
    if (encoding !== undefined) response.setHeader('content-encoding', encoding);
    response.end(body);
  };

test.for<[string, RequestListener]>([
  ['an endless body', forever],
  ['a long body', sending(large)],
  ['a gzip bomb', sending(gzipSync(bomb), 'gzip')],
  ['a deflate bomb', sending(deflateSync(bomb), 'deflate')],
  ['a brotli bomb', sending(brotliCompressSync(bomb), 'br')],
  ['a bomb in a bomb', sending(gzipSync(gzipSync(bomb)), 'gzip, gzip')],
  [
    'long compressed headers',
    (_request, response) => response.writeHead(200, { 'x-a': 'y'.repeat(20_000) }).end(),
  ],
])('%s is too large', async ([, answer]) => {
  await using server = await startWeb(answer);
  await using to = world();
  expect(await to.call(server.url)).toMatchObject(failing('too-large', /more than (100000 bytes|16 KiB)/));
});

test.for<[string, Buffer | string]>([
  ['gzip', gzipSync('Grüße')],
  ['x-gzip', gzipSync('Grüße')],
  ['deflate', deflateSync('Grüße')],
  ['deflate', deflateRawSync('Grüße')],
  ['BR', brotliCompressSync('Grüße')],
  ['deflate, gzip', gzipSync(deflateSync('Grüße'))],
  ['identity', 'Grüße'],
  ['identity', '\u{feff}Grüße'],
])('%s is read (%#)', async ([encoding, body]) => {
  await using server = await startWeb(sending(body, encoding));
  await using to = world();
  expect(await to.call(server.url)).toMatchObject({ type: 'answer', body: 'Grüße' });
  expect(await to.call(server.url, { method: 'HEAD' })).toMatchObject({ type: 'answer', body: '' });
});

test.for<[string, string, RegExp]>([
  ['gzip', 'not gzip', /is not the gzip that its headers promise/],
  ['zstd', 'x', /is encoded as "zstd"; only gzip, deflate, br/],
  ['constructor', 'x', /is encoded as "constructor"/],
])('%s that is %s is broken', async ([encoding, body, says]) => {
  await using server = await startWeb(sending(body, encoding));
  await using to = world();
  expect(await to.call(server.url)).toMatchObject(failing('broken', says));
});

test.for<[string, (socket: Socket) => void, RegExp]>([
  ['not HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), /something that is not HTTP/],
  ['nothing', (socket) => socket.end(), /closed the connection before/],
  ['a reset', (socket) => socket.resetAndDestroy(), /closed the connection before/],
  [
    'half a body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    /closed the connection/,
  ],
])('%s is broken', async ([, speak, says]) => {
  await using server = await startRaw((socket) => socket.once('data', () => speak(socket)));
  await using to = world();
  expect(await to.call(server.url)).toMatchObject(failing('broken', says));
  expect(server.connections()).toBe(1);
});

test('hints before an answer are not the answer', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  await using server = await startRaw((socket) =>
    socket.once('data', () => socket.write(`${hint}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`)),
  );
  await using to = world();
  expect(await to.call(server.url)).toMatchObject({ status: 200, body: 'ok' });
});

test('a kept connection that the server gives up is replaced, where asking twice does no harm', async () => {
  const good = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  await using server = await startRaw((socket) =>
    socket.once('data', () => {
      socket.write(good);
      socket.once('data', () => socket.destroy());
    }),
  );
  await using to = world();
  expect(await to.call(server.url)).toMatchObject({ body: 'ok' });
  expect(await to.call(server.url)).toMatchObject({ body: 'ok' });
  expect(server.connections()).toBe(2);
  expect(await to.call(server.url, { method: 'POST', body: 'x' })).toMatchObject(failing('broken', /closed/));
});

test('a request that may come twice is sent again, whatever its method', async () => {
  const good = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  await using server = await startRaw((socket) => {
    let requests = 0;
    socket.on('data', (chunk) => {
      if (!String(chunk).startsWith('POST ')) return;
      requests += 1;
      if (requests === 1) socket.write(good);
      else socket.destroy();
    });
  });
  await using to = world();
  const post = { method: 'POST', body: 'x' };
  expect(await to.call(server.url, post)).toMatchObject({ body: 'ok' });
  expect(await to.call(server.url, { ...post, isRepeatable: true })).toMatchObject({ body: 'ok' });
  expect(server.connections()).toBe(2);
  expect(await to.call(server.url, post)).toMatchObject(failing('broken', /closed/));
});

test('a request that is sent again has the headers of a repeat', async () => {
  const seen: string[] = [];
  await using server = await startRaw((socket) => {
    let requests = 0;
    socket.on('data', (chunk) => {
      if (!String(chunk).startsWith('POST ')) return;
      seen.push(/x-nonce: (\d)/.exec(String(chunk))?.[1] ?? '');
      requests += 1;
      // The first one on a connection that was used before is lost.
      if (requests === 2 && seen.length <= 3) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  await using to = world();
  let nonce = 0;
  const sign = (): Record<string, string> => ({ 'x-nonce': String((nonce += 1)) });
  for (let calls = 0; calls < 3; calls += 1) {
    const request = { method: 'POST', body: 'x', headers: sign(), isRepeatable: true, headersOfRepeat: sign };
    expect(await to.call(server.url, request)).toMatchObject({ body: 'ok' });
  }
  expect(seen).toEqual(['1', '2', '3', '4']);
});

test.for(['a\r\nx-evil: 1', 'a\nb', 'a\0b', '\u{1f600}'])('a header cannot smuggle %j', async (value) => {
  await using server = await startWeb(echo);
  await using to = world();
  const headers = { 'x-arg': `${sentinel}${value}` };
  expect(await to.call(server.url, { headers })).toMatchObject(
    failing('url', /letters that HTTP does not allow/),
  );
});

test('redirects are followed five times, never in a circle', async () => {
  await using server = await startWeb((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('arrived');
    else response.writeHead(302, { location: left > 99 ? `/${left ^ 1}` : `/${left - 1}` }).end('gone');
  });
  await using to = world();
  expect(await to.call(`${server.url}/5`)).toMatchObject({ type: 'answer', body: 'arrived' });
  expect(await to.call(`${server.url}/6`)).toMatchObject(failing('redirects', /more than 5 times/));
  expect(await to.call(`${server.url}/100`)).toMatchObject(failing('redirects', /in a circle/));
});

test('a redirect is judged anew, and a stranger gets no secrets', async () => {
  await using stranger = await startWeb(echo);
  const targets: string[] = [
    `${stranger.url}/here`,
    'http://169.254.169.254/',
    'http://metadata/',
    'gopher://x',
  ];
  await using server = await startWeb((_request, response) =>
    response.writeHead(307, { location: targets.shift() ?? '' }).end(),
  );
  await using to = world();
  const arrived = seenBy(await to.call(server.url, { method: 'POST', body: 'text' }));
  expect(arrived).toMatchObject({ method: 'POST', url: '/here', body: 'text' });
  expect(JSON.stringify(arrived)).not.toMatch(/SENTINEL|authorization/);
  expect(await to.call(server.url)).toMatchObject(
    failing('policy', /169\.254\.169\.254 is a cloud metadata/),
  );
  expect(await to.call(server.url)).toMatchObject(failing('policy', /metadata/));
  expect(await to.call(server.url)).toMatchObject(failing('redirects', /no http or https address/));
});

test('a host that hangs holds up only its own callers, who take turns', async () => {
  const clock = manualClock(0);
  const arrived = Promise.withResolvers<void>();
  let served = 0;
  await using hanging = await startWeb(() => {
    served += 1;
    if (served === 2) arrived.resolve();
  });
  await using healthy = await startWeb(echo);
  await using to = world({ callsPerHost: 2 }, clock);
  const stuck = [to.call(hanging.url), to.call(hanging.url)];
  const waiting = to.call(hanging.url, { timeout: seconds(4) });
  await arrived.promise;
  for (let i = 0; i < 5; i += 1) expect(await to.call(healthy.url)).toMatchObject({ status: 200 });
  clock.advance(seconds(5));
  expect(await waiting).toMatchObject(
    failing('timeout', /was not called: 2 calls to it were under way for all of 4s/),
  );
  const next = to.call(hanging.url);
  clock.advance(seconds(5));
  for (const answer of await Promise.all(stuck))
    expect(answer).toMatchObject(failing('timeout', /took the request and did not answer within 10s/));
  clock.advance(seconds(5));
  expect(await next).toMatchObject(failing('timeout', /did not (answer|take a connection)/));
});

test('an aborted call rejects with the reason of its signal, whatever it waits for', async () => {
  await using server = await startWeb(() => undefined);
  await using to = world({ callsPerHost: 1 });
  const request = { method: 'GET', url: server.url, headers: {}, timeout: seconds(10), maxBytes: 10 };
  const abort = new AbortController();
  const calls = Array.from({ length: 30 }, () => to.outgoing(request, abort.signal));
  abort.abort(new Error('enough'));
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
  await expect(to.outgoing(request, abort.signal)).rejects.toThrow('enough');
});

test('connections of idle hosts are closed, and only so many hosts are kept', async () => {
  const clock = manualClock(0);
  await using one = await startWeb(echo);
  await using other = await startWeb(echo);
  await using to = world({ keptHosts: 1 }, clock);
  await to.call(one.url);
  await to.call(one.url);
  expect(one.sockets.size).toBeGreaterThan(0);
  const replaced = one.emptied();
  await to.call(other.url);
  await replaced;
  expect(other.sockets.size).toBe(1);
  const idle = other.emptied();
  clock.advance(seconds(90));
  await idle;
  expect(await to.call(other.url)).toMatchObject({ status: 200 });
});

test('a wrong policy is refused at once', () => {
  expect(() => createOutgoing({ policy: { denyCidrs: ['x'] }, clock: systemClock })).toThrow(
    /"x" is not a range/,
  );
});
