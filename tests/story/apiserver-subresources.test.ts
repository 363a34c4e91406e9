import { expect, test } from 'vitest';
import { at, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import {
  defineWidgets,
  deployment,
  deployments,
  metaText,
  pod,
  pods,
  readyForPods,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const scaleOf = (name: string, replicas: number, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default', ...more },
  spec: { replicas },
});

test('a deployment is scaled through its Scale', async () => {
  await using api = await openApi();
  await api.create(deployments, deployment('d', 2));
  const path = `${deployments}/d/scale`;
  const first = await api.get(path);
  expect(first.body).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=d' },
  });
  const revision = metaText(first, 'resourceVersion') ?? '';
  expect(
    (await api.send('PUT', path, { body: scaleOf('d', 5, { resourceVersion: revision }) })).body,
  ).toMatchObject({ spec: { replicas: 5 } });
  expect(
    refusalOf(await api.send('PUT', path, { body: scaleOf('d', 9, { resourceVersion: revision }) })),
  ).toMatch(/^409 Conflict: Operation cannot be fulfilled on deployments\.apps "d"/);
  expect((await api.patch(path, 'merge', { spec: { replicas: 3 } })).body).toMatchObject({
    spec: { replicas: 3 },
  });
  expect(refusalOf(await api.patch(path, 'merge', { spec: { replicas: -1 } }))).toBe(
    '422 Invalid: Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
  expect(refusalOf(await api.send('PUT', path, { body: scaleOf('other', 1) }))).toBe(
    '400 BadRequest: the name of the object (other) does not match the name on the URL (d)',
  );
  expect(refusalOf(await api.get(`${deployments}/nope/scale`))).toBe(
    '404 NotFound: deployments/scale.apps "nope" not found',
  );
  expect(refusalOf(await api.patch(`${deployments}/nope/scale`, 'merge', {}))).toBe(
    '404 NotFound: deployments.apps "nope" not found',
  );
  const { body } = await api.get(`${deployments}/d`);
  expect([numberAt(body, 'spec', 'replicas'), numberAt(body, 'metadata', 'generation')]).toEqual([3, 3]);
});

test('a custom object is scaled by the paths of its definition', async () => {
  await using api = await openApi();
  const scale = {
    specReplicasPath: '.spec.count',
    statusReplicasPath: '.status.count',
    labelSelectorPath: '.status.selector',
  };
  await defineWidgets(api, undefined, { subresources: { status: {}, scale } });
  await api.create(widgets, widget('w', { spec: { count: 2 } }));
  await api.patch(`${widgets}/w/status`, 'merge', { status: { count: 1, selector: 'a=b' } });
  expect((await api.get(`${widgets}/w/scale`)).body).toMatchObject({
    spec: { replicas: 2 },
    status: { replicas: 1, selector: 'a=b' },
  });
  await api.patch(`${widgets}/w/scale`, 'merge', { spec: { replicas: 7 } });
  const { body } = await api.get(`${widgets}/w`);
  expect([body['spec'], body['status']]).toEqual([{ count: 7 }, { count: 1, selector: 'a=b' }]);
});

const bind = (api: BareApi, name: string, target: JsonObject, more: JsonObject = {}): Promise<Answer> =>
  api.send('POST', `${pods}/${name}/binding`, {
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name, ...more }, target },
  });

test('a pod is bound to a node once', async () => {
  await using api = await openApi();
  await readyForPods(api);
  for (const name of ['p', 'q']) await api.create(pods, pod(name));
  await api.create(pods, pod('gated', { schedulingGates: [{ name: 'example.com/g' }] }));
  expect((await bind(api, 'p', { kind: 'Node', name: 'n1' }, { annotations: { a: 'b' } })).status).toBe(201);
  const { body } = await api.get(`${pods}/p`);
  expect([textAt(body, 'spec', 'nodeName'), objectAt(body, 'metadata', 'annotations')]).toEqual([
    'n1',
    { a: 'b' },
  ]);
  expect(listAt(body, 'status', 'conditions').map((each) => [at(each, 'type'), at(each, 'status')])).toEqual([
    ['PodScheduled', 'True'],
  ]);
  expect(refusalOf(await bind(api, 'p', { kind: 'Node', name: 'n2' }))).toBe(
    '409 Conflict: Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
  );
  expect(refusalOf(await bind(api, 'gated', { kind: 'Node', name: 'n' }))).toBe(
    '409 Conflict: Operation cannot be fulfilled on pods/binding "gated": pod gated has non-empty .spec.schedulingGates',
  );
  expect(refusalOf(await bind(api, 'q', { kind: 'Pod', name: '' }))).toBe(
    '500 -: [target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  );
  expect(refusalOf(await bind(api, 'none', { name: 'n' }))).toBe('404 NotFound: pods "none" not found');
  const body2 = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'q' },
    target: { kind: 'Node', name: 'n1' },
  };
  expect((await api.send('POST', '/api/v1/namespaces/default/bindings', { body: body2 })).status).toBe(201);
  expect(textAt((await api.get(`${pods}/q`)).body, 'spec', 'nodeName')).toBe('n1');
});

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

test('an eviction checks the budget first, and uses it up', async () => {
  await using api = await openApi();
  await readyForPods(api);
  await api.create(pods, pod('a', { nodeName: 'n' }, { labels: { app: 'x' } }));
  await api.patch(`${pods}/a/status`, 'merge', { status: { phase: 'Running' } });
  await api.create(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
  });
  const evict = (name = 'a', deleteOptions?: JsonObject): Promise<Answer> =>
    api.send('POST', `${pods}/a/eviction`, {
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
        ...(deleteOptions === undefined ? {} : { deleteOptions }),
      },
    });
  const early = await evict();
  expect(refusalOf(early)).toBe(
    "429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget.",
  );
  expect(early.headers['retry-after']).toBe('10');
  const observed = {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  };
  await api.patch(`${budgets}/b/status`, 'merge', { status: observed });
  expect(listAt((await evict()).body, 'details', 'causes')).toEqual([
    {
      reason: 'DisruptionBudget',
      message: 'The disruption budget b needs 1 healthy pods and has 1 currently',
    },
  ]);
  await api.patch(`${budgets}/b/status`, 'merge', { status: { ...observed, disruptionsAllowed: 1 } });
  expect((await evict('a', { dryRun: ['All'] })).status).toBe(201);
  expect(metaText(await api.get(`${pods}/a`), 'deletionTimestamp')).toBeUndefined();
  expect((await evict()).status).toBe(201);
  expect((await api.get(`${pods}/a`)).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
  expect((await api.get(`${budgets}/b`)).body).toMatchObject({
    status: { disruptionsAllowed: 0, disruptedPods: { a: '2025-11-15T12:33:20Z' } },
  });
  expect(refusalOf(await evict('other'))).toBe(
    '400 BadRequest: name in URL does not match name in Eviction object',
  );
});

test('a log request must name the container', async () => {
  await using api = await openApi();
  await readyForPods(api);
  const containers = ['a', 'b'].map((name) => ({ name, image: 'i' }));
  await api.create(pods, pod('p', { containers, initContainers: [{ name: 'i', image: 'i' }] }));
  expect(refusalOf(await api.get(`${pods}/p/log`))).toBe(
    '400 BadRequest: a container name must be specified for pod p, choose one of: [i a b]',
  );
  expect(refusalOf(await api.get(`${pods}/p/log?container=z`))).toBe(
    '400 BadRequest: container z is not valid for pod p',
  );
});
