import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#edge/clock.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { topicText } from '#web/wire/topic.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { startReconcileHook } from '../support/reconcile-hook.ts';
import { openWebWorld, type WebTab, type WebWorld } from '../support/web-server-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const place = {
  cluster: 'prod',
  operation: '20261116t000000z-cluster-create-a',
  node: '10.0.0.1',
  step: 'node-pre/PreInstall',
  attempt: 1,
};
const topic = topicText({ type: 'output', name: 'prod', ...place });

type OutputMessage = Extract<StreamMessage, { readonly type: 'output' }>;
const isOutput = (message: StreamMessage): message is OutputMessage => message.type === 'output';
const textOf = (tab: WebTab): string =>
  tab.messages.filter(isOutput).reduce((text, { part }) => (part.isWhole ? '' : text) + part.text, '');

type OpenedCluster = { readonly at: WebWorld; readonly path: string; readonly end: () => void };

async function openCluster(): Promise<OpenedCluster> {
  const at = await closedAfterTest(openWebWorld());
  const transport = inProcessTransport(at.server.embedded.server.serve, {
    user: 'system:boathook-controller',
    groups: ['system:masters'],
  });
  at.logs.begin(createClient({ transport, clock: systemClock, userAgent: 'test' }));
  await at.server.create('/apis/platform.tkestack.io/v1/clusters', {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: 'prod' },
    spec: {
      type: 'Baremetal',
      version: '1.30.1',
      machines: [{ ip: '10.0.0.1', port: 22, username: 'root', password: 'eA==' }],
    },
  });
  const outputs = await at.logs.outputs();
  const path = outputs.begin(place);
  mkdirSync(dirname(path), { recursive: true });
  return { at, path, end: () => outputs.end(place) };
}

const query = (...topics: readonly string[]): string =>
  new URLSearchParams(topics.map((each): [string, string] => ['topic', each])).toString();

test('the output of a script is followed, resumed from what a tab has, and complete at the end', async () => {
  const { at, path, end } = await openCluster();
  writeFileSync(path, 'one\n');
  const user = await at.signIn('token-of-bob');
  const tab = await user.follow(query('cluster//prod', topic));
  expect(await tab.until((each) => each.type === 'object')).toMatchObject({
    object: {
      page: {
        outputs: {
          type: 'listed',
          rows: [{ node: '10.0.0.1', step: 'node-pre/PreInstall', attempt: 1, isRunning: true }],
        },
      },
    },
  });
  const first = await tab.until(isOutput);
  expect(first.part).toEqual({ isWhole: true, omitted: 0, text: 'one\n', isRunning: true });
  appendFileSync(path, 'two \u001b[31m<script>\u0007\n');
  await tab.until(() => textOf(tab).includes('two'));
  expect(textOf(tab)).toBe('one\ntwo <script>\\x07\n');
  tab.close();

  appendFileSync(path, 'three\n');
  end();
  const have = encodeURIComponent(`${topic}@${first.version}`);
  const again = await user.follow(`${query(topic)}&have=${have}`);
  await again.until((each) => isOutput(each) && !each.part.isRunning);
  expect(again.messages.filter(isOutput)[0]?.part).toMatchObject({ isWhole: false });
  expect(textOf(again)).toBe('two <script>\\x07\nthree\n');
  expect(at.problems).toEqual([]);
});

test('of ten megabytes the end is sent, and how much is left out', async () => {
  const { at, path, end } = await openCluster();
  const lines = Array.from({ length: 100_000 }, (_, count) => `${'x'.repeat(92)} ${count + 100_000}\n`);
  writeFileSync(path, lines.join(''));
  const user = await at.signIn();
  const tab = await user.follow(query(topic));
  const { part } = await tab.until(isOutput);
  expect(part.text.endsWith(' 199999\n')).toBe(true);
  expect(part.text).toMatch(/^x/);
  expect(part.text.length).toBeLessThanOrEqual(128 * 1024);
  expect(part.omitted + part.text.length).toBe(lines.length * 100);

  // As much again at once: a tab receives parts of it, never everything.
  appendFileSync(path, lines.join('').replaceAll(' 1', ' 3'));
  end();
  await tab.until((each) => isOutput(each) && !each.part.isRunning);
  for (const each of tab.messages.filter(isOutput)) expect(each.part.text.length).toBeLessThan(600_000);
  expect(textOf(tab).endsWith(' 399999\n')).toBe(true);
});

test('a user without the right, and an output that is not kept: the page says so, and why', async () => {
  const { at } = await openCluster();
  await at.server.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'sees-clusters' },
    rules: [
      { apiGroups: ['platform.tkestack.io'], resources: ['clusters'], verbs: ['get', 'list', 'watch'] },
    ],
  });
  await at.server.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'carol-sees-clusters' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sees-clusters' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carol' }],
  });
  const carol = await at.signIn('token-of-carol');
  const tab = await carol.follow(query('cluster//prod', topic));
  const why = expect.stringMatching(/User "carol" cannot get resource "clusters\/log"/) as string;
  expect(await tab.until((each) => each.type === 'object')).toMatchObject({
    object: { page: { outputs: { type: 'unavailable', message: why } } },
  });
  expect(await tab.until((each) => each.type === 'refused')).toMatchObject({ topic, message: why });

  const alice = await at.signIn('token-of-alice');
  const other = topicText({ type: 'output', name: 'prod', ...place, attempt: 7 });
  const missing = await alice.follow(query(other));
  expect(await missing.until((each) => each.type === 'refused')).toMatchObject({
    message: expect.stringContaining('is not kept here') as string,
  });
});

test('the last request and reply of a hook about an instance, as the user may see it', async () => {
  await using hook = await startReconcileHook(() => ({ status: { annotations: { note: '<b>hi</b>' } } }));
  const at = await closedAfterTest(openWebWorld({ hasControllers: true }));
  await at.server.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition());
  await at.server.embedded.server.settled();
  await at.server.create(
    '/apis/scoby.triggermesh.io/v1alpha1/crdregistrations',
    registration({ name: 'kuards', hook: hookAt(hook.url) }),
  );
  await at.server.create(
    '/apis/extensions.triggermesh.io/v1/namespaces/default/kuards',
    kuard({ dbPassword: 'hunter2', note: 'plain' }, 'one'),
  );
  const bob = await at.signIn('token-of-bob');
  const call = topicText({ type: 'call', name: 'kuards', instanceNamespace: 'default', instance: 'one' });
  const tab = await bob.follow(query(call));
  // The call before is of a phase whose request has no spec.
  const shown = await tab.until((each) => JSON.stringify(each).includes('plain'));
  expect(shown).toMatchObject({
    object: { type: 'call', page: { type: 'call', status: 200, url: hook.url } },
  });
  expect(JSON.stringify(shown)).toContain('<b>hi</b>');
  expect(JSON.stringify(tab.messages)).not.toContain('hunter2');
});
