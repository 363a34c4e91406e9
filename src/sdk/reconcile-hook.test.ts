import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, expectTypeOf, test } from 'vitest';
import {
  nonceHeader,
  nonceSignature,
  nonceSignatureHeader as signatureHeader,
  signatureHeader as olderSignatureHeader,
  signatureOf,
  signedText,
  timestampHeader,
} from '#registrations/kinds/hook-headers.ts';
import { instant, seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import {
  defineReconcileHook,
  HookError,
  memoryReplayStore,
  tryHook,
  type FullObject,
  type ReconcileHook,
  type ReconcileRequest,
} from './sdk.ts';

const instance = {
  apiVersion: 'extensions.triggermesh.io/v1',
  kind: 'Kuard',
  metadata: { name: 'my-kuard', namespace: 'default', uid: 'u' },
  spec: { a: 1 },
};
const request = {
  object: {
    apiVersion: 'extensions.triggermesh.io/v1',
    kind: 'Kuard',
    namespace: 'default',
    name: 'my-kuard',
  },
  phase: 'pre-reconcile',
  capabilities: ['pre-reconcile'],
};

test('handlers get typed requests, and their replies are read as Boathook reads them', async () => {
  const hook = defineReconcileHook({
    preReconcile: (asked) => {
      expectTypeOf(asked.phase).toEqualTypeOf<'pre-reconcile'>();
      expectTypeOf(asked).toExtend<ReconcileRequest>();
      return { envVars: [{ name: 'WHO', value: `${asked.object.namespace}/${asked.object.name}` }] };
    },
    postReconcile: async ({ rendered = [] }) => ({
      patches: [{ main: { metadata: { annotations: { count: String(rendered.length) } } } }],
    }),
  });
  const pre = await tryHook(hook, { phase: 'pre-reconcile', instance });
  expect(pre).toMatchObject({
    status: 200,
    reply: { envVars: [{ name: 'WHO', value: 'default/my-kuard' }] },
  });
  const post = await tryHook(hook, { phase: 'post-reconcile', instance, rendered: [instance] });
  expect(post.reply.patches).toEqual([
    { target: 'main', type: 'strategic', patch: { metadata: { annotations: { count: '1' } } } },
  ]);
  expect(await tryHook(hook, { phase: 'finalize', instance })).toMatchObject({
    status: 204,
    error: undefined,
  });
});

test('the whole instance comes when the registration says so', async () => {
  const hook = defineReconcileHook({
    payload: 'full',
    preReconcile: ({ object }) => {
      expectTypeOf(object).toEqualTypeOf<FullObject>();
      return { envVars: [{ name: 'A', value: JSON.stringify(object.spec) }] };
    },
  });
  const { reply } = await tryHook(hook, { phase: 'pre-reconcile', instance });
  expect(reply.envVars).toEqual([{ name: 'A', value: '{"a":1}' }]);
});

test.for(['reference', 'full'] as const)('payload: %s has the reference of the instance', async (payload) => {
  const hook = defineReconcileHook({
    payload,
    preReconcile: ({ object: { namespace, name } }) => ({
      envVars: [{ name: 'WHO', value: `${namespace}/${name}` }],
    }),
  });
  const { reply } = await tryHook(hook, { phase: 'pre-reconcile', instance });
  expect(reply.envVars).toEqual([{ name: 'WHO', value: 'default/my-kuard' }]);
});

test('a hook for the whole instance refuses a reference, and says what to change', async () => {
  const hook = defineReconcileHook({ payload: 'full', preReconcile: () => ({}) });
  const reference = defineReconcileHook({});
  const { error } = await tryHook(
    { ...hook, payload: reference.payload },
    { phase: 'pre-reconcile', instance },
  );
  expect(error?.message).toMatch(/set payload: full in spec\.hook of the registration/);
});

test('without payload: full there is no spec to read', () => {
  // @ts-expect-error: a reference has no spec
  defineReconcileHook({ preReconcile: ({ object }) => ({ envVars: [{ name: 'A', value: object.spec }] }) });
});

test('a hook listens on loopback unless told otherwise', async () => {
  await using server = await defineReconcileHook({}).listen({ port: 0 });
  const here = connect(server.port, '127.0.0.1');
  await once(here, 'connect');
  here.destroy();
  const elsewhere = connect(server.port, '127.0.0.2');
  const [error] = (await once(elsewhere, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

test.for<[string, HookError, object]>([
  ['stop', new HookError('m'), { message: 'm', permanent: false, halt: true }],
  ['go on', new HookError('m', { halt: false }), { message: 'm', permanent: false, halt: false }],
  ['give up', new HookError('m', { permanent: true }), { message: 'm', permanent: true, halt: true }],
])('an error that is thrown is reported: %s', async ([, thrown, error]) => {
  const hook = defineReconcileHook({
    finalize: () => {
      throw thrown;
    },
  });
  expect(await tryHook(hook, { phase: 'finalize', instance })).toMatchObject({ status: 200, error });
});

test('a mistake in a handler stops, and does not tell its secrets', async () => {
  const seen: unknown[] = [];
  const hook = defineReconcileHook({
    preReconcile: () => {
      throw new Error('password is 1234');
    },
    onError: (error) => seen.push(error),
  });
  const result = await tryHook(hook, { phase: 'pre-reconcile', instance });
  expect(result).toMatchObject({
    status: 500,
    error: { message: 'the hook failed in pre-reconcile', halt: true },
  });
  expect(result.body).not.toContain('1234');
  expect(seen).toHaveLength(1);
});

test('a reply that Boathook would not take is told to its author', async () => {
  const hook = defineReconcileHook({
    preReconcile: () => ({ envVars: [{ name: 'not a name', value: '' }] }),
    postReconcile: () => ({ patches: [{ pod: {} } as never] }),
    onError: () => undefined,
  });
  expect((await tryHook(hook, { phase: 'pre-reconcile', instance })).error?.message).toMatch(
    /envVars\[0\]\.name/,
  );
  expect((await tryHook(hook, { phase: 'post-reconcile', instance })).error?.message).toMatch(
    /targets are main/,
  );
});

const now = 1_700_000_000;
let nonces = 0;
const signed = (secret: string, timestamp: string, body: string): Record<string, string> => ({
  ...nonceSignature(
    { hmac: hmacSha256Hex, key: secret, now: Number(timestamp) * 1000, nonce: `n${(nonces += 1)}` },
    body,
  ),
});
const older = (secret: string, timestamp: string, body: string): Record<string, string> => ({
  [timestampHeader]: timestamp,
  [olderSignatureHeader]: signatureOf(hmacSha256Hex(secret, signedText(timestamp, body))),
});
const body = JSON.stringify(request);

test.for<[string, Record<string, string>, number]>([
  ['a good signature', signed('key', `${now}`, body), 204],
  ['one that is four minutes old', signed('key', `${now - 240}`, body), 204],
  ['one that is six minutes old', signed('key', `${now - 360}`, body), 401],
  ['one from the future', signed('key', `${now + 360}`, body), 401],
  ['one with another key', signed('other', `${now}`, body), 401],
  ['one of another body', signed('key', `${now}`, '{}'), 401],
  ['one with another time', { ...signed('key', `${now}`, body), [timestampHeader]: `${now + 1}` }, 401],
  ['a time that is none', { ...signed('key', `${now}`, body), [timestampHeader]: 'now' }, 401],
  ['one with another nonce', { ...signed('key', `${now}`, body), [nonceHeader]: 'other' }, 401],
  ['one without its nonce', older('key', `${now}`, body), 401],
  ['half a signature', { ...signed('key', `${now}`, body), [signatureHeader]: 'sha256=' }, 401],
  [
    'more than a signature',
    {
      ...signed('key', `${now}`, body),
      [signatureHeader]: `${signed('key', `${now}`, body)[signatureHeader]}0`,
    },
    401,
  ],
  ['none', {}, 401],
])('%s', async ([, headers, status]) => {
  const hook = defineReconcileHook({ secret: 'key', clock: { now: () => instant(now * 1000) } });
  expect(await statusOf(hook, headers)).toBe(status);
});

async function statusOf(hook: ReconcileHook, headers: Record<string, string>): Promise<number> {
  const response = await hook.serve({
    method: 'POST',
    path: '/',
    query: '',
    headers,
    peer: { certificate: undefined },
    body: async () => new TextEncoder().encode(body),
    signal: new AbortController().signal,
  });
  return response.status;
}

test('a signed request is taken once, however soon it is sent again', async () => {
  let time = now * 1000;
  const hook = defineReconcileHook({ secret: 'key', clock: { now: () => time } });
  const captured = signed('key', `${now}`, body);
  expect(await statusOf(hook, captured)).toBe(204);
  for (const later of [0, 1000, 299_000, 300_000, 301_000, 600_000]) {
    time = now * 1000 + later;
    expect(await statusOf(hook, captured)).toBe(401);
    const { [nonceHeader]: _nonce, ...stripped } = captured;
    expect(await statusOf(hook, stripped)).toBe(401);
    expect(await statusOf(hook, { ...captured, ...older('key', `${now}`, body) })).toBe(401);
  }
  expect(await statusOf(hook, signed('key', `${now + 600}`, body))).toBe(204);
});

test('a request that is signed ahead of time is not taken twice while its signature is good', async () => {
  let time = now * 1000;
  const hook = defineReconcileHook({ secret: 'key', clock: { now: () => time } });
  const early = signed('key', `${now + 299}`, body);
  expect(await statusOf(hook, early)).toBe(204);
  time += 590_000;
  expect(await statusOf(hook, early)).toBe(401);
});

test('what is not signed takes no room, and a full memory takes no more', async () => {
  const clock = { now: () => now * 1000 };
  const replayStore = memoryReplayStore(clock, 2);
  const hook = defineReconcileHook({ secret: 'key', clock, replayStore });
  for (let i = 0; i < 10; i += 1) expect(await statusOf(hook, signed('other', `${now}`, body))).toBe(401);
  expect(await statusOf(hook, signed('key', `${now}`, body))).toBe(204);
  expect(await statusOf(hook, signed('key', `${now}`, body))).toBe(204);
  expect(await statusOf(hook, signed('key', `${now}`, body))).toBe(503);
});

test('several processes share what they remember', async () => {
  const seen = new Set<string>();
  const replayStore = { remember: async (nonce: string) => seen.size < seen.add(nonce).size };
  const [one, other] = [1, 2].map(() =>
    defineReconcileHook({ secret: 'key', clock: { now: () => now * 1000 }, replayStore }),
  );
  const request = signed('key', `${now}`, body);
  expect(await statusOf(one!, request)).toBe(204);
  expect(await statusOf(other!, request)).toBe(401);
});

test('a real server answers a real call', async () => {
  const hook = defineReconcileHook({
    secret: 'key',
    preReconcile: (_asked, { requestId }) => ({ envVars: [{ name: 'ID', value: requestId }] }),
  });
  await using server = await hook.listen({ port: 0, host: '127.0.0.1' });
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const call = async (method: string, sent: string, headers: Record<string, string> = {}, path = '/') => {
    const url = `http://127.0.0.1:${server.port}${path}`;
    const base = { method, url, headers, timeout: seconds(10), maxBytes: 100_000 };
    const answer = await outgoing(
      method === 'GET' ? base : { ...base, body: sent },
      new AbortController().signal,
    );
    return answer.type === 'answer' ? [answer.status, answer.body] : [0, answer.message];
  };
  const time = String(Math.floor(systemClock.now() / 1000));
  const good = { ...signed('key', time, body), 'x-boathook-request-id': '7' };
  expect(await call('POST', body, good)).toEqual([200, '{"envVars":[{"name":"ID","value":"7"}]}']);
  expect(await call('POST', body)).toMatchObject([401, expect.stringMatching(/not signed/)]);
  expect(await call('GET', '')).toMatchObject([405, expect.stringMatching(/POST/)]);
  expect(await call('GET', '', {}, '/healthz')).toEqual([200, 'ok']);
  for (const wrong of ['{', '[]', '{"phase":"sleep"}', '{"object":{},"object":{}}'])
    expect(await call('POST', wrong, signed('key', time, wrong))).toMatchObject([
      400,
      expect.stringMatching(/request/),
    ]);
  await outgoing.close();
});
