import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import {
  hookRuns,
  hookTemplates,
  never,
  openHooksWorld,
  resultOf,
  type HooksWorld,
} from '../support/hooks-world.ts';

const of = (group: string, plural: string): Resource => ({ group, version: 'v1', plural, namespaced: true });
const pods = of('', 'pods');
const jobs = of('batch', 'jobs');
const phaseOf = (run: KubeObject): string | undefined => textAt(run, 'status', 'phase');
const lastOf = (run: KubeObject, metric: string): JsonObject =>
  (listAt(resultOf(run, metric), 'measurements').at(-1) ?? {}) as JsonObject;

const made = async (world: HooksWorld, resource: Resource, object: JsonObject): Promise<KubeObject> => {
  const created = await world.client.create(resource, object, never);
  if (created.type !== 'ok') throw new Error(created.message);
  return created.object;
};

const pod = (name: string, annotations: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec: { containers: [{ name: 'game', image: 'game:1' }] },
});

const allow = async (world: HooksWorld, account: string, rule: JsonObject): Promise<void> => {
  const rbac = 'rbac.authorization.k8s.io';
  await made(world, of('', 'serviceaccounts'), {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: account, namespace: 'default' },
  });
  const metadata = { name: account, namespace: 'default' };
  await made(world, of(rbac, 'roles'), { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: [rule] });
  await made(world, of(rbac, 'rolebindings'), {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'default' }],
  });
};

const kubernetes = (provider: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'object',
  provider: { kubernetes: provider },
  ...more,
});
const key = 'io.tencent.bcs.dev/game-pod-deleting';
const args = [
  { name: 'PodName', value: 'game-0' },
  { name: 'PodNamespace', value: 'default' },
];

test('patch writes an annotation and get waits for it, as a service account of the run', async () => {
  await using world = await openHooksWorld({ authorization: 'rbac' });
  await allow(world, 'hooks', { apiGroups: [''], resources: ['pods'], verbs: ['get', 'patch'] });
  await made(world, pods, pod('game-0'));
  const field = { path: `metadata.annotations.${key}`, value: 'false' };
  await world.create('get', {
    args,
    serviceAccountName: 'hooks',
    metrics: [
      kubernetes(
        { function: 'get', fields: [field] },
        { interval: '10s', successfulLimit: 1, noData: 'Wait' },
      ),
    ],
  });
  await world.pass(60, 5);
  expect(phaseOf(await world.run('get'))).toBe('Running');
  await world.create('patch', {
    args,
    serviceAccountName: 'hooks',
    metrics: [kubernetes({ function: 'patch', fields: [field] })],
  });
  await world.pass(11, 1);
  expect(phaseOf(await world.run('patch'))).toBe('Successful');
  expect(phaseOf(await world.run('get'))).toBe('Successful');
  const found = await world.client.get(pods, { namespace: 'default', name: 'game-0' }, never);
  expect(found.type === 'ok' && annotationsOf(found.object)[key]).toBe('false');
});

test('any field is read by its path, and conditions judge it', async () => {
  await using world = await openHooksWorld();
  await made(world, pods, pod('game-0'));
  const target = { apiVersion: 'v1', kind: 'Pod', name: '{{ args.PodName }}' };
  const fields = [{ path: '{.spec.containers[0].image}' }];
  const metric = (successCondition: string): JsonObject =>
    kubernetes({ function: 'get', target, fields }, { successCondition });
  await world.create('good', { args, metrics: [metric('result endsWith ":1"')] });
  await world.create('bad', { args, metrics: [metric('result endsWith ":2"')] });
  await world.pass(1);
  expect(phaseOf(await world.run('good'))).toBe('Successful');
  expect(phaseOf(await world.run('bad'))).toBe('Failed');
  expect(lastOf(await world.run('bad'), 'object')).toMatchObject({ value: 'game:1' });
});

test('a number stays a number when it is patched', async () => {
  await using world = await openHooksWorld();
  const apps: Resource = { ...of('apps', 'deployments') };
  const labels = { app: 'x' };
  await made(world, apps, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await world.create('scale', {
    metrics: [kubernetes({ function: 'patch', target, fields: [{ path: '{.spec.replicas}', value: '3' }] })],
  });
  await world.pass(2);
  const found = await world.client.get(apps, { namespace: 'default', name: 'web' }, never);
  expect(found.type === 'ok' && found.object['spec']).toMatchObject({ replicas: 3 });
});

test.for([
  ['without the right', {}, /cannot get resource "pods"/],
  [
    'with a name that is none',
    { serviceAccountName: 'default:admin' },
    /cannot be the name of a ServiceAccount/,
  ],
] as const)('never more rights than the service account has: %s', async ([, more, message]) => {
  await using world = await openHooksWorld({ authorization: 'rbac' });
  await made(world, pods, pod('game-0', { [key]: 'false' }));
  const fields = [{ path: `metadata.annotations.${key}`, value: 'false' }];
  await world.create('refused', {
    args,
    metrics: [kubernetes({ function: 'get', fields }, { consecutiveErrorLimit: 0 })],
    ...more,
  });
  await world.pass(1);
  const run = await world.run('refused');
  expect(phaseOf(run)).toBe('Error');
  expect(textAt(lastOf(run, 'object'), 'message')).toMatch(message);
});

const jobMetric = (more: JsonObject = {}): JsonObject => ({
  name: 'check',
  provider: {
    job: {
      spec: {
        backoffLimit: 0,
        template: {
          spec: { containers: [{ name: 'check', image: 'check:1', args: ['{{ args.who }}'] }] },
        },
      },
      ...more,
    },
  },
});
const who = [{ name: 'who', value: 'world' }];

const jobsIn = async (world: HooksWorld): Promise<readonly KubeObject[]> => {
  const listed = await world.client.list(jobs, { namespace: 'default' }, never);
  return listed.type === 'ok' ? listed.items : [];
};

test('a Job is made once for each call, belongs to the run and is judged by its end', async () => {
  await using world = await openHooksWorld({ controlled: false });
  await world.create('job', { args: who, metrics: [jobMetric()] });
  const first = world.control();
  await world.pass(3, 0.5);
  const [job, ...more] = await jobsIn(world);
  expect(more).toEqual([]);
  expect(job).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'HookRun', name: 'job' }] },
    spec: { template: { spec: { serviceAccountName: 'default', restartPolicy: 'Never' } } },
  });
  expect(JSON.stringify(job)).toContain('"args":["world"]');
  // The next controller finds the Job of the call again.
  await first.close();
  await world.control().synced;
  await world.pass(3, 0.5);
  expect((await jobsIn(world)).map(nameOf)).toEqual([nameOf(job ?? {})]);
  expect(phaseOf(await world.run('job'))).toBe('Running');
  const listed = await world.client.list(pods, { namespace: 'default' }, never);
  for (const each of listed.type === 'ok' ? listed.items : [])
    await world.client.patch(
      pods,
      { namespace: 'default', name: nameOf(each) },
      { type: 'merge', subresource: 'status', body: { status: { phase: 'Succeeded' } } },
      never,
    );
  await world.pass(10, 0.5);
  expect(phaseOf(await world.run('job'))).toBe('Successful');
  await world.client.remove(hookRuns, { namespace: 'default', name: 'job' }, never);
  await world.pass(5, 0.5);
  expect(await jobsIn(world)).toEqual([]);
});

test('a Job that fails fails the metric; one that does not end is removed', async () => {
  await using world = await openHooksWorld();
  await world.create('late', {
    args: who,
    metrics: [{ ...jobMetric({ timeoutSeconds: 5 }), consecutiveErrorLimit: 0 }],
  });
  await world.pass(10, 0.5);
  const late = await world.run('late');
  expect(phaseOf(late)).toBe('Error');
  expect(textAt(lastOf(late, 'check'), 'message')).toBe('the Job did not end within 5 s');
  expect(await jobsIn(world)).toEqual([]);
  await world.create('failing', { args: who, metrics: [jobMetric()] });
  await world.pass(2, 0.5);
  const listed = await world.client.list(pods, { namespace: 'default' }, never);
  for (const each of listed.type === 'ok' ? listed.items : [])
    await world.client.patch(
      pods,
      { namespace: 'default', name: nameOf(each) },
      { type: 'merge', subresource: 'status', body: { status: { phase: 'Failed' } } },
      never,
    );
  await world.pass(10, 0.5);
  const failing = await world.run('failing');
  expect(phaseOf(failing)).toBe('Failed');
  expect(textAt(lastOf(failing, 'check'), 'message')).toMatch(/^the Job failed: BackoffLimitExceeded/);
});

test('a template reports whether it is valid', async () => {
  await using world = await openHooksWorld();
  const template = (name: string, url: string): JsonObject => ({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name, namespace: 'default' },
    spec: {
      args: [{ name: 'PodIP' }],
      metrics: [
        {
          name: 'm',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url, jsonPath: '{$.age}' } },
        },
      ],
    },
  });
  await made(world, hookTemplates, template('good', 'http://{{ args.PodIP }}:9091'));
  await made(world, hookTemplates, template('bad', 'http://{{ args.PodPI }}:9091'));
  await world.pass(1);
  const validOf = async (name: string): Promise<unknown> => {
    const found = await world.client.get(hookTemplates, { namespace: 'default', name }, never);
    return found.type === 'ok' ? listAt(found.object, 'status', 'conditions')[0] : undefined;
  };
  expect(await validOf('good')).toMatchObject({ type: 'Valid', status: 'True', observedGeneration: 1 });
  expect(await validOf('bad')).toMatchObject({ type: 'Valid', status: 'False', reason: 'Invalid' });
  expect(await world.told('bad')).toEqual([expect.stringMatching(/^Warning Invalid .*PodPI/)]);
  const fixed = template('bad', 'http://{{ args.PodIP }}:9091')['spec'] ?? {};
  const patch = { type: 'merge', body: { spec: fixed } } as const;
  await world.client.patch(hookTemplates, { namespace: 'default', name: 'bad' }, patch, never);
  await world.pass(1);
  expect(await validOf('bad')).toMatchObject({ status: 'True', observedGeneration: 2 });
});
