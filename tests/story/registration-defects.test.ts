import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { annotationsOf } from '#kube/object.ts';
import type { ResourceAttributes } from '#embedded/server/rbac/attributes.ts';
import { allows, rulesOf } from '#embedded/server/rbac/policy-rule.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { accessObjects } from '#cli/install/access-objects.ts';
import type { TransportRequest } from '#edge/kube/transport.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { plainly, type Said } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  configMaps,
  definitions,
  deployments,
  envOf,
  isReady,
  knativeServices,
  kuards,
  openRegistrationWorld,
  registrations,
  secrets,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';

/** Knative's own definition, as far as it matters here. */
const knative = (): JsonObject => {
  const base = definition({
    plural: 'services',
    kind: 'Service',
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  });
  const names = { plural: 'services', singular: 'service', kind: 'Service', listKind: 'ServiceList' };
  return {
    ...base,
    metadata: { name: 'services.serving.knative.dev' },
    spec: { ...(base['spec'] as JsonObject), group: 'serving.knative.dev', names },
  };
};

const place =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;
const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The attributes of a request, as RBAC names them. */
function wished({ method, path, query }: TransportRequest): ResourceAttributes {
  const found = place.exec(path)?.groups ?? {};
  const nothing = { group: '', namespace: '', resource: '', name: '', subresource: '' };
  const said = Object.entries(found).filter(([, value]) => value !== undefined);
  const what = { ...nothing, ...Object.fromEntries(said) };
  const read = what.name !== '' ? 'get' : query.includes('watch=') ? 'watch' : 'list';
  return { type: 'resource', verb: verbs[method] ?? read, ...what };
}

/** What an administrator grants for the kind that is registered. */
const registered = {
  rules: [
    {
      apiGroups: ['extensions.triggermesh.io'],
      resources: ['kuards'],
      verbs: ['get', 'list', 'watch', 'patch', 'update'],
    },
    {
      apiGroups: ['extensions.triggermesh.io'],
      resources: ['kuards/status'],
      verbs: ['patch', 'update'],
    },
  ],
};

test('the permissions of the controller are enough for all its requests, also for ConfigMaps', async () => {
  await using world = await openRegistrationWorld();
  world.hook.answer = () => ({ patches: [{ serviceAccount: { metadata: { annotations: { a: 'b' } } } }] });
  await world.make(definitions, knative());
  await world.make(definitions, definition());
  await world.make(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'default' },
    data: { level: 'high' },
  });
  await world.make(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'token', namespace: 'default' },
    stringData: { key: 'secret' },
  });
  const parameters = {
    add: { toEnv: [{ name: 'LEVEL', valueFromControllerConfigMap: { name: 'settings', key: 'level' } }] },
    fromSpec: { toEnv: [{ path: 'spec.sink', valueFrom: { builtInFunc: { name: 'resolveAddress' } } }] },
  };
  const hook = hookAt(world.hook.url, { auth: { bearer: { name: 'token', key: 'key' } } });
  await world.make(registrations, registration({ parameters, hook }));
  await world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'target', namespace: 'default' },
    spec: { ports: [{ port: 80 }] },
  });
  const sink = { ref: { kind: 'Service', name: 'target' } };
  await world.make(kuards, kuard({ sink }));
  await world.until(() => isReady(world));
  expect(envOf(await world.get(deployments, child))).toMatchObject({ LEVEL: 'high' });
  await world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { deployment: null, knativeService: {} } } },
  });
  await world.until(async () => (await world.get(deployments, child)) === undefined);
  await world.remove(kuards, 'my-kuard');
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined);
  const account = { namespace: 'default', serviceAccount: 'boathook' };
  const printed = accessObjects(new Set(['crdregistration', 'hookrun']), account);
  const of = (wanted: string): ReturnType<typeof rulesOf> =>
    printed.filter(({ kind }) => kind === wanted).flatMap(rulesOf);
  const [everywhere, here] = [[...of('ClusterRole'), ...rulesOf(registered)], of('Role')];
  const asked = world.requests.map(wished).filter(({ resource }) => resource !== '');
  const isAllowed = (each: (typeof asked)[number]): boolean =>
    [...everywhere, ...(each.namespace === account.namespace ? here : [])].some((rule) => allows(rule, each));
  const refused = asked.filter((each) => !isAllowed(each));
  expect([...new Set(refused.map((each) => JSON.stringify(each)))]).toEqual([]);
  expect(asked.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['configmaps', 'secrets', 'serviceaccounts', 'kuards']),
  );
});

test('a Service of Knative is changed in place, and what Knative wrote into it stays', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, knative());
  await world.make(definitions, definition());
  await world.make(registrations, registration({ formFactor: { knativeService: { minScale: 1 } } }));
  await world.make(kuards, kuard({ color: 'blue' }));
  await world.until(async () => (await world.get(knativeServices, child)) !== undefined);
  const creator = { 'serving.knative.dev/creator': 'system:serviceaccount:default:boathook' };
  const made = await world.patch(knativeServices, child, { metadata: { annotations: creator } });
  world.writes.length = 0;
  await world.patch(kuards, 'my-kuard', { spec: { color: 'red' } });
  await world.until(async () => envOf(await world.get(knativeServices, child))['COLOR'] === 'red');
  const service = (await world.get(knativeServices, child)) ?? {};
  expect(annotationsOf(service)).toMatchObject(creator);
  expect(service).toMatchObject({ metadata: { uid: (made['metadata'] as JsonObject)['uid'] } });
  const methods = world.writes.filter(({ path }) => path.includes('serving.knative.dev'));
  expect(methods.map(({ method }) => method)).toEqual(['PATCH']);
});

const condition: Json = { type: 'KuardReady', status: 'True', reason: 'SAYSO', message: '' };

async function openHooked(answer: () => Said): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  world.hook.answer = answer;
  await world.make(definitions, definition());
  const status = { conditionsFromHook: [{ type: 'KuardReady' }] };
  await world.make(registrations, registration({ status, hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard());
  await world.settle();
  return world;
}

/** Somebody who would read every request, if only they came. */
async function startTrap(): Promise<AsyncDisposable & { readonly url: string; readonly caught: string[] }> {
  const caught: string[] = [];
  const server = createServer((request, response) => {
    caught.push(request.url ?? '');
    response.end('{}');
  });
  server.on('connect', (request, socket) => {
    caught.push(request.url ?? '');
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caught,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const proxyNames = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];

test('no proxy of the environment sees calls of hooks', async () => {
  await using trap = await startTrap();
  const before = proxyNames.map((name) => [name, process.env[name]] as const);
  for (const name of proxyNames) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : trap.url;
  try {
    await using world = await openHooked(() => ({ status: { conditions: [condition] } }));
    await world.until(() => isReady(world));
    expect(world.hook.asked.length).toBeGreaterThan(0);
    expect(trap.caught).toEqual([]);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test.for([301, 302, 303, 307, 308])('a redirect by %d leads nowhere', async (status) => {
  await using trap = await startTrap();
  await using world = await openHooked(() => plainly(status, '', { location: `${trap.url}/elsewhere` }));
  expect(trap.caught).toEqual([]);
  expect(conditionsOf(await world.instance())['KuardReady']).toBe('Unknown HOOKERROR');
  expect(await world.get(deployments, child)).toBeUndefined();
});

test('a reply without an end is given up, and the connection with it', async () => {
  let closed = 0;
  const flood: Said = (response) => {
    response.on('close', () => (closed += 1));
    const piece = 'x'.repeat(65_536);
    const more = (): void => {
      while (response.write(piece));
    };
    response.on('drain', more);
    response.writeHead(200, { 'content-type': 'application/json' });
    more();
  };
  await using world = await openHooked(() => flood);
  await world.until(async () => conditionsOf(await world.instance())['KuardReady'] !== undefined);
  expect(conditionsOf(await world.instance())['KuardReady']).toMatch(/^Unknown HOOK/);
  await world.until(() => closed > 0);
});

test('a controller that stops waits for no hook', async () => {
  await using world = await openHooked(() => 'hang');
  expect(world.hook.hanging).toBe(1);
  // The clock stands still, so no timeout can have ended the call.
  await world.stop();
  await expect.poll(() => world.hook.hanging).toBe(0);
});
