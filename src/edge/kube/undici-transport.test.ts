import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { formatTime, instant, later, millis, seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { Secret } from '#edge/secret.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { startServer, type TestServer } from '#edge/testing/server.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import type { ClusterAccess, ExecPlugin, ApiLogin, UserAccess } from './access.ts';
import type { TransportRequest } from './transport.ts';
import { undiciTransport, type ClusterTransport } from './undici-transport.ts';

const never = new AbortController().signal;
const say = (text: string, status = 200, headers = {}): ApiResponse => ({
  status,
  headers,
  body: { type: 'text', text },
});
const get = (path = '/x', more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  path,
  query: '',
  headers: {},
  signal: never,
  ...more,
});

const anonymous: UserAccess = { certificate: undefined, login: { type: 'none' }, impersonate: undefined };
const as = (login: ApiLogin): Partial<ClusterAccess> => ({ user: { ...anonymous, login } });

function open(
  server: TestServer,
  access: Partial<ClusterAccess> = {},
  clock = systemClock,
): ClusterTransport & AsyncDisposable {
  const { ca } = server.certificates;
  const base = {
    server: server.url,
    ca,
    insecure: false,
    serverName: undefined,
    namespace: 'default',
    user: anonymous,
  };
  const opened = undiciTransport({ ...base, ...access }, clock, { terminal: false, env: process.env });
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

/** Answers with what it was asked. */
const echo: Serve = async (asked) => {
  const { method, path, query, headers, peer } = asked;
  const body = Buffer.from(await asked.body(1000)).toString();
  return say(JSON.stringify({ method, path, query, headers, body, user: peer.certificate?.user }));
};

async function ask(opened: ClusterTransport, request = get()): Promise<Record<string, unknown>> {
  return JSON.parse(await (await opened.transport(request)).text()) as Record<string, unknown>;
}

test('a request arrives as it was sent', async () => {
  await using server = await startServer(echo);
  await using cluster = open(server, { server: `${server.url}/behind/a/` });
  const request = get('/a%2Fb', {
    method: 'POST',
    query: 'x=1&y=%20',
    headers: { 'x-it': 'me' },
    body: 'hällo',
  });
  expect(await ask(cluster, request)).toMatchObject({
    method: 'POST',
    path: '/behind/a/a%2Fb',
    query: 'x=1&y=%20',
    body: 'hällo',
    headers: { 'x-it': 'me' },
  });
});

test('a client certificate makes the user', async () => {
  await using server = await startServer(echo);
  const { certificate, key } = server.certificates.admin;
  const user = { ...anonymous, certificate: { certificate, key: new Secret(key) } };
  await using cluster = open(server, { user });
  expect(await ask(cluster)).toMatchObject({ user: 'boathook-admin' });
});

test('impersonation goes along', async () => {
  await using server = await startServer(echo);
  const user = { ...anonymous, impersonate: { user: 'eve', uid: 'u', groups: ['a', 'b'] } };
  await using cluster = open(server, { user });
  expect(await ask(cluster)).toMatchObject({
    headers: { 'impersonate-user': 'eve', 'impersonate-uid': 'u', 'impersonate-group': 'a, b' },
  });
});

test.for<[string, ApiLogin, string | undefined]>([
  ['nothing', { type: 'none' }, undefined],
  ['a token', { type: 'token', token: new Secret('t') }, 'Bearer t'],
  ['a password', { type: 'basic', user: 'me', password: new Secret('p') }, 'Basic bWU6cA=='],
])('%s is sent as authorization', async ([, login, authorization]) => {
  await using server = await startServer(echo);
  await using cluster = open(server, as(login));
  const { headers } = await ask(cluster);
  expect((headers as Record<string, string>)['authorization']).toBe(authorization);
});

const bearer = ({ headers }: ApiRequest): string => headers['authorization'] ?? '';

test('a token file is read again after a while, and at once when the token is refused', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'token');
  const clock = manualClock(0);
  let accepted = /./;
  await using server = await startServer(async (asked) =>
    accepted.test(bearer(asked)) ? say(JSON.stringify({ token: bearer(asked) })) : say('no', 401),
  );
  await using cluster = open(server, as({ type: 'token-file', path }), clock);
  writeFileSync(path, 'one\n');
  expect(await ask(cluster)).toEqual({ token: 'Bearer one' });
  writeFileSync(path, 'two');
  expect(await ask(cluster)).toEqual({ token: 'Bearer one' });
  clock.advance(seconds(11));
  expect(await ask(cluster)).toEqual({ token: 'Bearer two' });
  writeFileSync(path, 'three');
  accepted = /three/;
  expect(await ask(cluster)).toEqual({ token: 'Bearer three' });
  accepted = /never/;
  expect((await cluster.transport(get())).status).toBe(401);
});

/** A plugin that counts its calls, and tells them in its token. */
function writePlugin(folder: string, body: string): ExecPlugin {
  const command = join(folder, 'plugin');
  writeFileSync(
    command,
    `#!/bin/sh\necho x >> ${folder}/calls\nn=$(wc -l < ${folder}/calls | tr -d ' ')\n${body}\n`,
  );
  chmodSync(command, 0o700);
  const apiVersion = 'client.authentication.k8s.io/v1';
  const common = { installHint: 'Install it.', cluster: undefined, interactiveMode: 'Never' } as const;
  return { apiVersion, command, args: ['first'], env: [{ name: 'WORD', value: 'word' }], ...common };
}

const calls = (folder: string): number =>
  existsSync(`${folder}/calls`) ? readFileSync(`${folder}/calls`, 'utf8').length / 2 : 0;

const printed = (status: string): string =>
  `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":'"${status}"'}'`;
const expiring = printed(`{\\"token\\":\\"$WORD-$1-$n\\",\\"expirationTimestamp\\":\\"$EXPIRES\\"}`);

test('a plugin is asked once, until its token expires or is refused', async () => {
  using dir = tempDir();
  const clock = manualClock(1_600_000_000_000);
  let refused = 'nothing';
  await using server = await startServer(async (asked) =>
    bearer(asked) === refused ? say('no', 401) : say(JSON.stringify({ token: bearer(asked) })),
  );
  const plugin = writePlugin(dir.path, expiring);
  const expires = formatTime(later(instant(clock.now()), seconds(60)));
  const env = [...plugin.env, { name: 'EXPIRES', value: expires }];
  await using cluster = open(server, as({ type: 'exec', plugin: { ...plugin, env } }), clock);
  const answers = await Promise.all([ask(cluster), ask(cluster), ask(cluster)]);
  expect(answers).toEqual(answers.map(() => ({ token: 'Bearer word-first-1' })));
  refused = 'Bearer word-first-1';
  expect(await ask(cluster)).toEqual({ token: 'Bearer word-first-2' });
  expect(calls(dir.path)).toBe(2);
  clock.advance(seconds(61));
  expect(await ask(cluster)).toEqual({ token: 'Bearer word-first-3' });
});

test('an exec plugin gets its own settings, and may return a certificate', async () => {
  using dir = tempDir();
  await using server = await startServer(echo);
  const { certificate, key } = server.certificates.admin;
  const credential = {
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    status: { clientCertificateData: certificate, clientKeyData: key },
  };
  writeFileSync(join(dir.path, 'credential'), JSON.stringify(credential));
  const told = `echo "$KUBERNETES_EXEC_INFO" > ${dir.path}/told; cat ${dir.path}/credential`;
  const plugin: ExecPlugin = { ...writePlugin(dir.path, told), cluster: { server: 'https://c' } };
  await using cluster = open(server, as({ type: 'exec', plugin }));
  expect(await ask(cluster)).toMatchObject({ user: 'boathook-admin' });
  expect(JSON.parse(readFileSync(join(dir.path, 'told'), 'utf8'))).toEqual({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    spec: { interactive: false, cluster: { server: 'https://c' } },
  });
});

test.for<[string, string, RegExp, Partial<ExecPlugin>?]>([
  ['fails', 'echo hunter2; exit 3', /ended with exit status 3\. Install it\./],
  ['prints no JSON', 'echo hunter2', /not JSON/],
  [
    'prints another version',
    `echo '{"kind":"ExecCredential","apiVersion":"x","status":{"token":"hunter2"}}'`,
    /did not print/,
  ],
  ['prints nothing useful', printed('{}'), /no credentials/],
  ['is missing', '', /cannot be run: .*ENOENT/, { command: '/nowhere/plugin' }],
  ['needs a person', 'exit 0', /needs a terminal/, { interactiveMode: 'Always' }],
])('a plugin that %s makes the cluster unavailable', async ([, body, why, change]) => {
  using dir = tempDir();
  await using server = await startServer(echo);
  await using cluster = open(
    server,
    as({ type: 'exec', plugin: { ...writePlugin(dir.path, body), ...change } }),
  );
  const failure = await cluster.transport(get()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'Unavailable', message: expect.stringMatching(why) });
  expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
});

test('a request that is called off does not spoil the plugin’s run for others', async () => {
  using dir = tempDir();
  await using server = await startServer(async (asked) => say(JSON.stringify({ token: bearer(asked) })));
  const gate = join(dir.path, 'gate');
  const body = `while [ ! -e ${gate} ]; do sleep 0.01; done\n${printed('{\\"token\\":\\"t$n\\"}')}`;
  await using cluster = open(server, as({ type: 'exec', plugin: writePlugin(dir.path, body) }));
  const leaving = new AbortController();
  const first = cluster.transport(get('/x', { signal: leaving.signal }));
  const second = ask(cluster);
  while (calls(dir.path) === 0) await new Promise(setImmediate);
  leaving.abort(new Error('enough'));
  await expect(first).rejects.toThrow();
  writeFileSync(gate, '');
  expect(await second).toEqual({ token: 'Bearer t2' });
});

test('a server that says "later" is asked later', async () => {
  const clock = manualClock(0);
  const asked: string[] = [];
  await using server = await startServer(async (request) => {
    asked.push(`${request.method} ${Buffer.from(await request.body(10)).toString()}`);
    if (asked.length === 1) return say('busy', 429, { 'retry-after': '7' });
    if (asked.length === 2) return say('busy', 503, { 'retry-after': '1' });
    return say('{}');
  });
  await using cluster = open(server, {}, clock);
  const answer = cluster.transport(get('/x', { method: 'POST', body: 'b' }));
  await clock.waiting();
  clock.advance(millis(6999));
  expect(asked).toHaveLength(1);
  clock.advance(millis(1));
  await clock.waiting();
  clock.advance(seconds(1));
  expect((await answer).status).toBe(200);
  expect(asked).toEqual(['POST b', 'POST b', 'POST b']);
});

test('a server that never stops saying "later" is believed in the end', async () => {
  let count = 0;
  await using server = await startServer(async () => say(String(++count), 429, { 'retry-after': '0' }));
  await using cluster = open(server);
  const answer = await cluster.transport(get());
  expect([answer.status, await answer.text()]).toEqual([429, '10']);
  await using other = await startServer(async () => say('no', 429));
  await using plain = open(other);
  expect((await plain.transport(get())).status).toBe(429);
});

test('lines arrive one by one, and leaving the loop ends the request', async () => {
  const over = Promise.withResolvers<void>();
  async function* events({ signal }: ApiRequest): AsyncGenerator<string> {
    signal.addEventListener('abort', () => over.resolve());
    yield 'one\ntw';
    yield 'ö\n\nthree';
    yield '\n';
    await new Promise(() => undefined);
  }
  await using server = await startServer(async (asked) => ({
    status: 200,
    headers: {},
    body: { type: 'stream', stream: events(asked), cut: never },
  }));
  await using cluster = open(server);
  const seen: string[] = [];
  for await (const line of (await cluster.transport(get('/x', { query: 'watch=true' }))).lines()) {
    seen.push(line);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(['one', 'twö', 'three']);
  await over.promise;
});

test('an aborted request fails with the signal’s reason', async () => {
  const reason = new Error('enough');
  const stop = new AbortController();
  await using server = await startServer(async ({ path }) => {
    if (path === '/hang') {
      stop.abort(reason);
      await new Promise(() => undefined);
    }
    async function* events(): AsyncGenerator<string> {
      yield 'one\n';
      await new Promise(() => undefined);
    }
    return { status: 200, headers: {}, body: { type: 'stream', stream: events(), cut: never } };
  });
  await using cluster = open(server);
  await expect(cluster.transport(get('/hang', { signal: stop.signal }))).rejects.toBe(reason);
  const later = new AbortController();
  const response = await cluster.transport(get('/x', { signal: later.signal }));
  const read = async (): Promise<void> => {
    for await (const line of response.lines()) if (line === 'one') later.abort(reason);
  };
  await expect(read()).rejects.toBe(reason);
});

test.for<[string, (server: TestServer, other: TestServer) => Partial<ClusterAccess>, string]>([
  ['a foreign CA is refused', (_, other) => ({ ca: other.certificates.ca }), 'Unavailable'],
  ['an unknown CA is refused', () => ({ ca: undefined }), 'Unavailable'],
  ['unless nobody checks', () => ({ ca: undefined, insecure: true }), 'ok'],
  ['another name of the certificate will do', () => ({ serverName: 'kubernetes.default' }), 'ok'],
  ['a name it has not will not', () => ({ serverName: 'example.org' }), 'Unavailable'],
  ['nobody listens', () => ({ server: 'https://127.0.0.1:1' }), 'Unavailable'],
])('%s', async ([, change, result]) => {
  await using server = await startServer(echo);
  await using other = await startServer(echo);
  const login: ApiLogin = { type: 'token', token: new Secret('hunter2') };
  await using cluster = open(server, { ...as(login), ...change(server, other) });
  const outcome = await cluster.transport(get('/x', { query: 'q=1' })).then(
    async (response) => {
      await response.text();
      return { name: 'ok' };
    },
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({ name: result });
  expect(inspect(outcome, { depth: 9, showHidden: true })).not.toContain('hunter2');
});

test('a connection that breaks in the middle is an outage', async () => {
  const cut = new AbortController();
  async function* events(): AsyncGenerator<string> {
    yield 'one\n';
    await new Promise(() => undefined);
  }
  await using server = await startServer(async () => ({
    status: 200,
    headers: {},
    body: { type: 'stream', stream: events(), cut: cut.signal },
  }));
  await using cluster = open(server);
  const response = await cluster.transport(get());
  const read = async (): Promise<void> => {
    for await (const line of response.lines()) if (line === 'one') cut.abort();
  };
  await expect(read()).rejects.toMatchObject({ name: 'Unavailable' });
});
