import type { IncomingMessage, RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import type { Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { systemRandom } from '#edge/random.ts';
import { createOutgoing, type ClosableOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { bodyOf, startWeb, type WebServer } from '#edge/outgoing/testing/web-server.ts';
import { startServer } from '#edge/testing/server.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';
import { webProvider } from './web.ts';

const sentinel = 'SENTINEL-41c0';
type Texts = Readonly<Record<string, string>>;

let outgoing: ClosableOutgoing;
beforeAll(() => {
  outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
});
afterAll(() => outgoing.close());

const signing = { hmac: hmacSha256Hex, clock: systemClock, random: systemRandom };

const readFrom =
  (secrets: Readonly<Record<string, Texts>>): ReadSecret =>
  ({ namespace, name, key }) => {
    const value = secrets[`${namespace}/${name}`]?.[key];
    const message = `key ${key} of Secret ${namespace}/${name}: there is no such key`;
    return Promise.resolve(value === undefined ? { type: 'missing', message } : { type: 'found', value });
  };

type Asked = {
  readonly args?: Texts;
  readonly secrets?: Readonly<Record<string, Texts>>;
  readonly metric?: string;
  readonly attempt?: number;
};

async function read(web: WebProvider, asked: Asked = {}): Promise<ProviderReading> {
  const { args = {}, secrets = {}, metric = 'webtest', attempt = 1 } = asked;
  const ask = webProvider({ outgoing, readSecret: readFrom(secrets), ...signing });
  const question = {
    namespace: 'default',
    run: { name: 'run', uid: 'uid' },
    serviceAccount: 'default',
    metric: { name: metric, provider: { web } },
    spec: web,
    args: new Map(Object.entries(args)),
    attempt,
  };
  const reading = await ask(question, new AbortController().signal);
  expect(printJson(reading as unknown as Json)).not.toContain(sentinel);
  return reading;
}

const sending =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);

type Seen = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

/** Answers with the request itself, secrets and all. */
const echo: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  void bodyOf(request).then((body) =>
    response.end(JSON.stringify({ method, url, headers, body } satisfies Seen)),
  );
};

const person =
  '{"name":"bryan","male":"yes","age":45,"big":10000000,"huge":9007199254740993,"list":[1,2],"no":null,"deep":{"b":1,"a":"x"}}';

test.for<[jsonPath: string | undefined, result: unknown]>([
  ['{$.age}', '45'],
  ['{.age}', '45'],
  ['{.name}', 'bryan'],
  ['{.big}', '10000000'],
  ['{.huge}', '9007199254740993'],
  ['{.list}', '[1,2]'],
  ['{.list[*]}', '1 2'],
  ['{.name} is {.age}', 'bryan is 45'],
  ['{.deep}', '{"a":"x","b":1}'],
  ['age', 'age'],
  [undefined, person],
])('the seed’s endpoint by %s is %j', async ([jsonPath, result]) => {
  await using server = await startWeb(sending(`${person}\n`));
  const reading = await read({ url: server.url, ...(jsonPath === undefined ? {} : { jsonPath }) });
  expect(reading).toMatchObject({
    type: 'value',
    result,
    value: result,
    evidence: {
      request: `GET ${server.url}`,
      status: 200,
      latencyMs: expect.any(Number),
      body: `${person}\n`,
    },
  });
});

test.for<[jsonPath: string | undefined, result: unknown, value: string]>([
  ['{.age}', 45, '45'],
  ['{.huge}', 9_007_199_254_740_993n, '9007199254740993'],
  ['{.deep}', { b: 1, a: 'x' }, '{"a":"x","b":1}'],
  ['{.list[*]}', [1, 2], '1 2'],
  ['{.no}', null, 'null'],
  [undefined, parseJson(person), expect.stringContaining('"age":45')],
])('with resultType json %s is %s', async ([jsonPath, result, value]) => {
  await using server = await startWeb(sending(person));
  const path = jsonPath === undefined ? {} : { jsonPath };
  expect(await read({ url: server.url, resultType: 'json', ...path })).toMatchObject({
    type: 'value',
    result,
    value,
  });
});

test.for(['{.nothing}', '{.deep.c}', '{.list[7]}', '{.list[?(@.x==1)]}'])(
  '%s leads nowhere: no data',
  async (jsonPath) => {
    await using server = await startWeb(sending(person));
    expect(await read({ url: server.url, jsonPath })).toMatchObject({
      type: 'no-data',
      why: expect.any(String),
      evidence: { status: 200 },
    });
  },
);

test.for<[status: number, body: string, says: string]>([
  [400, '{"error":"no such pod"}', 'the endpoint answered 400: {"error":"no such pod"}'],
  [404, '', 'the endpoint answered 404'],
  [500, 'x'.repeat(5000), `the endpoint answered 500: ${'x'.repeat(199)}…`],
  [304, '', 'the endpoint answered 304'],
  [200, '<html>', 'the answer is not JSON: <html>'],
  [200, '', 'the answer is empty'],
  [200, '{"age":', 'the answer is not JSON: {"age":'],
  [200, '['.repeat(100_000) + ']'.repeat(100_000), 'the answer is nested too deeply to be read'],
])('%i %s is an error', async ([status, body, message]) => {
  await using server = await startWeb(sending(body, status));
  expect(await read({ url: server.url, jsonPath: '{.age}' })).toMatchObject({
    type: 'error',
    message,
    evidence: { status },
  });
});

test('404 is no data if the metric allows it', async () => {
  await using server = await startWeb(sending('gone', 404));
  expect(await read({ url: server.url, notFoundIsNoData: true })).toMatchObject({
    type: 'no-data',
    why: 'the endpoint answered 404',
    evidence: { status: 404, body: 'gone' },
  });
});

test('what does not arrive is an error that names the cause', async () => {
  const server: WebServer = await startWeb(echo);
  await server[Symbol.asyncDispose]();
  expect(await read({ url: `${server.url}/?token=${sentinel}` })).toEqual({
    type: 'error',
    message: `${server.url} refused the connection: nothing listens on that port`,
    evidence: { request: `GET ${server.url}/?token=***`, latencyMs: expect.any(Number) },
  });
});

test('only so much of a long result is kept', async () => {
  await using server = await startWeb(sending(JSON.stringify({ long: 'y'.repeat(100_000) })));
  const reading = await read({ url: server.url, jsonPath: '{.long}' });
  expect(reading).toMatchObject({ result: 'y'.repeat(100_000), value: `${'y'.repeat(1023)}…` });
  expect(reading.evidence.body).toHaveLength(512);
});

async function sent(
  web: Omit<WebProvider, 'url'> & { readonly path?: string },
  asked?: Asked,
): Promise<Seen> {
  await using server = await startWeb(echo);
  const { path = '/', ...rest } = web;
  const reading = await read({ url: `${server.url}${path}`, resultType: 'json', ...rest }, asked);
  expect(reading).toMatchObject({ type: 'value' });
  return (reading as { result: unknown }).result as Seen;
}

test('arguments go where they belong', async () => {
  const args = { who: 'a/b?c=d&e', pod: 'p-0', quoted: '"\\' };
  expect(
    await sent(
      {
        path: '/hooks/{{ args.who }}?pod={{args.pod}}',
        headers: [{ key: 'X-Pod', value: 'pod {{ args.pod }}' }],
        jsonBody: { pod: '{{ args.pod }}', note: ['{{ args.quoted }}', 1] },
      },
      { args },
    ),
  ).toMatchObject({
    method: 'POST',
    url: '/hooks/a/b%3Fc=d&e?pod=p-0',
    headers: { 'x-pod': 'pod p-0', 'content-type': 'application/json' },
    body: JSON.stringify({ pod: 'p-0', note: ['"\\', 1] }),
  });
});

test.for<[Omit<WebProvider, 'url'>, Partial<Seen>]>([
  [{}, { method: 'GET', body: '' }],
  [{ method: 'DELETE' }, { method: 'DELETE' }],
  [{ body: '' }, { method: 'POST', body: '' }],
  [
    { body: 'a={{ args.a }}', method: 'PUT' },
    { method: 'PUT', body: 'a=1' },
  ],
  [
    { body: 'x' },
    { headers: expect.objectContaining({ 'content-type': 'text/plain; charset=utf-8' }) as never },
  ],
  [
    { body: 'x', headers: [{ key: 'Content-Type', value: 'text/csv' }] },
    { headers: expect.objectContaining({ 'content-type': 'text/csv' }) as never },
  ],
  [
    { headers: [{ key: 'X-A', value: '1' }, { key: 'x-a', value: ' 2 ' }, { key: 'x-b' }] },
    { headers: expect.objectContaining({ 'x-a': '1, 2', 'x-b': '' }) as never },
  ],
])('%j is sent as %j', async ([web, seen]) => {
  expect(await sent(web, { args: { a: '1' } })).toMatchObject(seen);
});

test('every call carries a key of its run, metric and measurement, the same again when it is repeated', async () => {
  const keyOf = async (asked: Asked, web: Omit<WebProvider, 'url'> = {}): Promise<unknown> =>
    (await sent(web, asked)).headers['idempotency-key'];
  expect(await keyOf({ attempt: 3 })).toBe('uid/webtest/3');
  expect(await keyOf({ attempt: 3 })).toBe('uid/webtest/3');
  expect(await keyOf({ attempt: 4 }, { body: 'x' })).toBe('uid/webtest/4');
  expect(await keyOf({ metric: 'größe/\n' })).toBe('uid/gr%C3%B6%C3%9Fe%2F%0A/1');
  const own = [{ key: 'Idempotency-Key', value: 'order {{ args.id }}' }];
  expect(await keyOf({ args: { id: '7' } }, { headers: own })).toBe('order 7');
});

test('secrets go out, and what echoes back is hidden everywhere', async () => {
  const secrets = { 'default/api': { token: `Bearer ${sentinel}\n`, hmac: `key-${sentinel}` } };
  const seen = await sent(
    {
      path: `/?q=1`,
      headers: [{ key: 'Authorization', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } }],
      body: 'to be signed',
      hmac: { secretKeyRef: { name: 'api', key: 'hmac' } },
    },
    { secrets },
  );
  const signature = hmacSha256Hex(`key-${sentinel}`, 'to be signed');
  expect(seen.headers).toMatchObject({
    authorization: '***',
    'x-boathook-signature-256': `sha256=${signature}`,
  });
});

test.for(['7', 'ab', 'abc', 'abcd', 'p$1te'])(
  'a secret of any length is not written where it was filled in: %j',
  async (token) => {
    const secrets = { 'default/api': { token: `${token}\n` } };
    const headers = [{ key: 'X-Token', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } }];
    await using server = await startWeb(echo);
    for (const more of [{}, { resultType: 'json' }, { jsonPath: '{.headers}' }] as const) {
      const reading = await read({ url: server.url, headers, ...more }, { secrets });
      // The number of the port may end like the token.
      const shown = JSON.stringify(reading).replaceAll(new URL(server.url).host, 'host');
      expect(shown).not.toContain(JSON.stringify(token).slice(1, -1) + '"');
      expect(reading).toMatchObject({ value: expect.stringMatching(/"x-token": ?"\*\*\*"/) });
      expect(reading.evidence.body).toMatch(/"x-token":"\*\*\*"/);
    }
    const whole = await read({ url: server.url, headers, resultType: 'json' }, { secrets });
    expect(whole).toMatchObject({ result: { headers: { 'x-token': '***' } } });
  },
);

test('what the address carries in secret is hidden when it echoes back', async () => {
  await using server = await startWeb(echo);
  const url = `${server.url.replace('//', `//me:${sentinel}@`)}/?page=1&token=${sentinel}%26`;
  const reading = await read({ url });
  expect(reading.evidence.request).toBe(`GET ${server.url.replace('//', '//***@')}/?page=1&token=***`);
  expect(reading).toMatchObject({ value: expect.stringContaining('"authorization":"Basic ***"') });
});

test('a signature of nothing, in a header of one’s own', async () => {
  const secrets = { 'default/api': { hmac: 'some key' } };
  const hmac = { secretKeyRef: { name: 'api', key: 'hmac' }, header: 'X-Hub-Signature-256' };
  const seen = await sent({ hmac }, { secrets });
  expect(seen.headers['x-hub-signature-256']).toBe(`sha256=${hmacSha256Hex('some key', '')}`);
});

const wrong: readonly [Partial<WebProvider>, says: RegExp][] = [
  [{ url: 'http://{{ args.none }}:9091' }, /^url: .*args\.none/],
  [{ url: 'http://{{ args.lines }}/' }, /^url: .*host/],
  [{ url: 'nonsense' }, /not a complete one/],
  [{ url: 'http://169.254.169.254/' }, /cloud metadata/],
  [{ jsonPath: '{.a' }, /^jsonPath \{\.a: /],
  [{ body: 'a', jsonBody: {} }, /both a body and a jsonBody/],
  [{ body: '{{ args.none }}' }, /^body: /],
  [{ jsonBody: { a: '{{ args.none }}' } }, /^jsonBody: /],
  [{ headers: [{ key: 'X-A', value: '{{ args.lines }}' }] }, /^header X-A: its value contains a line break/],
  [{ headers: [{ key: 'X-A', value: '{{ args.none }}' }] }, /^header X-A: .*args\.none/],
  [{ headers: [{ key: 'X A: b\r\nX-C', value: '1' }] }, /is not the name of a header/],
  [{ headers: [{ key: 'Transfer-Encoding', value: 'chunked' }] }, /is set by the connection itself/],
  [
    { headers: [{ key: 'X-A', valueFrom: { secretKeyRef: { name: 'no', key: 'k' } } }] },
    /^header X-A: key k of Secret default\/no: there is no such key/,
  ],
  [
    { headers: [{ key: 'X-A', valueFrom: { secretKeyRef: { name: 'api', key: 'lines' } } }] },
    /^header X-A: its value contains a line break/,
  ],
  [{ hmac: { secretKeyRef: { name: 'api', key: 'none' } } }, /^hmac: key none/],
  [{ hmac: { secretKeyRef: { name: 'api', key: 'lines' }, header: 'a b' } }, /^hmac: "a b" is not the name/],
  [{ caBundle: '%%%' }, /^caBundle is neither PEM nor PEM in base64/],
  [{ clientCertificate: { secretName: 'api' } }, /^clientCertificate: key tls\.crt of Secret default\/api/],
];
test.for(wrong)('%j is an error, and nothing is sent', async ([web, says]) => {
  let calls = 0;
  await using server = await startWeb((_request, response) => {
    calls += 1;
    response.end();
  });
  const reading = await read(
    { url: server.url, ...web },
    { args: { lines: 'a\r\nX-Evil: 1' }, secrets: { 'default/api': { lines: `${sentinel}\r\nX-Evil: 1` } } },
  );
  expect(reading).toMatchObject({ type: 'error', message: expect.stringMatching(says) });
  expect(calls).toBe(0);
});

test('trust comes from the metric, and so does the certificate to show', async () => {
  await using server = await startServer(async ({ peer }) => ({
    status: 200,
    headers: {},
    body: { type: 'text', text: JSON.stringify({ user: peer.certificate?.user ?? 'nobody' }) },
  }));
  const { ca, admin } = server.certificates;
  const web = { url: server.url, jsonPath: '{.user}' };
  expect(await read(web)).toMatchObject({ type: 'error', message: expect.stringContaining('caBundle') });
  for (const trust of [{ insecure: true }, { caBundle: ca }, { caBundle: btoa(ca) }])
    expect(await read({ ...web, ...trust })).toMatchObject({ result: 'nobody' });
  const secrets = { 'default/client': { 'tls.crt': admin.certificate, 'tls.key': admin.key } };
  const shown = { caBundle: ca, clientCertificate: { secretName: 'client' } };
  expect(await read({ ...web, ...shown }, { secrets })).toMatchObject({ result: 'boathook-admin' });
});

test('an abort of the asker rejects', async () => {
  await using server = await startWeb(() => undefined);
  const ask = webProvider({ outgoing, readSecret: readFrom({}), ...signing });
  const abort = new AbortController();
  const asked = ask(
    {
      namespace: 'default',
      run: { name: '', uid: '' },
      serviceAccount: 'default',
      metric: { name: 'webtest', provider: { web: { url: server.url } } },
      spec: { url: server.url },
      args: new Map(),
      attempt: 1,
    },
    abort.signal,
  );
  abort.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});
