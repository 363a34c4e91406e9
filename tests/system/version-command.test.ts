import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '#command/package-version.ts';
import { runBoathook, startBoathook } from '../support/boathook.ts';
import { runProgram } from '../support/program.ts';

test('versions of the program, of the cluster and of its kinds', async () => {
  await using cluster = await startBoathook({ flags: ['--controllers', 'none'] });
  const version = (...args: readonly string[]) =>
    runBoathook(['version', '--kubeconfig', cluster.kubeconfig, ...args]);
  const plain = await version();
  expect([plain.code, plain.error]).toEqual([0, '']);
  const [own, node, server] = plain.out.split('\n');
  expect(own).toBe(`boathook   ${packageVersion()}`);
  expect(node).toMatch(/^node       \d+\.\d+\.\d+$/);
  expect(server).toMatch(/^cluster    v1\.\d+\.\S+ at https:\/\/127\.0\.0\.1:\d+$/);
  expect(plain.out).toMatch(/\ngamedeployments\.tkex\.tencent\.com +v1alpha1 +Served\n/);
  expect(plain.out).not.toContain('Install');

  const kubectl = (args: readonly string[], stdin = '') =>
    runProgram('kubectl', ['--kubeconfig', cluster.kubeconfig, ...args], {
      stdin,
      env: { HOME: cluster.home },
    });
  expect(await kubectl(['delete', 'crd', 'machines.platform.tkestack.io'])).toMatchObject({ code: 0 });
  const removed = '[{"op":"remove","path":"/spec/versions/0/schema/openAPIV3Schema/properties/status"}]';
  const patch = ['patch', 'crd', 'hookruns.tkex.tencent.com', '--type=json', '-p', removed];
  expect(await kubectl(patch)).toMatchObject({ code: 0, error: '' });
  const json = await version('-o', 'json');
  const report = JSON.parse(json.out) as {
    client: object;
    cluster: { kinds: { name: string; state: string }[]; remedy: string };
  };
  expect(json.code).toBe(0);
  expect(report.client).toMatchObject({ boathook: packageVersion() });
  expect(report.cluster.kinds).toContainEqual({
    name: 'hookruns.tkex.tencent.com',
    served: ['v1alpha1'],
    wanted: 'v1alpha1',
    state: 'Older',
    missingFields: ['status'],
  });
  expect(report.cluster.remedy).toMatch(
    /^The cluster does not serve machines\.platform\.tkestack\.io and has older definitions: hookruns\.tkex\.tencent\.com \(no field status\)\. Install .*boathook crds \| kubectl apply/,
  );
  expect((await version('-o', 'yaml')).out).toContain('state: Missing\n');

  // The remedy works.
  const { out: crds } = await runBoathook(['crds']);
  expect(await kubectl(['apply', '-f', '-'], crds)).toMatchObject({ code: 0 });
  expect((await version()).out).not.toContain('Install');
});

test('without a cluster it succeeds and names the cause', async () => {
  await using cluster = await startBoathook({ flags: ['--controllers', 'none', '--authorization', 'rbac'] });
  const nobody = await runBoathook(['version', '--kubeconfig', '/nowhere/config']);
  expect(nobody).toMatchObject({ code: 0, error: '' });
  expect(nobody.out).toMatch(/\ncluster    not reachable: there is no kubeconfig at \/nowhere\/config:/);
  expect((await runBoathook(['version', '--client', '--kubeconfig', '/nowhere/config'])).out).not.toContain(
    'cluster',
  );
  const closed = join(cluster.home, 'closed');
  writeFileSync(
    closed,
    JSON.stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }],
      contexts: [{ name: 'a', context: { cluster: 'a' } }],
    }),
  );
  const away = await runBoathook(['version', '--kubeconfig', closed, '-o', 'json']);
  expect(away.code).toBe(0);
  expect(JSON.parse(away.out)).toMatchObject({
    cluster: { unreachable: expect.stringContaining('http://127.0.0.1:1 cannot be reached') as string },
  });
  // A user without rights sees the version and the kinds, but not their fields.
  const eve = await runBoathook(['--as', 'eve', 'version', '--kubeconfig', cluster.kubeconfig]);
  expect(eve.out).toMatch(/\nhookruns\.tkex\.tencent\.com +v1alpha1 +Served\n/);
  const list = await runBoathook(['hook', 'list', '--kubeconfig', cluster.kubeconfig, '--as', 'eve']);
  expect(list).toMatchObject({ code: 1, error: expect.stringContaining('User "eve" cannot list') as string });
  const group = ['--as', 'eve', '--as-group', 'system:masters'];
  expect(await runBoathook(['hook', 'list', '--kubeconfig', cluster.kubeconfig, ...group])).toMatchObject({
    code: 0,
  });
  expect(await runBoathook(['version', '-o', 'xml'])).toMatchObject({ code: 2 });
});
