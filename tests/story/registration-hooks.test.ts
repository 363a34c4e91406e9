import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { annotationsOf } from '#kube/object.ts';
import { baseEnv, definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { failure, plainly, renderedIn, type Said } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  containerOf,
  definitions,
  deployments,
  envOf,
  isReady,
  kuards,
  messageOf,
  openRegistrationWorld,
  registrations,
  serviceAccounts,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const finalizer = 'scoby.triggermesh.io/finalizer';
const condition = (status = 'True'): Json => ({ type: 'KuardReady', status, reason: 'SAYSO', message: '' });
const good = { status: { conditions: [condition()] } };

/** A Service that leads to this machine. */
const makeService = (world: RegistrationWorld, name: string, ports: JsonObject[]): Promise<JsonObject> =>
  world.make(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports },
  });

async function openHooked(
  answer: (phase: string) => Said = () => good,
  hook: JsonObject = {},
  wish: Parameters<typeof registration>[0] = {},
): Promise<RegistrationWorld> {
  const world = await openRegistrationWorld();
  world.hook.answer = ({ phase }) => answer(phase);
  await world.make(definitions, definition());
  await world.make(
    registrations,
    registration({
      parameters: { addEnvsFromHook: ['*'] },
      status: { conditionsFromHook: [{ type: 'KuardReady' }] },
      hook: hookAt(world.hook.url, hook),
      ...wish,
    }),
  );
  await world.make(kuards, kuard());
  await world.settle();
  return world;
}

const finalizersOf = async (world: RegistrationWorld): Promise<readonly Json[]> =>
  listAt(await world.instance(), 'metadata', 'finalizers');

test('a hook of the later dialect, found by Service and URI, edits the children that it is shown', async () => {
  await using world = await openRegistrationWorld();
  await makeService(world, 'scoby-hook-kuard', [{ port: 8080 }]);
  world.hook.answer = ({ phase, body }) => {
    if (phase === 'finalize') return plainly(200);
    const children = objectAt(body, 'children') ?? {};
    const deployment = structuredClone(children['deployment']) as unknown as {
      spec: { template: { spec: { containers: { env: object[]; resources?: object }[] } } };
    };
    const [container] = deployment.spec.template.spec.containers;
    container?.env.push({ name: 'FROM_HOOK_VAR', value: 'this value is set from the hook' });
    if (container !== undefined)
      container.resources = { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '0.25' } };
    const object = objectAt(body, 'object') ?? {};
    const status = {
      ...objectAt(object, 'status'),
      annotations: { greetings: 'from hook' },
      conditions: [{ type: 'HookReportedStatus', status: 'True', reason: 'HOOKREPORTSOK', message: '' }],
    };
    return { object: { ...object, status }, children: { ...children, deployment } } as never;
  };
  await world.make(definitions, definition());
  const ref = { apiVersion: 'v1', kind: 'Service', name: 'scoby-hook-kuard', namespace: 'default' };
  await world.make(
    registrations,
    registration({
      status: { conditionsFromHook: [{ type: 'HookReportedStatus' }] },
      hook: {
        version: 'v1',
        payload: 'full',
        address: { ref, uri: `http://:${world.hook.port}/v1` },
        capabilities: ['pre-reconcile', 'finalize'],
      },
    }),
  );
  await world.make(kuards, kuard({ variable1: 'value 1' }));
  await world.until(() => isReady(world));
  expect(objectAt(await world.get(registrations, 'kuard'), 'status', 'annotations')).toEqual({
    hookURL: `http://scoby-hook-kuard.default.svc.cluster.local:${world.hook.port}/v1`,
  });
  expect(world.hook.asked[0]).toMatchObject({
    path: '/v1',
    headers: { host: `scoby-hook-kuard.default.svc.cluster.local:${world.hook.port}` },
  });
  const instance = await world.instance();
  expect(listAt(instance, 'metadata', 'finalizers')).toEqual([finalizer]);
  expect(objectAt(instance, 'status', 'annotations')).toMatchObject({ greetings: 'from hook' });
  expect(conditionsOf(instance)).toMatchObject({
    DeploymentReady: 'True MinimumReplicasAvailable',
    HookReportedStatus: 'True HOOKREPORTSOK',
    ServiceReady: 'True ServiceExist',
  });
  const deployment = await world.get(deployments, child);
  expect(envOf(deployment)).toEqual({
    VARIABLE1: 'value 1',
    FROM_HOOK_VAR: 'this value is set from the hook',
  });
  expect(containerOf(deployment)).toMatchObject({
    resources: { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '250m' } },
  });
  world.hook.answer = () => plainly(500, JSON.stringify({ message: 'not yet', permanent: false }));
  await world.remove(kuards, 'my-kuard');
  await world.pass(2);
  expect(await finalizersOf(world)).toEqual([finalizer]);
  world.hook.answer = () => plainly(200);
  await world.until(async () => (await world.get(kuards, 'my-kuard')) === undefined);
  await world.until(async () => (await world.get(deployments, child)) === undefined);
});

/** As people read it in the document. */
const asWritten: JsonObject = {
  apiVersion: 'scoby.triggermesh.io/v1alpha1',
  kind: 'CRDRegistration',
  metadata: { name: 'kuard' },
  spec: {
    crd: 'kuards.extensions.triggermesh.io',
    hook: {
      version: 1,
      address: {
        uri: 'http://my-hook-service',
        ref: { apiVersion: 'v1', kind: 'Service', name: 'my-service' },
      },
      timeout: 'PT10S',
      capabilities: ['pre-reconcile', 'post-reconcile', 'finalize'],
    },
    workload: {
      formFactor: { deployment: { replicas: 1, service: { port: 80, targetPort: 8080 } } },
      fromImage: { repo: 'gcr.io/kuar-demo/kuard-amd64:blue' },
      parameterConfiguration: { addEnvsFromHook: ['*'] },
      statusConfiguration: { conditionsFromHook: [{ type: 'KuardReady' }] },
    },
  },
};

test('the registration of the document works as it is written', async () => {
  await using world = await openRegistrationWorld();
  await makeService(world, 'my-service', [{ port: world.hook.port }]);
  const patch = {
    spec: {
      template: { spec: { containers: [{ name: 'adapter', resources: { limits: { cpu: '0.25' } } }] } },
    },
  };
  world.hook.answer = ({ phase }) => {
    if (phase === 'pre-reconcile') return { ...good, envVars: [{ name: 'FROM_HOOK_VAR', value: 'x' }] };
    if (phase === 'post-reconcile')
      return {
        patches: [
          { main: patch },
          { serviceAccount: { metadata: { annotations: { 'example.com/role': 'reader' } } } },
        ],
      };
    return {};
  };
  await world.make(definitions, definition());
  await world.make(registrations, asWritten);
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  const seen = await world.get(registrations, 'kuard');
  expect(conditionsOf(seen)).toEqual({
    CRDExists: 'True CRDEXIST',
    HookHealthy: 'True HOOKREACHED',
    ControllerReady: 'True CONTROLLERSTARTED',
    Ready: 'True CONDITIONSOK',
  });
  expect(objectAt(seen, 'status', 'annotations')).toEqual({
    hookURL: `http://my-service.default.svc.cluster.local:${world.hook.port}`,
  });
  expect(await world.told('kuard')).toEqual([
    expect.stringMatching(/^Warning Doubtful the host .*is ignored/),
  ]);
  const [pre, post] = world.hook.asked;
  const object = {
    apiVersion: 'extensions.triggermesh.io/v1',
    kind: 'Kuard',
    namespace: 'default',
    name: 'my-kuard',
  };
  const capabilities = ['pre-reconcile', 'post-reconcile', 'finalize'];
  expect(pre?.body).toMatchObject({ object, phase: 'pre-reconcile', capabilities });
  expect(pre?.body).not.toHaveProperty('rendered');
  expect(post?.body).toMatchObject({ object, phase: 'post-reconcile', capabilities });
  expect(post && renderedIn(post)).toEqual([`Deployment ${child}`, `Service ${child}`]);
  const deployment = await world.get(deployments, child);
  expect(envOf(deployment)).toEqual({ ...baseEnv, FROM_HOOK_VAR: 'x' });
  expect(containerOf(deployment)).toMatchObject({ resources: { limits: { cpu: '250m' } } });
  expect(textAt(deployment, 'spec', 'template', 'spec', 'serviceAccountName')).toBe(child);
  expect(annotationsOf((await world.get(serviceAccounts, child)) ?? {})).toEqual({
    'example.com/role': 'reader',
  });
  expect(conditionsOf(await world.instance())['KuardReady']).toBe('True SAYSO');

  const written = world.writes.length;
  const asked = world.hook.asked.length;
  for (let times = 0; times < 10; times += 1) {
    await world.patch(kuards, 'my-kuard', { metadata: { annotations: { touched: String(times) } } });
    await world.settle();
  }
  expect(world.hook.asked.length - asked).toBe(20);
  expect(world.writes.slice(written)).toEqual([]);

  await world.remove(kuards, 'my-kuard');
  await world.until(async () => (await world.get(kuards, 'my-kuard')) === undefined);
  expect(world.hook.asked.at(-1)?.body).toMatchObject({ object, phase: 'finalize' });
});

test('a condition of the hook votes on Ready, and one that it leaves out is Unknown', async () => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  world.hook.answer = () => ({ status: { conditions: [condition('False')] } });
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'a' } });
  await world.settle();
  expect(conditionsOf(await world.instance())).toMatchObject({
    KuardReady: 'False SAYSO',
    Ready: 'False CONDITIONSNOTOK',
  });
  world.hook.answer = () => ({});
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'b' } });
  await world.settle();
  expect(conditionsOf(await world.instance())).toMatchObject({
    KuardReady: 'Unknown UNKNOWN',
    Ready: 'Unknown UNKNOWN',
  });
});

type Case = {
  readonly name: string;
  readonly said: Said;
  /** What becomes of a first reconciliation. */
  readonly goes: boolean;
  /** Whether the hook is called again within a minute though nothing changes. */
  readonly again: boolean;
  readonly message?: RegExp;
  /** Whether an instance that is deleted may go. */
  readonly released: boolean;
};

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const cases: readonly Case[] = [
  { name: '204', said: plainly(204), goes: true, again: false, released: true },
  { name: 'an empty 200', said: plainly(200), goes: true, again: false, released: true },
  { name: '{}', said: {}, goes: true, again: false, released: true },
  { name: 'null', said: null, goes: true, again: false, released: true },
  {
    name: 'halt',
    said: failure({ halt: true }),
    goes: false,
    again: true,
    message: /not today/,
    released: false,
  },
  {
    name: 'neither halt nor permanent',
    said: failure({}),
    goes: false,
    again: true,
    message: /not today/,
    released: false,
  },
  {
    name: 'halt for good',
    said: failure({ halt: true, permanent: true }),
    goes: false,
    again: false,
    message: /not today/,
    released: false,
  },
  { name: 'no halt', said: failure({ halt: false }), goes: true, again: true, released: true },
  {
    name: 'no halt, for good',
    said: failure({ halt: false, permanent: true }),
    goes: true,
    again: false,
    released: true,
  },
  {
    name: 'texts and a slip of the pen',
    said: failure({ halt: 'true', permantent: 'true' }),
    goes: false,
    again: false,
    message: /not today/,
    released: false,
  },
  {
    name: '500 with a flat error',
    said: plainly(500, '{"message":"flat","permanent":true}'),
    goes: false,
    again: false,
    message: /flat/,
    released: false,
  },
  {
    name: '500 with continue',
    said: plainly(500, '{"message":"flat","continue":true}'),
    goes: true,
    again: true,
    released: true,
  },
  {
    name: '500 with text',
    said: plainly(500, 'plain words'),
    goes: false,
    again: true,
    message: /500.*plain words/,
    released: false,
  },
  {
    name: 'an endless body',
    said: (response) => {
      const pour = (): void => {
        while (response.write('x'.repeat(65_536))) {
          /* on and on */
        }
      };
      response.on('drain', pour);
      pour();
    },
    goes: false,
    again: true,
    message: /1 ?Mi?B|1048576|too l|more than/i,
    released: false,
  },
  {
    name: 'no JSON',
    said: plainly(200, '{"error":'),
    goes: false,
    again: true,
    message: /JSON/,
    released: false,
  },
  {
    name: 'duplicate keys',
    said: plainly(200, '{"error":{"message":"a"},"error":null}'),
    goes: false,
    again: true,
    message: /error/,
    released: false,
  },
  {
    name: '__proto__',
    said: plainly(200, '{"__proto__":{"a":1}}'),
    goes: false,
    again: true,
    message: /__proto__/,
    released: false,
  },
  {
    name: 'a depth bomb',
    said: plainly(200, deep),
    goes: false,
    again: true,
    message: /deep|nest/i,
    released: false,
  },
  {
    name: 'a child that is null',
    said: { children: { deployment: null } },
    goes: false,
    again: true,
    message: /deployment/,
    released: true,
  },
  {
    name: 'a status that is a number',
    said: { status: 7 },
    goes: false,
    again: true,
    message: /status/,
    released: true,
  },
  {
    name: 'an unknown target',
    said: { patches: [{ nonsense: {} }] },
    goes: false,
    again: true,
    message: /nonsense/,
    released: true,
  },
  {
    name: 'a failing test',
    said: { patches: [{ main: [{ op: 'test', path: '/spec/replicas', value: 9 }] }] },
    goes: false,
    again: true,
    message: /test|replicas/,
    released: true,
  },
  {
    name: 'a protected field',
    said: { patches: [{ main: { metadata: { name: 'other' } } }] },
    goes: false,
    again: true,
    message: /metadata\/name|metadata\.name|name/,
    released: true,
  },
  {
    name: 'a patch that the server refuses',
    said: { patches: [{ main: { spec: { replicas: -1 } } }] },
    goes: false,
    again: true,
    message: /replicas/,
    released: true,
  },
  {
    name: 'a hook that dies in the middle of its answer',
    said: (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"error":');
      response.destroy();
    },
    goes: false,
    again: true,
    message: /closed the connection|broke/i,
    released: false,
  },
];

test.for(cases)('$name', async ({ said, goes, again, message, released }) => {
  await using world = await openHooked(() => said);
  await world.pass(3);
  const deployment = await world.get(deployments, child);
  expect(deployment !== undefined).toBe(goes);
  const asked = world.hook.asked.length;
  const conditions = conditionsOf(await world.instance());
  if (!goes) {
    expect(conditions['Ready']).not.toMatch(/^True/);
    expect(messageOf(await world.instance(), 'Reconciled')).toMatch(
      /hook of registration kuard, (pre|post)-reconcile|the deployment was rejected/,
    );
    expect(messageOf(await world.instance(), 'Reconciled')).toMatch(message ?? /./);
    const told = (await world.told('my-kuard')).join('\n');
    expect(told).toMatch(/^Warning /m);
    expect(told).toMatch(message ?? /./);
  }
  await world.pass(60, 5);
  expect(world.hook.asked.length > asked).toBe(again);
  // Nothing was half applied.
  expect((await world.get(deployments, child)) !== undefined).toBe(goes);
  expect((await world.get(services, child)) !== undefined).toBe(goes);
  await world.remove(kuards, 'my-kuard');
  await world.pass(1);
  expect((await world.get(kuards, 'my-kuard')) === undefined).toBe(released);
  if (released) return;
  expect((await world.told('my-kuard')).join('\n')).toMatch(/DeletionBlocked.*boathook\.dev\/skip-finalize/);
  await world.patch(kuards, 'my-kuard', {
    metadata: { annotations: { 'boathook.dev/skip-finalize': 'true' } },
  });
  await world.until(async () => (await world.get(kuards, 'my-kuard')) === undefined, 5);
});

test.for([429, 503])('%d with Retry-After is called again after just that time', async (status) => {
  let calls = 0;
  await using world = await openHooked(() => {
    calls += 1;
    return calls === 1 ? plainly(status, 'busy', { 'retry-after': '7' }) : good;
  });
  await world.pass(6.5);
  expect(world.hook.phases()).toEqual(['pre-reconcile']);
  await world.pass(1);
  expect(world.hook.phases().slice(0, 3)).toEqual(['pre-reconcile', 'pre-reconcile', 'post-reconcile']);
  await world.until(() => isReady(world));
});

test('a redirect is not followed', async () => {
  await using world = await openHooked(() => plainly(302, 'elsewhere', { location: '/elsewhere' }));
  await world.pass(1);
  expect(world.hook.asked.length).toBeGreaterThanOrEqual(1);
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(/pre-reconcile.*302/);
  expect(await world.get(deployments, child)).toBeUndefined();
});

test('a body that stalls is given up within the timeout', async () => {
  await using world = await openHooked(() => 'hang', { timeout: 'PT2S' });
  world.hook.answer = () => (response) => {
    world.hook.hold(response);
    response.writeHead(200).write('{');
  };
  await world.pass(4);
  expect(world.hook.asked.length).toBeGreaterThanOrEqual(2);
  await world.pass(2);
  expect(messageOf(await world.instance(), 'Reconciled')).toMatch(/kuard, pre-reconcile.*2 ?s/);
  await world.remove(kuards, 'my-kuard');
  await world.pass(3);
  expect(await finalizersOf(world)).toEqual([finalizer]);
});

test('a condition that was not declared is dropped with a warning', async () => {
  const stranger = { type: 'Stranger', status: 'True', reason: 'X', message: '' };
  await using world = await openHooked(() => ({ status: { conditions: [condition(), stranger] } }));
  await world.until(() => isReady(world));
  expect(conditionsOf(await world.instance())).not.toHaveProperty('Stranger');
  expect((await world.told('my-kuard')).join('\n')).toMatch(/Warning .*Stranger/);
});

test('a variable that is not in addEnvsFromHook is ignored with a warning', async () => {
  await using world = await openHooked(
    () => ({
      ...good,
      envVars: [
        { name: 'WANTED', value: '1' },
        { name: 'UNWANTED', value: '2' },
      ],
    }),
    {},
    { parameters: { addEnvsFromHook: ['WANTED'] } },
  );
  await world.until(() => isReady(world));
  expect(envOf(await world.get(deployments, child))).toEqual({ ...baseEnv, WANTED: '1' });
  expect((await world.told('my-kuard')).join('\n')).toMatch(/Warning .*UNWANTED/);
});

test('once all is as it should be, a slow hook is left alone', async () => {
  await using world = await openHooked(() => 'hang');
  world.hook.answer = () => (response) => {
    const release = world.hook.hold(response);
    world.clock.after(seconds(3), () => {
      release();
      response.end(JSON.stringify(good));
    });
  };
  await world.patch(registrations, 'kuard', { spec: { concurrency: 2 } });
  await world.until(() => isReady(world));
  const asked = world.hook.asked.length;
  const written = world.writes.length;
  await world.pass(600, 1);
  expect(world.hook.asked.length - asked).toBeLessThanOrEqual(2);
  expect(world.writes.slice(written)).toEqual([]);
});

test('a hook with a different reply each time is stopped', async () => {
  let calls = 0;
  await using world = await openHooked(() => {
    calls += 1;
    return { ...good, envVars: [{ name: 'DICE', value: String(calls) }], resyncAfterSeconds: 1 };
  });
  await world.pass(30);
  expect((await world.told('my-kuard')).join('\n')).toMatch(/HookNotDeterministic/);
  const { length } = world.writes.filter(({ path }) => path.includes('/deployments/'));
  await world.pass(120, 5);
  const after = world.writes.filter(({ path }) => path.includes('/deployments/')).length;
  expect(after - length).toBeLessThanOrEqual(2);
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('False HOOKNOTDETERMINISTIC');
});

test('a hook that is down when an instance is created is called later, and nothing is left over', async () => {
  await using world = await openHooked(() => plainly(503));
  expect(await finalizersOf(world)).toEqual([finalizer]);
  await world.pass(20);
  expect(await world.get(deployments, child)).toBeUndefined();
  world.hook.answer = () => good;
  await world.until(() => isReady(world), 400);
});

test('a hook that is removed from the registration leaves no finalizer', async () => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  expect(await finalizersOf(world)).toEqual([finalizer]);
  await world.patch(registrations, 'kuard', {
    spec: { hook: null, workload: { parameterConfiguration: null, statusConfiguration: null } },
  });
  await world.until(async () => (await finalizersOf(world)).length === 0, 5);
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
  expect(world.hook.phases()).not.toContain('finalize');
});

test('a hook that is still cleaning up keeps the instance until it is done', async () => {
  await using world = await openHooked((phase) =>
    phase === 'finalize' ? { finalized: false, resyncAfterSeconds: 4 } : good,
  );
  await world.until(() => isReady(world));
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(conditionsOf(await world.instance())['Reconciled']).toBe('Unknown FINALIZING');
  await world.pass(3);
  expect(world.hook.phases().filter((phase) => phase === 'finalize')).toHaveLength(1);
  world.hook.answer = () => ({});
  await world.pass(2);
  expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
});

test('an instance with only a finalizer of others causes no further call', async () => {
  await using world = await openHooked();
  await world.until(() => isReady(world));
  await world.patch(kuards, 'my-kuard', { metadata: { finalizers: [finalizer, 'example.com/mine'] } });
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  await world.patch(kuards, 'my-kuard', { metadata: { annotations: { a: 'b' } } });
  await world.pass(10, 1);
  expect(world.hook.phases().filter((phase) => phase === 'finalize')).toHaveLength(1);
  await world.patch(kuards, 'my-kuard', { metadata: { finalizers: [] } });
  await world.settle();
  expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
});

test('of an object that comes back only the status counts', async () => {
  const returned = {
    apiVersion: 'extensions.triggermesh.io/v1',
    kind: 'Kuard',
    metadata: { name: 'my-kuard', namespace: 'default', labels: { by: 'hook' }, finalizers: [] },
    spec: { variable1: 'by the hook' },
    status: { conditions: [condition()] },
  };
  await using world = await openHooked(() => ({ object: returned }));
  await world.until(() => isReady(world));
  const instance = await world.instance();
  expect(objectAt(instance, 'spec')).toMatchObject({ variable1: 'value 1' });
  expect(objectAt(instance, 'metadata', 'labels')).toBeUndefined();
  expect(listAt(instance, 'metadata', 'finalizers')).toEqual([finalizer]);
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
});

test('the hook can set the time of the next call', async () => {
  await using world = await openHooked((phase) =>
    phase === 'pre-reconcile' ? { ...good, resyncAfterSeconds: 30 } : {},
  );
  await world.until(() => isReady(world));
  await world.pass(29, 1);
  const asked = world.hook.asked.length;
  await world.pass(3, 1);
  expect(world.hook.asked.length - asked).toBe(2);
});

test('a call about an instance that is deleted meanwhile is given up, and finalize comes at once', async () => {
  await using world = await openHooked((phase) => (phase === 'finalize' ? {} : 'hang'));
  expect(world.hook.phases()).toEqual(['pre-reconcile']);
  await world.remove(kuards, 'my-kuard');
  await world.settle();
  expect(world.hook.phases()).toEqual(['pre-reconcile', 'finalize']);
  expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
});
