import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { childMeta } from '#registrations/decide/children.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { definition, kuard, registration } from '../support/kuard.ts';
import { openWebWorld, type WebWorld } from '../support/web-server-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

type Overviews = Extract<StreamMessage, { readonly type: 'overview' }>;

const patch = (at: WebWorld, path: string, body: JsonObject) =>
  at.server.send('PATCH', path, { body, type: 'application/merge-patch+json' });

test('a registration with its instances and their children', async () => {
  const at = await closedAfterTest(openWebWorld());
  const scoby = '/apis/scoby.triggermesh.io/v1alpha1/crdregistrations';
  const kuards = '/apis/extensions.triggermesh.io/v1/namespaces/default/kuards';
  await at.server.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition());
  await at.server.create(scoby, registration({ name: 'kuards' }));
  const condition = { status: 'True', reason: 'Ok', message: '', lastTransitionTime: '2026-01-05T12:00:00Z' };
  const unhealthy = {
    ...condition,
    type: 'HookHealthy',
    status: 'False',
    reason: 'Unreachable',
    message: 'no route',
  };
  await patch(at, `${scoby}/kuards/status`, {
    status: {
      annotations: { hookURL: 'http://hooks.example/' },
      conditions: [{ ...condition, type: 'Ready' }, unhealthy],
    },
  });
  const user = await at.signIn();
  const tab = await user.follow('topic=registration//kuards&topic=overview');
  const first = await tab.until((each) => each.type === 'object');
  expect(first).toMatchObject({
    object: {
      type: 'registration',
      page: {
        crd: 'kuards.extensions.triggermesh.io',
        phase: 'HookUnhealthy',
        message: 'no route',
        hook: { url: 'http://hooks.example/', isHealthy: false, message: 'no route' },
        instances: [],
      },
    },
  });
  const made = await at.server.create(kuards, kuard({}, 'one'));
  const spec = { selector: { matchLabels: { a: 'b' } }, template: pods };
  await at.server.create('/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: childMeta('kuards', made),
    spec,
  });
  await patch(at, `${kuards}/one/status`, {
    status: {
      conditions: [{ ...condition, type: 'Ready', status: 'False', reason: 'NoPods', message: 'wait' }],
    },
  });
  const wanted = {
    namespace: 'default',
    name: 'one',
    isReady: false,
    reason: 'NoPods',
    message: 'wait',
    children: [{ kind: 'Deployment', name: 'kuards-one' }],
  };
  const later = await tab.until(
    (each) =>
      each.type === 'object' &&
      each.object.type === 'registration' &&
      each.object.page.instances[0]?.reason === 'NoPods',
  );
  expect(later).toMatchObject({ object: { page: { instances: [wanted] } } });
  expect(at.problems).toEqual([]);
});

const pods = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x' }] },
};

test('a cluster whose step has failed, and the retry by its user', async () => {
  const at = await closedAfterTest(openWebWorld());
  const clusters = '/apis/platform.tkestack.io/v1/clusters';
  await at.server.create(clusters, {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: 'prod' },
    spec: {
      type: 'Baremetal',
      version: '1.30.1',
      machines: [{ ip: '10.0.0.1', port: 22, username: 'root', password: 'eA==' }],
    },
  });
  const task = { node: '10.0.0.1', state: 'Failed', attempt: 1, exit: 3, message: 'disk full' };
  await patch(at, `${clusters}/prod/status`, {
    status: {
      phase: 'Initializing',
      reason: 'StepFailed',
      message: 'install failed',
      operation: {
        id: 'a',
        type: 'cluster.create',
        failures: 1,
        steps: [{ name: 'install', tasks: [task] }],
      },
    },
  });
  const bob = await at.signIn('token-of-bob');
  const tab = await bob.follow('topic=cluster//prod&topic=overview');
  const { overview } = await tab.until((each): each is Overviews => each.type === 'overview');
  expect(overview).toMatchObject({ rows: [{ key: 'cluster//prod', needsUser: true, isFailed: true }] });
  expect(await tab.until((each) => each.type === 'object')).toMatchObject({
    object: {
      page: {
        phase: 'Initializing',
        operation: 'cluster.create',
        cells: { '10.0.0.1 install': { state: 'failed', message: 'exit code 3; disk full' } },
        mayRetry: { isAllowed: false },
      },
    },
  });
  expect(await bob.act({ topic: 'cluster//prod', verb: 'retry', identity: '' })).toMatchObject({
    result: 'Forbidden',
  });
  const alice = await at.signIn('token-of-alice');
  expect(await alice.act({ topic: 'cluster//prod', verb: 'retry', identity: '' })).toEqual({
    result: 'Done',
    message: 'prod is retried now',
  });
  expect((await at.server.send('GET', `${clusters}/prod`)).body).toMatchObject({
    spec: { retriedAt: expect.stringMatching(/Z$/) as string },
  });
  expect(await alice.act({ topic: 'cluster//none', verb: 'retry', identity: '' })).toMatchObject({
    result: 'Refused',
  });
});
