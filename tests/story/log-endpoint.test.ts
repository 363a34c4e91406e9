import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { instant, millis, seconds } from '#base/time.ts';
import { dialLogs } from '#command/logs/dial-logs.ts';
import { openLogClient, type LogAnswer, type LogQuestion } from '#command/logs/log-client.ts';
import { endpointMap } from '#command/logs/published-endpoint.ts';
import { days } from '#edge/certificate-file.ts';
import { makePair } from '#edge/certificate-make.ts';
import { systemClock } from '#edge/clock.ts';
import type { UserAccess } from '#edge/kube/access.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { followScript, listOutputs, readScript } from '#machines/cli/outputs/output-client.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { keepCall } from '#registrations/controller/last-calls.ts';
import { registrations } from '#registrations/controller/resources.ts';
import { openLogWorld, tokenOf, usualPlace, type LogWorld } from '../support/log-world.ts';

const list: LogQuestion = { resource: clusters, name: 'prod' };
const never = new AbortController().signal;

async function ask(world: LogWorld, user: UserAccess, question = list): Promise<LogAnswer> {
  const reader = world.reader(user);
  try {
    const answer = await reader.ask(question, never);
    if (answer.type === 'ok') await answer.response.text();
    return answer;
  } finally {
    await reader.close();
  }
}

test('each reader is checked by the API server: tokens, client certificates, rights, impersonation', async () => {
  await using world = await openLogWorld();
  expect(await ask(world, tokenOf('bob'))).toMatchObject({
    type: 'unpublished',
    message: expect.stringContaining('boathook-system/boathook-logs') as string,
  });
  world.output('hello\n');
  world.logs.begin(world.client);
  await world.endpoint();

  expect(await ask(world, tokenOf('bob'))).toMatchObject({ type: 'ok' });
  expect(await ask(world, tokenOf('alice'))).toMatchObject({ type: 'ok' });
  expect(await ask(world, tokenOf('bob'), { ...list, name: 'other' })).toMatchObject({ type: 'forbidden' });
  expect(await ask(world, tokenOf('carol'))).toMatchObject({
    type: 'forbidden',
    message: expect.stringMatching(
      /User "carol" cannot get resource "clusters\/log".*ClusterRole with the verb get on clusters\/log/,
    ) as string,
  });
  expect(await ask(world, tokenOf('mallory'))).toMatchObject({ type: 'unauthorized' });
  const nobody: UserAccess = { certificate: undefined, login: { type: 'none' }, impersonate: undefined };
  expect(await ask(world, nobody)).toMatchObject({ type: 'unauthorized' });

  expect(await ask(world, await world.certificate('CN=bob'))).toMatchObject({ type: 'ok' });
  expect(await ask(world, await world.certificate('CN=carol'))).toMatchObject({ type: 'forbidden' });
  const masters = await world.certificate('O=system:masters, CN=root');
  expect(await ask(world, masters)).toMatchObject({ type: 'ok' });
  const foreign = await makePair({
    subject: 'CN=evil',
    issuer: undefined,
    now: systemClock.now(),
    lifetime: days(1),
  });
  const forged = await makePair({
    subject: 'O=system:masters, CN=bob',
    issuer: foreign,
    now: systemClock.now(),
    lifetime: days(1),
  });
  const { Secret } = await import('#edge/secret.ts');
  const evil = { certificate: { certificate: forged.certificate, key: new Secret(forged.key) } };
  expect(await ask(world, { ...nobody, ...evil })).toMatchObject({ type: 'unauthorized' });

  const proxy = await world.certificate('CN=proxy');
  const as = (user: string, groups: readonly string[] = []): UserAccess => ({
    ...proxy,
    impersonate: { user, uid: undefined, groups },
  });
  expect(await ask(world, proxy)).toMatchObject({ type: 'forbidden' });
  expect(await ask(world, as('bob'))).toMatchObject({ type: 'ok' });
  for (const refused of [as('alice'), as('bob', ['system:masters'])])
    expect(await ask(world, refused)).toMatchObject({
      type: 'forbidden',
      message: expect.stringContaining('cannot impersonate') as string,
    });
  expect(world.problems).toEqual([]);
});

test('credentials go only to a server with a certificate of the published authority', async () => {
  await using world = await openLogWorld();
  world.output('hello\n');
  world.logs.begin(world.client);
  const endpoint = await world.endpoint();
  const other = await makePair({
    subject: 'CN=other',
    issuer: undefined,
    now: systemClock.now(),
    lifetime: days(1),
  });
  const reader = openLogClient({
    client: world.client,
    namespace: 'boathook-system',
    dial: ({ url }) => dialLogs({ user: tokenOf('bob') })({ ...endpoint, url, ca: other.certificate }),
  });
  expect(await reader.ask(list, never)).toMatchObject({
    type: 'unreachable',
    message: expect.stringMatching(/controller-1.*cannot be reached.*certificate/is) as string,
  });
  await reader.close();
});

test('an output in parts, its last lines, and while it grows', async () => {
  await using world = await openLogWorld();
  const written = world.output('one\ntwo ü\n\nfour\n');
  world.output('other\n', { node: '192.0.2.2' }).end();
  world.logs.begin(world.client);
  await world.endpoint();
  const reader = world.reader(tokenOf('bob'));
  const listed = await listOutputs(reader.ask, 'prod', {}, never);
  expect(listed).toMatchObject({
    outputs: [
      { node: '192.0.2.1', step: 'pre-install/hooks', attempt: 1, isRunning: true },
      { node: '192.0.2.2', isRunning: false },
    ],
  });
  const output = usualPlace;
  const read = (tail?: number) => readScript(reader.ask, 'prod', { output, tail }, never);
  expect(await read()).toEqual({ type: 'text', text: 'one\ntwo ü\n\nfour\n' });
  expect(await read(2)).toEqual({ type: 'text', text: '\nfour\n' });
  expect(await read(0)).toEqual({ type: 'text', text: '' });
  const { node, step } = usualPlace;
  const part = await reader.ask({ ...list, query: { node, step }, range: 'bytes=4-6' }, never);
  if (part.type !== 'ok') throw new Error(part.message);
  expect(part.response.headers['content-range']).toBe('bytes 4-6/17');
  expect(await part.response.text()).toBe('two');

  const followed = await followScript(
    reader.ask,
    'prod',
    { output, place: { type: 'tail', lines: 1 } },
    never,
  );
  if (followed.type !== 'following') throw new Error(followed.message);
  const texts: string[] = [];
  for await (const piece of followed.pieces) {
    texts.push('end' in piece ? piece.end : piece.text);
    if (texts.length === 1) written.add('five\n');
    if (texts.length === 2) {
      written.add('si');
      written.add('x');
      written.end();
    }
  }
  expect(texts.join('|')).toMatch(/^four\n\|five\n\|(si\|?x)\|complete$/);

  // Ten megabytes, in pieces.
  const long = 'x'.repeat(99).concat('\n').repeat(100_000);
  world.output(long, { node: '192.0.2.3' }).end();
  const whole = await readScript(
    reader.ask,
    'prod',
    { output: { ...output, node: '192.0.2.3' }, tail: undefined },
    never,
  );
  expect(whole.type === 'text' && whole.text === long).toBe(true);

  rmSync(dirname(dirname(dirname(written.path))), { recursive: true });
  expect(await read()).toMatchObject({
    type: 'missing',
    message: expect.stringMatching(
      /pre-install\/hooks on 192\.0\.2\.1 of Cluster prod is not kept here/,
    ) as string,
  });
  await reader.close();
});

test('a follower is cut off when the endpoint closes, and the next one publishes its own authority', async () => {
  await using world = await openLogWorld();
  world.output('one\n');
  world.logs.begin(world.client);
  await world.endpoint();
  const reader = world.reader(tokenOf('bob'));
  const followed = await followScript(
    reader.ask,
    'prod',
    { output: usualPlace, place: { type: 'from', offset: 0 } },
    never,
  );
  if (followed.type !== 'following') throw new Error(followed.message);
  const seen: string[] = [];
  await expect(
    (async () => {
      for await (const piece of followed.pieces) {
        seen.push('end' in piece ? piece.end : piece.text);
        void world.logs.close();
      }
      // A stream that ends without a word was cut off too.
      throw new Error('cut off');
    })(),
  ).rejects.toThrow();
  expect(seen).toEqual(['one\n']);
  expect(await reader.ask(list, never)).toMatchObject({
    type: 'unreachable',
    message: expect.stringMatching(/controller-1.*loopback.*--log-address/s) as string,
  });
  await reader.close();
});

test('the last call of a hook: masked, cut, and only for those who may read crdregistrations/log', async () => {
  await using world = await openLogWorld();
  const call = {
    at: instant(1_794_787_200_000),
    phase: 'reconcile',
    url: 'http://127.0.0.1:8080/?token=abc',
    request: '{"object":{"spec":{"dbPassword":"hunter2","note":"sesame"}}}',
    answer: { type: 'answer', status: 200, retryAfter: undefined, body: `{"x":"${'y'.repeat(40_000)}"}` },
    latency: millis(12),
    hide: (text: string) => text.replaceAll('sesame', '***'),
  } as const;
  keepCall(world.logs.calls, 'kuards', 'shop/one', call);
  world.logs.begin(world.client);
  await world.endpoint();
  const reader = world.reader(tokenOf('alice'));
  const question = { resource: registrations, name: 'kuards', query: { namespace: 'shop', instance: 'one' } };
  const answer = await reader.ask(question, never);
  if (answer.type !== 'ok') throw new Error(answer.message);
  const text = await answer.response.text();
  expect(text).not.toMatch(/hunter2|sesame/);
  expect(text.length).toBeLessThan(20_000);
  expect(textAt(JSON.parse(text), 'request')).toBe('{"object":{"spec":{"dbPassword":"***","note":"***"}}}');
  expect(await ask(world, tokenOf('bob'), question)).toMatchObject({ type: 'forbidden' });
  const missing = { ...question, query: { namespace: 'shop', instance: 'two' } };
  expect(await ask(world, tokenOf('alice'), missing)).toMatchObject({
    type: 'missing',
    message: expect.stringContaining('no call about shop/two is kept') as string,
  });
  await reader.close();
});

test('an endpoint that does not answer delays a reader once, and not whenever it asks', async () => {
  await using world = await openLogWorld();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  world.logs.begin(world.client);
  const endpoint = await world.endpoint();
  const clock = manualClock(systemClock.now());
  const reader = openLogClient({
    client: world.client,
    namespace: 'boathook-system',
    dial: () => dialLogs({ user: tokenOf('bob') })({ ...endpoint, url }),
    rest: { patience: seconds(3), span: seconds(5), clock },
  });
  const first = reader.ask(list, never);
  await once(silent, 'connection');
  clock.advance(seconds(3));
  const why = expect.stringContaining('no answer in 3 s') as string;
  expect(await first).toMatchObject({ type: 'unreachable', message: why });
  expect(await reader.ask(list, never)).toMatchObject({ type: 'unreachable', message: why });
  expect(sockets).toHaveLength(1);
  // A reader that closes waits for its connection.
  for (const socket of sockets) socket.destroy();
  await reader.close();
  silent.close();
});

test.for([
  ['POST', '/apis/platform.tkestack.io/v1/clusters/prod/log', 405],
  ['GET', '/apis/platform.tkestack.io/v1/clusters/prod', 404],
  ['GET', '/apis/platform.tkestack.io/v1/clusters/..%2Fx/log', 404],
  ['GET', '/apis/platform.tkestack.io/v1/clusters/prod/log?node=a&step=b&attempt=x', 400],
  ['GET', `/api/v1/namespaces/boathook-system/configmaps/${endpointMap}`, 404],
] as const)('%s %s is refused with %i', async ([method, target, status]) => {
  await using world = await openLogWorld();
  world.logs.begin(world.client);
  await world.endpoint();
  const [path = '', query = ''] = target.split('?');
  const answer = await world.logs.serve({
    method,
    path,
    query,
    headers: {},
    peer: { certificate: { user: 'root', groups: ['system:masters'] } },
    body: () => Promise.resolve(new Uint8Array()),
    signal: never,
  });
  expect(answer.status).toBe(status);
});
