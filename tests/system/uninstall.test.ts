import { expect, test } from 'vitest';
import { listAt } from '#base/json.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runBoathook } from '../support/boathook.ts';
import { freshCluster, objectsIn, runInstalled, type FreshCluster } from '../support/installed.ts';
import type { Ended } from '../support/program.ts';
import { definition, instance, registration } from '../../scripts/fixtures/fixture-objects.ts';

const uninstall = ({ server }: FreshCluster, ...flags: readonly string[]): Promise<Ended> =>
  runBoathook(['uninstall', '--kubeconfig', server.kubeconfig, ...flags]);

const shop = (name: string, more: object): string =>
  JSON.stringify({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'shop:1.0' }] },
      },
      ...more,
    },
  });
const guarded = { preDeleteUpdateStrategy: { enforce: 'Always', hook: { templateName: 'ask' } } };
const template = JSON.stringify({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'ask', namespace: 'default' },
  spec: { metrics: [{ name: 'm', provider: { web: { url: 'http://127.0.0.1:1/', jsonPath: '{$.a}' } } }] },
});
/** It waits for ever, because nobody answers at its address. */
const lab = JSON.stringify({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: { name: 'lab' },
  spec: {
    type: 'Baremetal',
    version: '1.30.1',
    machines: [{ ip: '127.0.0.1', port: 1, username: 'root', password: 'eA==' }],
  },
});

const podsOf = async ({ run }: FreshCluster): Promise<readonly string[]> =>
  (
    listAt(
      JSON.parse(await run(['get', 'pods', '-A', '-o', 'json'])) as KubeObject,
      'items',
    ) as readonly KubeObject[]
  )
    .filter((pod) => ['default', 'stored'].includes(namespaceOf(pod)))
    .map((pod) => `${nameOf(pod)} ${uidOf(pod)}`);

test('everything is removed in the printed order, and pods keep running', async () => {
  await using cluster = await freshCluster();
  const { run } = cluster;
  const everything = ['--controllers', 'all', '--with', 'impersonation,secrets', '--dashboard'];
  const installed = await runBoathook(['install', '--print', ...everything]);
  await run(['apply', '-f', '-'], installed.out);
  await run(['create', 'namespace', 'stored']);
  await run(['apply', '-f', '-'], JSON.stringify(definition));
  const registered = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'webapps', labels: { 'boathook.dev/registered': 'true' } },
    rules: [
      {
        apiGroups: ['example.boathook.dev'],
        resources: ['webapps', 'webapps/status', 'webapps/finalizers'],
        verbs: ['get', 'list', 'watch', 'update', 'patch'],
      },
    ],
  };
  await run(['apply', '-f', '-'], JSON.stringify(registered));
  // Their rights go before they end, so the Lease expires by itself.
  const shortLease = ['--lease-duration', '9s', '--renew-deadline', '8s', '--retry-period', '2s'];
  const controllers = await runInstalled(cluster, shortLease);
  await run(
    ['apply', '-f', '-'],
    [template, shop('shop', {}), shop('shop-guarded', guarded), lab].join('\n---\n'),
  );
  await run(['apply', '-f', '-'], `${JSON.stringify(registration)}\n---\n${JSON.stringify(instance)}`);
  const ready = ['--timeout=300s', '--for=jsonpath={.status.phase}=Complete'];
  await run(['wait', ...ready, 'gamedeployment/shop', 'gamedeployment/shop-guarded']);
  await run(['wait', '--timeout=300s', '--for=condition=Ready', '-n', 'stored', 'webapp/front']);
  const before = await podsOf(cluster);
  expect(before).toHaveLength(5);

  const report = await uninstall(cluster);
  expect(report).toMatchObject({ code: 0, error: '' });
  expect(report.out).toMatch(/^ +controllers +installed, the leader is \S+$/m);
  expect(report.out).toMatch(/^ +objects +HookTemplate 1, GameDeployment 2, CRDRegistration 1, Cluster 1$/m);
  expect(report.out).toMatch(/^ +pods +4 of GameDeployments/m);
  expect(report.out).toMatch(/^ +gamedeployments default\/shop-guarded \(boathook\.dev\/pre-delete-hook\)$/m);
  expect(report.out).toMatch(/^ +clusters lab \(platform\.tkestack\.io\/cluster\)$/m);
  const steps = [...report.out.matchAll(/^ {2}\d\. (.*)$/gm)].map(([, step = '']) => step);
  expect(steps).toEqual([
    'kubectl delete gamedeployments.tkex.tencent.com,gamestatefulsets.tkex.tencent.com --all --all-namespaces --cascade=orphan',
    'kubectl delete crdregistrations.scoby.triggermesh.io --all',
    'boathook uninstall --print | kubectl delete --ignore-not-found -f -',
    'boathook uninstall --release',
    'boathook crds | kubectl delete --ignore-not-found -f -',
    'kubectl delete namespace boathook-system',
  ]);

  expect(await uninstall(cluster, '--release')).toMatchObject({
    code: 3,
    error: expect.stringMatching(/the controllers still run \(the leader is \S+\)/) as string,
  });
  for (const step of steps.slice(0, 2)) await run([...step.split(' ').slice(1), '--timeout=300s']);
  const printed = await uninstall(cluster, '--print');
  await run(['delete', '--ignore-not-found', '-f', '-'], printed.out);
  await controllers[Symbol.asyncDispose]();
  const released = await uninstall(cluster, '--release');
  expect(released).toMatchObject({ code: 0, error: '' });
  expect(released.out).toMatch(/^clusters lab: removed platform\.tkestack\.io\/cluster$/m);
  const crds = await runBoathook(['crds']);
  await run(['delete', '--ignore-not-found', '--timeout=300s', '-f', '-'], crds.out);
  await run(['delete', 'namespace', 'boathook-system', '--timeout=300s']);

  expect(await podsOf(cluster)).toEqual(before);
  expect(await run(['get', 'webapp', '-n', 'stored', '-o', 'name'])).toBe(
    'webapp.example.boathook.dev/front\n',
  );
  expect(await run(['get', 'crd', '-o', 'name'])).not.toMatch(/tkex|tkestack|scoby/);
  expect(
    await run(['get', 'clusterrole,clusterrolebinding,role,rolebinding', '-A', '-o', 'name']),
  ).not.toMatch(/boathook/);
});

test('what is printed for the removal is what any installation has, without kinds and the namespace', async () => {
  const [installed, removed] = await Promise.all([
    runBoathook([
      'install',
      '--print',
      '--controllers',
      'all',
      '--with',
      'impersonation,secrets,dashboard-proxy',
      '--dashboard',
    ]),
    runBoathook(['uninstall', '--print']),
  ]);
  const kept = [...objectsIn(installed.out).keys()].filter(
    (key) => !/^(CustomResourceDefinition|Namespace) /.test(key),
  );
  expect([...objectsIn(removed.out).keys()].sort()).toEqual(kept.sort());
  expect(removed.out).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\n/);
  expect(await runBoathook(['uninstall', '--print', '--release'])).toMatchObject({ code: 2 });
});
