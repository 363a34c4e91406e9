import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '#edge/testing/server.ts';
import type { ApiResponse, Serve } from '#kube/http.ts';
import { openApi, type BareApi } from '../support/bare-api.ts';
import { configMap, configMaps, namesIn } from '../support/story-objects.ts';

/** A real listener before the server; counts the streams that are still being read from. */
type Wire = AsyncDisposable & {
  readonly api: BareApi;
  readonly server: TestServer;
  readonly open: () => number;
  readonly connect: () => Promise<TLSSocket>;
  /** Sends bytes on a connection of their own and gives all that comes back. */
  readonly raw: (sent: string) => Promise<string>;
};

async function openWire(options?: Parameters<typeof openApi>[0]): Promise<Wire> {
  const api = await openApi(options);
  let open = 0;
  async function* counted(stream: AsyncIterable<string>): AsyncGenerator<string> {
    open += 1;
    try {
      yield* stream;
    } finally {
      open -= 1;
    }
  }
  const serve: Serve = async (request) => {
    const answer: ApiResponse = await api.embedded.server.serve(request);
    return answer.body.type === 'stream'
      ? { ...answer, body: { ...answer.body, stream: counted(answer.body.stream) } }
      : answer;
  };
  const server = await startServer(serve);
  const { ca, admin } = server.certificates;
  const dial = async (): Promise<TLSSocket> => {
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      ca,
      cert: admin.certificate,
      key: admin.key,
    });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  };
  return {
    api,
    server,
    open: () => open,
    connect: dial,
    async raw(sent) {
      const socket = await dial();
      socket.write(sent);
      return text(socket);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

const head = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: readonly string[]): string =>
  head(
    `POST ${configMaps}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ) + body;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.for<readonly [name: string, sent: string, got: RegExp]>([
  ['the whole address', head(`GET https://x${configMaps}/there`), /^HTTP\/1\.1 200 /],
  ['a name that is no name', head(`GET ${configMaps}/%00`), /^HTTP\/1\.1 404 [^]*"reason":"NotFound"/],
  ['two slashes', head(`GET /${configMaps}/there`), /^HTTP\/1\.1 200 /],
  ['broken escapes', head(`GET ${configMaps}/%zz`), /^HTTP\/1\.1 404 /],
  ['nothing acceptable', head(`GET ${configMaps}`, 'Accept: text/html'), /^HTTP\/1\.1 406 /],
  ['an unknown method', head(`LINK ${configMaps}`), /^HTTP\/1\.1 405 [^]*MethodNotAllowed/],
  [
    'no certificate’s token',
    head(`GET ${configMaps}`, 'Authorization: Bearer wrong'),
    /^HTTP\/1\.1 401 [^]*"message":"Unauthorized"/,
  ],
  ['a body that is no JSON', post('{"metadata":'), /^HTTP\/1\.1 400 [^]*unexpected end of JSON input/],
  [
    'bytes that are no text',
    post('{"metadata":{"name":"\u00ff\u00fe"}}').replaceAll('\u00ff', '\u00c3'),
    /^HTTP\/1\.1 422 /,
  ],
  [
    'a length beyond the limit',
    head(`POST ${configMaps}`, 'Content-Type: application/json', 'Content-Length: 99999999'),
    /^HTTP\/1\.1 413 [^]*limit is 3145728/,
  ],
  ['a delete of everything, unasked', head('DELETE /api/v1/namespaces/default'), /^HTTP\/1\.1 403 /],
])('on the wire: %s', async ([, sent, got]) => {
  await using wire = await openWire();
  await wire.api.create(configMaps, configMap('there'));
  expect(await wire.raw(sent)).toMatch(got);
  expect(namesIn(await wire.api.get(configMaps))).toEqual(['there']);
  expect([wire.server.problems, wire.api.problems]).toEqual([[], []]);
});

test('a body that breaks off is no body', async () => {
  await using wire = await openWire();
  const whole = post(JSON.stringify(configMap('a', { data: { x: 'x'.repeat(50_000) } })));
  for (const length of [60, 150, 400, 30_000, whole.length - 1]) {
    const socket = await wire.connect();
    socket.write(whole.slice(0, length));
    await turn();
    socket.destroy();
    await once(socket, 'close');
  }
  const chunked = await wire.connect();
  chunked.write(
    `${head(`POST ${configMaps}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}5\r\n{"a":\r\n`,
  );
  await turn();
  chunked.destroy();
  expect(await wire.raw(head(`GET ${configMaps}`))).toMatch(/"items":\[\]/);
  expect(await wire.raw(whole)).toMatch(/^HTTP\/1\.1 201 /);
  expect(wire.server.problems).toEqual([]);
});

test('a client that disconnects is not reported as an error', async () => {
  await using wire = await openWire();
  const socket = await wire.connect();
  socket.write(post(JSON.stringify(configMap('a'))).slice(0, -5));
  await turn();
  socket.destroy();
  await once(socket, 'close');
  expect(await wire.raw(head(`GET ${configMaps}`))).toMatch(/^HTTP\/1\.1 200 /);
  expect(wire.api.problems).toEqual([]);
});

test('watches whose readers hang up are let go', async () => {
  await using wire = await openWire();
  const sockets = await Promise.all(Array.from({ length: 20 }, wire.connect));
  for (const socket of sockets) socket.write(head(`GET ${configMaps}?watch=1`));
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  expect(wire.open()).toBe(20);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  await wire.api.create(configMaps, configMap('a'));
  while (wire.open() > 0) await turn();
  expect([wire.server.problems, wire.api.problems]).toEqual([[], []]);
});

test('a watcher that stops reading does not affect others, and is disconnected when it is too late', async () => {
  await using wire = await openWire({ history: { age: 0, atLeast: 10, atMost: 1000, bytes: 2_000_000 } });
  const { api } = wire;
  await api.create(configMaps, configMap('a'));
  const path = `${configMaps}?watch=1`;
  const stuck = await wire.connect();
  stuck.write(head(`GET ${path}`));
  await once(stuck, 'data');
  stuck.pause();
  await using quick = await api.watch(path);
  expect(await quick.names(1)).toEqual(['ADDED a']);
  const data = { x: 'x'.repeat(200_000) };
  for (let count = 0; count < 60; count += 1) {
    await api.patch(`${configMaps}/a`, 'merge', { data: { ...data, n: String(count) } });
    expect(await quick.names(1)).toEqual(['MODIFIED a']);
  }
  expect(wire.open()).toBe(1);
  stuck.resume();
  await once(stuck, 'close');
  while (wire.open() > 0) await turn();
  expect((await api.get(configMaps)).status).toBe(200);
});
