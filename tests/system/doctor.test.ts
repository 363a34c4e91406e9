import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBoathook } from '../support/boathook.ts';
import { hookTemplate, startHookService } from '../support/canary-terminal.ts';
import { freshCluster, runInstalled, type FreshCluster } from '../support/installed.ts';
import type { Ended } from '../support/program.ts';

const doctor = ({ server }: FreshCluster, ...flags: readonly string[]): Promise<Ended> =>
  runBoathook(['doctor', '--kubeconfig', server.kubeconfig, ...flags]);

test('the doctor sees a cluster before, during and after an installation', async () => {
  await using cluster = await freshCluster();
  const before = await doctor(cluster);
  expect(before).toMatchObject({ code: 0, error: '' });
  expect(before.out).toMatch(/Boathook is not installed yet\n/);
  expect(before.out).toMatch(/^ok +version +The cluster has Kubernetes v1\.32/m);
  expect(before.out).toMatch(/^ok +rights +You may do all that is needed\.$/m);

  const guest = await doctor(cluster, '--as', 'guest');
  expect(guest.code).toBe(1);
  expect(guest.out).toMatch(
    /^FAILED +rights +You may not create namespaces and \d+ more\.\n +Install as an administrator/m,
  );

  const printed = await runBoathook(['install', '--print']);
  await cluster.run(['apply', '-f', '-'], printed.out);
  const early = await doctor(cluster);
  expect(early).toMatchObject({ code: 1 });
  expect(early.out).toMatch(/^FAILED +leader +No process of the controllers is the leader\.$/m);

  await using hook = await startHookService(20);
  await using controllers = await runInstalled(cluster);
  await cluster.run([
    'rollout',
    'status',
    'deployment/boathook-controller',
    '-n',
    'boathook-system',
    '--timeout=300s',
  ]);
  const template = hookTemplate('asked', { count: 1, provider: { web: { url: hook.url } } });
  await cluster.run(['apply', '-n', 'default', '-f', '-'], JSON.stringify(template));
  const healthy = await doctor(cluster, '-o', 'json');
  expect(healthy).toMatchObject({ code: 0, error: '' });
  expect(JSON.parse(healthy.out)).toEqual({
    server: cluster.server.url,
    isInstalled: true,
    isHealthy: true,
    checks: ['version', 'clock', 'kinds', 'controllers', 'rights', 'leader', 'hooks', 'others'].map(
      (check) => ({
        check,
        state: 'ok',
        message: expect.stringMatching(/\.$/) as string,
      }),
    ),
  });

  await hook[Symbol.asyncDispose]();
  await cluster.run(['delete', 'clusterrolebinding', 'boathook-controller']);
  const ill = await doctor(cluster);
  expect(ill.code).toBe(1);
  expect(ill.out).toMatch(
    /^warning +hooks +127\.0\.0\.1:\d+ of HookTemplate default\/asked cannot be reached/m,
  );
  const [, remedy = ''] = /Grant it: boathook (access .*) \| kubectl apply -f -/.exec(ill.out) ?? [];
  expect(ill.out).toMatch(/^FAILED +rights +The controllers may not create events and \d+ more\.$/m);
  const roles = await runBoathook(remedy.split(' '));
  await cluster.run(['apply', '-f', '-'], roles.out);
  expect((await doctor(cluster)).code).toBe(0);

  await controllers.process.stop();
  const alone = await doctor(cluster);
  expect(alone.code).toBe(1);
  expect(alone.out).toMatch(/^FAILED +leader /m);
});

test('an older definition of a kind is found, with the command that renews it', async () => {
  await using cluster = await freshCluster();
  const printed = await runBoathook(['install', '--print']);
  await cluster.run(['apply', '-f', '-'], printed.out);
  await cluster.run(['delete', 'crd', 'hookruns.tkex.tencent.com']);
  const { out } = await doctor(cluster);
  expect(out).toMatch(/^FAILED +kinds +Of 8 kinds 1 are missing and 0 are of another version\.$/m);
  expect(out).toContain('boathook crds | kubectl apply -f -');
});

test('an original operator that works on the same kinds is found by its lock', async () => {
  await using cluster = await freshCluster();
  const lock = (renewTime: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'gamedeployment',
        namespace: 'bcs-system',
        annotations: {
          'control-plane.alpha.kubernetes.io/leader': JSON.stringify({
            holderIdentity: 'operator-7d75b6d89-lgwbk',
            leaseDurationSeconds: 3600,
            renewTime,
          }),
        },
      },
    });
  await cluster.run(['create', 'namespace', 'bcs-system']);
  await cluster.run(['apply', '-f', '-'], lock(new Date().toISOString()));
  const before = await doctor(cluster);
  expect(before.code).toBe(0);
  expect(before.out).toMatch(
    /^warning +others +bcs-gamedeployment-operator works on GameDeployments in this cluster; its leader is operator-7d75b6d89-lgwbk\.\n +.* kubectl -n bcs-system scale --replicas=0 deployment\/bcs-gamedeployment-operator;/m,
  );
  await cluster.run(['apply', '-f', '-'], lock('2026-01-01T00:00:00Z'));
  expect((await doctor(cluster)).out).toMatch(/^ok +others +No other controller works on our kinds\.$/m);
});

test('a cluster that cannot be reached, and bad input', async () => {
  await using cluster = await freshCluster();
  const path = join(cluster.server.home, 'closed');
  const closed = { cluster: { server: 'https://127.0.0.1:1' }, name: 'here' };
  const context = { name: 'here', context: { cluster: 'here', user: '' } };
  const config = { apiVersion: 'v1', kind: 'Config', clusters: [closed], contexts: [context] };
  writeFileSync(path, JSON.stringify({ ...config, 'current-context': 'here' }));
  expect(await runBoathook(['doctor', '--kubeconfig', path])).toMatchObject({
    code: 5,
    error: expect.stringMatching(/https:\/\/127\.0\.0\.1:1 cannot be reached/) as string,
  });
  expect(await doctor(cluster, '-o', 'table')).toMatchObject({ code: 2 });
});
