import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { passingTokenSigner } from '#edge/token-signer.ts';
import { openServer, type OpenServer, type Reply } from '../support/open-server.ts';

const space = '/api/v1/namespaces/default';
const robot = `${space}/serviceaccounts/robot`;
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const message = (reply: Reply): string => `${reply.status} ${textAt(reply.body, 'message') ?? ''}`;

const named = (kind: string, name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...spec,
});

const request = (spec: JsonObject): JsonObject => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec,
});

async function tokenFor(server: OpenServer, spec: JsonObject = {}): Promise<string> {
  const { body } = await server.request('POST', `${robot}/token`, request(spec));
  return textAt(body, 'status', 'token') ?? '';
}

const statusWith = async (server: OpenServer, token: string): Promise<number> =>
  (await server.requestAs({ authorization: `Bearer ${token}` }, 'POST', whoami, {})).status;

async function openWithRobot(): Promise<OpenServer> {
  const server = await openServer({ controllers: [] });
  await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'robot'));
  return server;
}

test('a token makes its account a user', async () => {
  await using server = await openWithRobot();
  const account = await server.get(robot);
  const issued = await server.request('POST', `${robot}/token`, request({ expirationSeconds: 600 }));
  expect(issued.status).toBe(201);
  expect(issued.body).toMatchObject({
    kind: 'TokenRequest',
    metadata: {
      name: 'robot',
      namespace: 'default',
      managedFields: [{ subresource: 'token', fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } } }],
    },
    spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 600, boundObjectRef: null },
  });
  const token = textAt(issued.body, 'status', 'token') ?? '';
  const { body } = await server.requestAs({ authorization: `Bearer ${token}` }, 'POST', whoami, {});
  expect(body['status']).toEqual({
    userInfo: {
      username: 'system:serviceaccount:default:robot',
      uid: textAt(account.body, 'metadata', 'uid'),
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
    },
  });
  expect(await statusWith(server, `${token.slice(0, -2)}AA`)).toBe(401);
});

test('a token ends with its time', async () => {
  const clock = manualClock(1_700_000_000_000);
  await using server = await openServer({ controllers: [], clock });
  await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'robot'));
  const token = await tokenFor(server, { expirationSeconds: 600 });
  clock.advance(seconds(599));
  expect(await statusWith(server, token)).toBe(201);
  clock.advance(seconds(1));
  expect(await statusWith(server, token)).toBe(401);
});

test('a token ends with its account, also when another takes the name', async () => {
  await using server = await openWithRobot();
  const token = await tokenFor(server);
  expect(await statusWith(server, token)).toBe(201);
  await server.request('DELETE', robot);
  expect(await statusWith(server, token)).toBe(401);
  await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'robot'));
  expect(await statusWith(server, token)).toBe(401);
});

test('a token is good after a restart with the same key, and not with another', async () => {
  const [journal, tokenSigner] = [memoryJournal(), passingTokenSigner()];
  let token = '';
  {
    await using server = await openServer({ controllers: [], journal, tokenSigner });
    await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'robot'));
    token = await tokenFor(server);
  }
  {
    await using server = await openServer({ controllers: [], journal, tokenSigner });
    expect(await statusWith(server, token)).toBe(201);
  }
  await using server = await openServer({ controllers: [], journal });
  expect(await statusWith(server, token)).toBe(401);
});

test.for<readonly [string, string, string, JsonObject]>([
  ['Secret', 'v1', 'secrets', {}],
  ['Pod', 'v1', 'pods', { spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] } }],
])('a token bound to a %s ends with it', async ([kind, apiVersion, plural, spec]) => {
  await using server = await openWithRobot();
  await server.create(`${space}/${plural}`, named(kind, 'held', spec));
  const token = await tokenFor(server, { boundObjectRef: { kind, apiVersion, name: 'held' } });
  expect(await statusWith(server, token)).toBe(201);
  await server.request('DELETE', `${space}/${plural}/held`);
  expect(await statusWith(server, token)).toBe(401);
});

test('a token bound to a pod has pod and node', async () => {
  await using server = await openWithRobot();
  await server.create('/api/v1/nodes', named('Node', 'n1'));
  const spec = { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  await server.create(`${space}/pods`, named('Pod', 'p', { spec }));
  const token = await tokenFor(server, { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } });
  const { body } = await server.requestAs({ authorization: `Bearer ${token}` }, 'POST', whoami, {});
  expect(body).toMatchObject({
    status: {
      userInfo: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/node-name': ['n1'],
        },
      },
    },
  });
});

test('requests that cannot be met are refused', async () => {
  await using server = await openWithRobot();
  await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'other'));
  const pod = { spec: { serviceAccountName: 'other', containers: [{ name: 'c', image: 'i' }] } };
  await server.create(`${space}/pods`, named('Pod', 'p', pod));
  const ask = async (spec: JsonObject, account = 'robot'): Promise<string> =>
    message(await server.request('POST', `${space}/serviceaccounts/${account}/token`, request(spec)));
  const invalid = 'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value:';
  expect(await ask({ expirationSeconds: 5 })).toBe(
    `422 ${invalid} 5: may not specify a duration less than 10 minutes`,
  );
  expect(await ask({ expirationSeconds: 2 ** 33 })).toBe(
    `422 ${invalid} 8589934592: may not specify a duration larger than 2^32 seconds`,
  );
  expect(await ask({}, 'none')).toBe('404 serviceaccounts "none" not found');
  const ref = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
    boundObjectRef: { apiVersion: 'v1', kind, name, ...more },
  });
  expect(await ask(ref('Secret', 'none'))).toBe('404 secrets "none" not found');
  expect(await ask(ref('ConfigMap', 'c'))).toBe(
    '400 cannot bind token to object of type /v1, Kind=ConfigMap',
  );
  expect(await ask(ref('Pod', 'p'))).toBe(
    '400 cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  );
  expect(await ask(ref('Pod', 'p', { uid: 'x' }), 'other')).toBe(
    '409 Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  );
  const misplaced = { ...request({}), metadata: { name: 'x' } };
  expect(message(await server.request('POST', `${robot}/token`, misplaced))).toContain(
    'metadata.name: Invalid value: "x": must match the service account name if specified',
  );
});

test('a token review returns user and audience of a token', async () => {
  const tokens = [{ token: 'bob-token', name: 'bob', uid: '2', groups: ['devs'] }];
  await using server = await openServer({ controllers: [], tokens });
  await server.create(`${space}/serviceaccounts`, named('ServiceAccount', 'robot'));
  const review = async (spec: JsonObject): Promise<JsonObject> => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    return (await server.request('POST', path, { spec })).body;
  };
  const foreign = await tokenFor(server, { audiences: ['vault', 'other'] });
  expect(await statusWith(server, foreign)).toBe(401);
  expect(await review({ token: foreign })).toMatchObject({ status: { error: 'invalid bearer token' } });
  const known = await review({ token: foreign, audiences: ['vault', 'x'] });
  expect(known).toMatchObject({
    status: {
      authenticated: true,
      audiences: ['vault'],
      user: { username: 'system:serviceaccount:default:robot' },
    },
  });
  expect(await review({ token: 'bob-token' })).toMatchObject({
    status: { authenticated: true, audiences: ['https://kubernetes.default.svc'], user: { username: 'bob' } },
  });
  expect((await review({ token: 'bogus' }))['status']).toEqual({ user: {}, error: 'invalid bearer token' });
  expect(await review({})).toMatchObject({ code: 400 });
});

test('an evicted pod has a condition with the reason, whatever its state', async () => {
  await using server = await openWithRobot();
  const spec = { serviceAccountName: 'robot', nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await server.create(`${space}/pods`, named('Pod', 'p', { spec }));
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  expect((await server.request('POST', `${space}/pods/p/eviction`, eviction)).status).toBe(201);
  const { body } = await server.get(`${space}/pods/p`);
  expect(listAt(body, 'status', 'conditions')).toEqual([
    expect.objectContaining({ type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }),
  ]);
});
