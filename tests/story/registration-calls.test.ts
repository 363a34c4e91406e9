import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { startServer } from '#edge/testing/server.ts';
import { definition, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import { plainly } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  configMaps,
  definitions,
  deployments,
  envOf,
  isReady,
  kuards,
  messageOf,
  never,
  openRegistrationWorld,
  registrations,
  secrets,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, data: Readonly<Record<string, string>>): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default' },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

async function openHooked(hook: JsonObject = {}, uri?: string): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(uri ?? world.hook.url, hook) }));
  await world.make(kuards, kuard());
  await world.settle();
  return world;
}

const reason = async (world: RegistrationWorld): Promise<string> =>
  messageOf(await world.instance(), 'Reconciled');

test('a bearer token is sent, never shown, and a new one counts at once', async () => {
  await using world = await openHooked({ auth: { bearer: { name: 'token', key: 'token' } } });
  expect(world.hook.asked).toEqual([]);
  expect(await reason(world)).toMatch(
    /kuard, pre-reconcile.*auth\.bearer: key token of Secret default\/token/,
  );
  world.hook.answer = ({ headers }) =>
    headers.authorization === 'Bearer right-token-4711'
      ? {}
      : plainly(401, `no: ${headers.authorization ?? ''}`);
  await world.make(secrets, secret('token', { token: 'wrong-token-4711\n' }));
  await world.until(async () => (await reason(world)).includes('401'));
  expect(JSON.stringify(await world.instance())).not.toContain('wrong-token-4711');
  expect((await world.told('my-kuard')).join('\n')).not.toContain('wrong-token-4711');
  await world.patch(secrets, 'token', { data: { token: base64('right-token-4711') } });
  await world.until(() => isReady(world));
});

test('a name and a password are sent, and only the password is hidden', async () => {
  await using world = await openHooked({ auth: { basic: { secretName: 'door' } } });
  expect(world.hook.asked).toEqual([]);
  expect(await reason(world)).toMatch(/auth\.basic: key username of Secret default\/door: .*no such Secret/);
  const pair = base64('my-kuard:right pässword');
  world.hook.answer = ({ headers }) =>
    headers.authorization === `Basic ${pair}`
      ? { envVars: [{ name: 'WHO', value: 'my-kuard' }] }
      : plainly(401, `no: ${headers.authorization ?? ''}`);
  await world.make(secrets, secret('door', { username: 'my-kuard', password: 'wrong password' }));
  await world.until(async () => (await reason(world)).includes('401'));
  for (const text of [await reason(world), (await world.told('my-kuard')).join('\n')])
    for (const hidden of ['wrong password', base64('my-kuard:wrong password')])
      expect(text).not.toContain(hidden);
  await world.patch(secrets, 'door', { data: { username: base64('a:b') } });
  await world.until(async () => (await reason(world)).includes('auth.basic: the username in Secret door'));
  const right = { username: base64('my-kuard\n'), password: base64('right pässword\n') };
  await world.patch(secrets, 'door', { data: right });
  await world.patch(registrations, 'kuard', {
    spec: { workload: { parameterConfiguration: { addEnvsFromHook: ['*'] } } },
  });
  await world.until(() => isReady(world));
  expect(envOf(await world.get(deployments, child))['WHO']).toBe('my-kuard');
});

test('a token beside a password is refused', async () => {
  await using world = await openRegistrationWorld();
  const auth = { bearer: { name: 'a', key: 'b' }, basic: { secretName: 'c' } };
  const both = registration({ hook: hookAt(world.hook.url, { auth }) });
  await expect(world.make(registrations, both)).rejects.toThrow(/give bearer or basic, not both/);
});

test('requests are signed together with their time', async () => {
  await using world = await openRegistrationWorld();
  await world.make(secrets, secret('key', { key: 'sesame' }));
  await world.make(definitions, definition());
  await world.make(
    registrations,
    registration({ hook: hookAt(world.hook.url, { auth: { hmac: { name: 'key', key: 'key' } } }) }),
  );
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  const [first] = world.hook.asked;
  if (first === undefined) throw new Error('nobody asked');
  const { headers, text } = first;
  const timestamp = String(headers['x-boathook-timestamp']);
  expect(Number(timestamp) * 1000).toBeCloseTo(Date.UTC(2026, 0, 5, 12), -4);
  const signature = createHmac('sha256', 'sesame').update(`${timestamp}.${text}`).digest('hex');
  expect(headers['x-boathook-signature-256']).toBe(`sha256=${signature}`);
  expect(headers['x-boathook-phase']).toBe('pre-reconcile');
  const ids = world.hook.asked.map((each) => each.headers['x-boathook-request-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a hook behind TLS is trusted by its authority, from wherever that is kept, and sees our certificate', async () => {
  const seen: string[] = [];
  await using server = await startServer(async ({ peer }) => {
    seen.push(peer.certificate?.user ?? 'nobody');
    return { status: 200, headers: {}, body: { type: 'text', text: '{}' } };
  });
  const { ca, admin } = server.certificates;
  await using world = await openHooked({}, server.url);
  expect(await reason(world)).toMatch(/signed by an unknown authority.*caBundle/);
  const write = (tls: JsonObject): Promise<unknown> =>
    world.patch(registrations, 'kuard', { spec: { hook: { tls: { caBundle: null, ...tls } } } });
  await write({ caBundle: ca });
  await world.until(() => isReady(world));
  expect(new Set(seen)).toEqual(new Set(['nobody']));
  await write({
    caBundleFrom: { configMap: { name: 'authorities', key: 'ca.crt' } },
    clientCertificate: { secretName: 'pair' },
  });
  await world.settle();
  expect(await reason(world)).toMatch(/caBundle|Secret default\/pair/);
  await world.make(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'authorities', namespace: 'default' },
    data: { 'ca.crt': ca },
  });
  await world.make(secrets, {
    ...secret('pair', { 'tls.crt': admin.certificate, 'tls.key': admin.key }),
    type: 'kubernetes.io/tls',
  });
  await world.until(() => isReady(world));
  expect(seen.at(-1)).toBe('boathook-admin');
});

test('an addressable object gives the address of the hook', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(definitions, definition({ plural: 'brokers', kind: 'Broker' }));
  const brokers = { ...kuards, plural: 'brokers' };
  const broker = await world.make(brokers, { ...kuard({}, 'main'), kind: 'Broker' });
  const address = {
    ref: { apiVersion: 'extensions.triggermesh.io/v1', kind: 'Broker', name: 'main' },
    uri: '/hook?v=1',
  };
  await world.make(registrations, registration({ hook: hookAt('', { address }) }));
  await world.make(kuards, kuard());
  await world.settle();
  expect(conditionsOf(await world.get(registrations, 'kuard'))['ControllerReady']).toBe('False HOOKFAILED');
  const status = { address: { url: `${world.hook.url}/ignored` } };
  await world.client.updateStatus(brokers, { ...broker, status }, never);
  await world.until(() => isReady(world));
  expect(world.hook.asked[0]?.path).toBe('/hook?v=1');
  expect(objectAt(await world.get(registrations, 'kuard'), 'status', 'annotations')).toEqual({
    hookURL: `${world.hook.url}/hook`,
  });
});

test('a reply longer than the registration allows is not read to its end', async () => {
  await using world = await openHooked({ maxReplyBytes: 1024 });
  await world.until(() => isReady(world));
  world.hook.answer = () => ({ status: { annotations: { long: 'x'.repeat(2000) } } });
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'a' } });
  await world.settle();
  expect(await reason(world)).toMatch(/kuard, pre-reconcile.*1024|1 KiB/);
});

test('instances are reconciled in parallel, up to the limit of the registration, and hooks of others do not wait', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = ({ body }) => (textAt(body, 'registration', 'name') === 'hanging' ? 'hang' : {});
  await world.make(definitions, definition());
  await world.make(definitions, definition({ plural: 'others', kind: 'Other' }));
  await world.make(
    registrations,
    registration({ name: 'hanging', hook: hookAt(world.hook.url), more: { concurrency: 3 } }),
  );
  await world.make(
    registrations,
    registration({ name: 'healthy', crd: 'others.extensions.triggermesh.io', hook: hookAt(world.hook.url) }),
  );
  for (let at = 0; at < 10; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.settle();
  expect(world.hook.hanging).toBe(3);
  const others = { ...kuards, plural: 'others' };
  for (let at = 0; at < 10; at += 1)
    await world.make(others, { ...kuard(usualSpec, `o-${at}`), kind: 'Other' });
  await world.settle();
  for (let at = 0; at < 10; at += 1) expect(await world.get(deployments, `healthy-o-${at}`)).toBeDefined();
  expect(await world.get(deployments, 'hanging-k-0')).toBeUndefined();
});

test('a hook that is down is not called for a while, then tried by one instance, and called again', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = () => plainly(502);
  await world.make(definitions, definition());
  await world.make(
    registrations,
    registration({ hook: hookAt(world.hook.url, { capabilities: ['pre-reconcile'] }) }),
  );
  for (let at = 0; at < 40; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.pass(60, 1);
  // Forty instances that back off by themselves would have called some two hundred times.
  expect(world.hook.asked.length).toBeLessThan(40);
  expect(messageOf(await world.instance('k-39'), 'Reconciled')).toMatch(/502/);
  world.hook.answer = () => ({});
  await world.until(() => isReady(world, 'k-39'), 200);
  for (let at = 0; at < 40; at += 1) await world.until(() => isReady(world, `k-${at}`), 400);
});

test('a child that another client keeps changing is corrected ever more slowly, and in the end it is right', async () => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  const asked = world.hook.asked.length;
  const key = { namespace: 'default', name: child };
  for (let times = 0; times < 200; times += 1) {
    await world.client.patch(
      deployments,
      key,
      { type: 'merge', body: { spec: { replicas: 2 + (times % 2) } } },
      never,
    );
    await world.settle();
  }
  const cycles = (world.hook.asked.length - asked) / 2;
  expect(cycles).toBeGreaterThan(20);
  expect(cycles).toBeLessThan(60);
  expect((await world.told('my-kuard')).filter((each) => each.includes('ReconcileLoop'))).toHaveLength(1);
  await world.pass(10);
  expect(numberAt(await world.get(deployments, child), 'spec', 'replicas')).toBe(1);
});

test('with the whole payload the hook sees instance and children', async () => {
  await using world = await openHooked({ payload: 'full' });
  await world.until(() => isReady(world));
  const [pre, post] = world.hook.asked;
  expect(textAt(pre?.body, 'object', 'spec', 'variable1')).toBe('value 1');
  for (const { body } of world.hook.asked)
    expect(body['object']).toMatchObject({ namespace: 'default', name: 'my-kuard' });
  expect(Object.keys(objectAt(pre?.body, 'children') ?? {})).toEqual(['deployment', 'service']);
  expect(listAt(post?.body, 'rendered')).toHaveLength(2);
});
