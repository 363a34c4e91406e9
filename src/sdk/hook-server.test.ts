import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { at } from '#base/json.ts';
import { instant } from '#base/time.ts';
import {
  defineReconcileHook,
  HookError,
  tryHook,
  type HookServer,
  type ReconcileHook,
  type ReconcileReply,
} from './sdk.ts';

const seen: unknown[] = [];
const hook = defineReconcileHook({
  preReconcile: ({ object }) => ({ envVars: [{ name: 'WHO', value: object.name ?? '' }] }),
  postReconcile: () => ({ envVars: [{ name: 'BIG', value: 'x'.repeat(5_000_000) }] }),
  onError: (error) => seen.push(error),
});
let server: HookServer;
beforeAll(async () => {
  server = await hook.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const question = JSON.stringify({
  object: { apiVersion: 'v1', kind: 'Kuard', namespace: 'default', name: 'one' },
  phase: 'pre-reconcile',
  capabilities: [],
});

const opened: Socket[] = [];
afterAll(() => opened.forEach((socket) => socket.destroy()));

/** Sends bytes as they are; the answer is all that came when the server has closed, or has answered once. */
async function sent(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  socket.setEncoding('utf8');
  let heard = '';
  for (const piece of pieces) socket.write(piece);
  for await (const piece of socket as AsyncIterable<string>) {
    heard += piece;
    if (heard.includes('\r\n\r\n')) break;
  }
  return heard;
}

const head = (method: string, path: string, length: number, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: hook\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

test.for<[string, readonly string[], RegExp]>([
  ['a good question', [head('POST', '/any/path?x=1', question.length), question], /^HTTP\/1\.1 200 .*"one"/s],
  ['another method', [head('DELETE', '/', 0)], /^HTTP\/1\.1 405 .*allow: POST/is],
  ['a GET', [head('GET', '/', 0)], /^HTTP\/1\.1 405 /],
  ['no JSON', [head('POST', '/', 1), '{'], /^HTTP\/1\.1 400 .*not JSON/s],
  ['JSON that is no question', [head('POST', '/', 2), '[]'], /^HTTP\/1\.1 400 .*not an object/s],
  ['no body', [head('POST', '/', 0)], /^HTTP\/1\.1 400 /],
  ['another phase', [head('POST', '/', 17), '{"phase":"sleep"}'], /^HTTP\/1\.1 400 /],
  ['a prototype', [head('POST', '/', 16), '{"__proto__":{}}'], /^HTTP\/1\.1 400 .*__proto__/s],
  ['more than is taken', [head('POST', '/', 9_000_000), 'x'], /^HTTP\/1\.1 413 /],
  ['no HTTP', ['hello\r\n\r\n'], /^HTTP\/1\.1 400 /],
  ['too many headers', [`GET / HTTP/1.1\r\nx: ${'y'.repeat(300_000)}\r\n\r\n`], /^HTTP\/1\.1 431 /],
])('a stranger sends %s', async ([, pieces, answer]) => {
  expect(await sent(server.port, pieces)).toMatch(answer);
});

test('whoever sends slowly keeps nobody waiting, and the end of the server ends him', async () => {
  const other = await hook.listen({ port: 0, host: '127.0.0.1' });
  const slow = Array.from({ length: 50 }, () => connect(other.port, '127.0.0.1'));
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  for (const socket of slow) {
    socket.on('error', () => undefined);
    socket.write(head('POST', '/', question.length).slice(0, 40));
  }
  expect(await sent(other.port, [head('POST', '/', question.length), question])).toMatch(/^HTTP\/1\.1 200 /);
  const gone = Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  await other.close();
  await gone;
});

test('a caller who goes away is noticed by the handler', async () => {
  const heard = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const patient = defineReconcileHook({
    preReconcile: (_request, { signal }) => {
      asked.resolve();
      signal.addEventListener('abort', () => heard.resolve(true));
      return heard.promise.then(() => undefined);
    },
  });
  await using listening = await patient.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(listening.port, '127.0.0.1');
  socket.write(head('POST', '/', question.length) + question);
  await asked.promise;
  socket.destroy();
  expect(await heard.promise).toBe(true);
});

const instance = { apiVersion: 'e.io/v1', kind: 'Kuard', metadata: { name: 'one', namespace: 'default' } };

test('a reply that no registration can allow is told to its author', async () => {
  seen.length = 0;
  const tried = await tryHook(hook, { phase: 'post-reconcile', instance });
  expect(tried).toMatchObject({
    status: 500,
    error: { message: expect.stringMatching(/longer than 4194304 bytes/) },
  });
  expect(seen).toEqual([expect.objectContaining({ message: expect.stringMatching(/longer/) })]);
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

test.for<[string, () => unknown, number]>([
  ['a text', () => 'fine', 500],
  ['a list', () => [], 500],
  ['null', () => null, 200],
  ['a function', () => () => undefined, 500],
  ['a cycle', () => cyclic, 500],
  ['an unknown member', () => ({ patch: [] }), 500],
  ['a promise that fails', () => Promise.reject(new Error('no')), 500],
  [
    'something thrown that is no error',
    () => {
      throw 'no';
    },
    500,
  ], // oxlint-disable-line no-throw-literal, only-throw-error
])('a handler that gives %s', async ([, handler, status]) => {
  const odd = defineReconcileHook({
    preReconcile: handler as () => ReconcileReply,
    onError: () => undefined,
  });
  expect(await tryHook(odd, { phase: 'pre-reconcile', instance })).toMatchObject({ status });
});

test('in a trial a hook sees what Boathook would send', async () => {
  const asked: unknown[] = [];
  const noting = defineReconcileHook({
    payload: 'full',
    postReconcile: (request) => {
      asked.push(request);
      return undefined;
    },
    secret: 'key',
    clock: { now: () => instant(1_000_000) },
  });
  const trial = {
    phase: 'post-reconcile',
    instance,
    formFactor: 'ksvc',
    children: { ksvc: instance },
    observed: [instance],
    rendered: [instance],
  } as const;
  const clock = { now: () => instant(1_000_000) };
  expect(await tryHook(noting, { ...trial, secret: 'key', clock })).toMatchObject({ status: 204 });
  expect(asked).toMatchObject([
    {
      object: instance,
      phase: 'post-reconcile',
      formFactor: { name: 'ksvc' },
      children: { ksvc: instance },
      observed: [instance],
      rendered: [instance],
    },
  ]);
  expect(await tryHook(noting, { ...trial, secret: 'other', clock })).toMatchObject({ status: 401 });
});

test('handlers that return nothing are handlers', () => {
  const quiet = defineReconcileHook({
    preReconcile: () => {},
    finalize: async () => {
      await Promise.resolve();
    },
  });
  expectTypeOf(quiet).toEqualTypeOf<ReconcileHook>();
  // @ts-expect-error: a member that there is not
  defineReconcileHook({ preReconcile: () => ({ envVar: [] }) });
  // @ts-expect-error: a target that there is not
  defineReconcileHook({ postReconcile: () => ({ patches: [{ pod: {} }] }) });
  // @ts-expect-error: a status that no condition has
  defineReconcileHook({ preReconcile: () => ({ status: { conditions: [{ type: 'A', status: 'Yes' }] } }) });
  expect(new HookError('m')).toMatchObject({ message: 'm', permanent: false, halt: true });
});

test('an integer of 64 bits comes to a hook and goes back with all its digits', async () => {
  const patching = defineReconcileHook({
    payload: 'full',
    preReconcile: ({ object }) => ({
      patches: [
        {
          target: 'main',
          type: 'merge',
          patch: { spec: { replicas: at(object, 'spec', 'x') ?? 0 } },
        },
      ],
    }),
  });
  const large = { ...instance, spec: { x: 9_007_199_254_740_993n } };
  const tried = await tryHook(patching, { phase: 'pre-reconcile', instance: large });
  expect(tried).toMatchObject({
    status: 200,
    reply: { patches: [{ patch: { spec: { replicas: 9_007_199_254_740_993n } } }] },
  });
});
