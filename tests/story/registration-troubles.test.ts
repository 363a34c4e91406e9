import { expect, test } from 'vitest';
import { objectAt, textAt, type JsonObject } from '#base/json.ts';
import { ensureCertificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { listen } from '#edge/http/listen.ts';
import { createMetrics } from '#edge/metrics.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { definition, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import { plainly } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  isReady,
  kuards,
  messageOf,
  never,
  openRegistrationWorld,
  registrations,
  secrets,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = (value: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace: 'default' },
  data: { token: base64(value) },
});
const bearer = { auth: { bearer: { name: 'token', key: 'token' } } };

const readyOf = async (world: RegistrationWorld): Promise<string | undefined> =>
  conditionsOf(await world.get(registrations, 'kuard'))['ControllerReady'];

async function openHooked(hook: JsonObject = {}, uri?: string): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(uri ?? world.hook.url, hook) }));
  await world.make(kuards, kuard());
  await world.settle();
  return world;
}

test('instances wait until it is known how their hook is called: that is no failure of it', async () => {
  await using world = await openRegistrationWorld({ controlled: false });
  const slow = Promise.withResolvers<void>();
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      if (request.path.endsWith('/secrets/token')) await slow.promise;
      return direct(request);
    };
  await world.make(secrets, token('t'));
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, bearer) }));
  await world.make(kuards, kuard());
  await world.control({ around });
  await world.settle();
  slow.resolve();
  await world.until(() => isReady(world));
  expect((await world.told('my-kuard')).join('\n')).not.toMatch(/HookFailed/);
});

test('a hook of a kind that is not there yet is found when the kind comes', async () => {
  const address = {
    ref: { apiVersion: 'extensions.triggermesh.io/v1', kind: 'Broker', name: 'main' },
  };
  await using world = await openHooked({ address });
  expect(await readyOf(world)).toBe('False HOOKFAILED');
  await world.make(definitions, definition({ plural: 'brokers', kind: 'Broker' }));
  const brokers = { ...kuards, plural: 'brokers' };
  const broker = await world.make(brokers, { ...kuard({}, 'main'), kind: 'Broker' });
  const status = { address: { url: world.hook.url } };
  await world.client.updateStatus(brokers, { ...broker, status }, never);
  await world.until(() => isReady(world), 60);
  expect(await readyOf(world)).toBe('True CONTROLLERSTARTED');
});

test('a Secret that may not be read is named in the condition of the registration', async () => {
  await using world = await openRegistrationWorld({ controlled: false });
  let isForbidden = true;
  const refusal = { apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden' };
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      const answer = await direct(request);
      if (!isForbidden || !/\/secrets\b/.test(request.path)) return answer;
      const text = (): Promise<string> =>
        Promise.resolve(JSON.stringify({ ...refusal, message: 'no rights' }));
      return { ...answer, status: 403, text };
    };
  await world.control({ around });
  await world.make(secrets, token('t'));
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, bearer) }));
  await world.make(kuards, kuard());
  await world.pass(3);
  expect(await readyOf(world)).toBe('False HOOKFAILED');
  expect(messageOf(await world.get(registrations, 'kuard'), 'ControllerReady')).toMatch(
    /secrets default\/token cannot be read: no rights/,
  );
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(/default\/token cannot be read/);
  isForbidden = false;
  await world.until(() => isReady(world), 120);
});

test('what another client writes into a status meanwhile stays', async () => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  world.hook.answer = ({ phase }) =>
    phase === 'pre-reconcile' ? { status: { annotations: { 'example.com/by': 'hook' } } } : 'hang';
  world.hook.answer = (asked) => {
    if (asked.phase === 'pre-reconcile') return { status: { annotations: { 'example.com/by': 'hook' } } };
    return (response) => {
      const release = world.hook.hold(response);
      world.clock.after(1000 as never, () => {
        release();
        response.end('{}');
      });
    };
  };
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'b' } });
  await world.settle();
  const instance = await world.instance();
  const status = { ...objectAt(instance, 'status'), sinkUri: 'http://theirs' };
  await world.client.updateStatus(kuards, { ...instance, status }, never);
  await world.pass(5);
  expect(textAt(await world.instance(), 'status', 'sinkUri')).toBe('http://theirs');
  expect(textAt(await world.instance(), 'status', 'annotations', 'example.com/by')).toBe('hook');
});

test.for(['edited', 'deleted'])('a call of a registration that is %s meanwhile is given up', async (what) => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  world.hook.answer = () => 'hang';
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'b' } });
  await world.settle();
  expect(world.hook.hanging).toBe(1);
  world.hook.answer = () => ({});
  if (what === 'edited') await world.patch(registrations, 'kuard', { spec: { concurrency: 2 } });
  else await world.remove(registrations, 'kuard');
  await world.settle();
  await expect.poll(() => world.hook.hanging, { timeout: 10_000 }).toBe(0);
  if (what === 'edited') await world.until(() => isReady(world), 5);
  else expect(await world.get(registrations, 'kuard')).toBeUndefined();
});

test.for([
  ['0', 10],
  ['Mon, 05 Jan 2026 11:00:00 GMT', 10],
  ['99999999999999999999', 10],
  ['-7', 10],
  ['nonsense', 10],
  ['604800', 3700],
  ['Mon, 05 Jan 2099 11:00:00 GMT', 3700],
] as const)('Retry-After: %s neither storms nor sleeps for good', async ([header, most]) => {
  let isBusy = true;
  await using world = await openHooked({ capabilities: ['pre-reconcile'] });
  world.hook.answer = () => (isBusy ? plainly(503, '{"message":"busy"}', { 'retry-after': header }) : {});
  await world.until(() => isReady(world));
  world.hook.asked.length = 0;
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'b' } });
  await world.pass(4, 0.25);
  expect(world.hook.asked.length).toBeLessThanOrEqual(5);
  isBusy = false;
  await world.until(() => isReady(world), most);
});

const service = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec,
});
const external = { type: 'ExternalName', externalName: 'localhost' };

test.for(['my-hook', 'my-hook.default', 'my-hook.default.svc', 'my-hook.default.svc.cluster.local'])(
  'a URI with the name of a Service, %s, leads there also without cluster DNS',
  async (host) => {
    await using world = await openRegistrationWorld();
    await world.make(services, service('my-hook', external));
    await world.make(definitions, definition());
    const uri = `http://${host}:${world.hook.port}/v1`;
    await world.make(registrations, registration({ hook: hookAt(uri) }));
    await world.make(kuards, kuard());
    await world.until(() => isReady(world));
    expect(world.hook.asked[0]?.headers.host).toBe(`${host}:${world.hook.port}`);
  },
);

test('a Service behind TLS is known by its own name, wherever it is', async () => {
  using dir = tempDir();
  const name = 'secure.default.svc.cluster.local';
  const { ca, server } = await ensureCertificates(dir.path, { now: systemClock.now(), extraHosts: [name] });
  const hosts: string[] = [];
  const listening = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: { ca, server },
    report: () => undefined,
    serve: ({ headers }) => {
      hosts.push(String(headers['host']));
      return Promise.resolve({ status: 200, headers: {}, body: { type: 'text', text: '{}' } });
    },
  });
  try {
    await using world = await openRegistrationWorld();
    await world.make(services, service('secure', external));
    await world.make(services, service('impostor', external));
    await world.make(definitions, definition());
    const addressOf = (to: string): JsonObject => ({
      ref: { apiVersion: 'v1', kind: 'Service', name: to },
      uri: `https://:${listening.port}`,
    });
    await world.make(
      registrations,
      registration({ hook: hookAt('', { address: addressOf('impostor'), tls: { caBundle: ca } }) }),
    );
    await world.make(kuards, kuard());
    await world.settle();
    expect(messageOf(await world.instance(), 'Reconciled')).toMatch(/certificate .* is for other hosts/);
    await world.patch(registrations, 'kuard', { spec: { hook: { address: addressOf('secure') } } });
    await world.until(() => isReady(world));
    expect(hosts.at(-1)).toBe(`${name}:${listening.port}`);
  } finally {
    await listening.close();
  }
});

test('one deadline: a reply that drips is given up, and so is one whose detour took half of the time', async () => {
  await using world = await openHooked({ timeout: 'PT2S' });
  world.hook.answer = () => (response) => {
    world.hook.hold(response);
    response.writeHead(200);
    const drip = (): void => {
      if (response.destroyed) return;
      response.write(' ');
      world.clock.after(500 as never, drip);
    };
    drip();
  };
  await world.until(() => isReady(world));
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'b' } });
  await world.pass(3, 0.25);
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(
    /began to answer and was not done after 2s/,
  );
});

test('a healthy registration is served while another of the same host opens its breaker', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = ({ body }) => (textAt(body, 'registration', 'name') === 'down' ? plainly(502) : {});
  await world.make(definitions, definition());
  await world.make(definitions, definition({ plural: 'others', kind: 'Other' }));
  await world.make(registrations, registration({ name: 'down', hook: hookAt(world.hook.url) }));
  for (let at = 0; at < 10; at += 1) await world.make(kuards, kuard(usualSpec, `k-${at}`));
  await world.pass(20, 1);
  expect(messageOf(await world.instance('k-9'), 'Reconciled')).toMatch(/502|rest/);
  const crd = 'others.extensions.triggermesh.io';
  await world.make(registrations, registration({ name: 'healthy', crd, hook: hookAt(world.hook.url) }));
  await world.make({ ...kuards, plural: 'others' }, { ...kuard(usualSpec, 'o'), kind: 'Other' });
  await world.settle();
  expect(await world.get(deployments, 'healthy-o')).toBeDefined();
});

test('metrics report how often hooks are called, the outcome and the duration', async () => {
  await using world = await openRegistrationWorld({ controlled: false });
  const metrics = createMetrics({ ofProcess: false });
  const figures = async (): Promise<string> => (await metrics.text()).replaceAll('boathook_', '');
  await world.control({ metrics });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  const cycles = world.hook.phases().length / 2;
  const calls = (phase: string, outcome: string, count: number): string =>
    `reconcile_hook_calls_total{registration="kuard",phase="${phase}",outcome="${outcome}"} ${count}\n`;
  expect(await figures()).toContain(calls('pre-reconcile', 'success', cycles));
  expect(await figures()).toContain(calls('post-reconcile', 'success', cycles));
  expect(await figures()).toMatch(
    new RegExp(
      `reconcile_hook_duration_seconds_count\\{registration="kuard",phase="pre-reconcile"\\} ${cycles}`,
    ),
  );
  expect(await figures()).toMatch(
    /registration_reconciliations_total\{registration="kuard",outcome="done"\} \d/,
  );
  const answers = [
    plainly(502),
    { error: { message: 'm' } },
    { error: { message: 'm', permanent: true } },
    plainly(200, 'nonsense'),
    'hang',
  ] as const;
  for (const [at, said] of answers.entries()) {
    world.hook.answer = () => said;
    await world.patch(kuards, 'my-kuard', { spec: { variable1: `v${at}` } });
    await world.settle();
  }
  for (const outcome of ['error', 'permanent', 'invalid'])
    expect(await figures()).toMatch(new RegExp(`phase="pre-reconcile",outcome="${outcome}"\\} \\d`));
  expect(await figures()).toContain('reconcile_hook_calls_in_flight{registration="kuard"} 1\n');
  world.hook.answer = () => ({});
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(await figures()).toContain(calls('pre-reconcile', 'cancelled', 1));
  expect(await figures()).toContain(calls('finalize', 'success', 1));
  expect(await figures()).toContain('reconcile_hook_calls_in_flight{registration="kuard"} 0\n');
  await world.remove(registrations, 'kuard');
  await world.settle();
  expect(await figures()).not.toContain('registration="kuard"');
});
