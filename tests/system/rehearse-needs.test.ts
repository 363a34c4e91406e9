import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook, wholeCluster } from '../support/boathook.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { budgetOfShop, rehearse, rehearseObjects, shop } from '../support/rehearsed-shop.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const hook = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'check' },
  spec: {
    metrics: [
      {
        name: 'age',
        count: 1,
        successCondition: 'asInt(result) < 30',
        provider: {
          web: {
            url: 'http://127.0.0.1:9/age',
            headers: [
              { key: 'Authorization', valueFrom: { secretKeyRef: { name: 'service-token', key: 'token' } } },
            ],
            jsonPath: '{$.age}',
          },
        },
      },
    ],
  },
};

const rehearsed = (objects: readonly object[], ...args: readonly string[]): Promise<Ended> =>
  rehearseObjects(folder.path, objects, args);

test('a budget that replaced pods violate is named, and pods that a partition keeps', async () => {
  const strategy = { maxUnavailable: 3, partition: 2 };
  const { out, code } = await rehearsed([shop({ strategy }), budgetOfShop(4)]);
  expect(out).toMatch(/^PodDisruptionBudget shop is violated: it wants 4 in service, and [23] are at 0:0\d/m);
  expect(out).toMatch(/^The release would complete after \d+s: 2 of 5 pods stay on the old revision\.$/m);
  expect(code).toBe(0);
});

test('pods of another workload count for a budget of both, also when pods are updated in place', async () => {
  const strategy = { type: 'InplaceUpdate', maxUnavailable: 2 };
  const both = [shop({ strategy }), shop({ name: 'other' }), budgetOfShop(8)];
  const { out, code } = await rehearsed(both, '--workload', 'gd/shop');
  expect(out).toMatch(/^PodDisruptionBudget shop wants 8 in service and is kept\.$/m);
  expect(out).toMatch(/^Lowest availability: 3 of 5 pods in service/m);
  expect(out).toMatch(/- 5 pods of other workloads that PodDisruptionBudget shop protects were assumed/);
  expect(code).toBe(0);
});

test('more pods are not a violation, and have nodes', async () => {
  const { out, code } = await rehearsed(
    [shop({ strategy: { maxUnavailable: 1 } })],
    '--change',
    'replicas=400',
  );
  expect(out).toContain('the number of replicas is changed');
  expect(out).toMatch(
    /^Lowest availability: 5 of 400 pods in service at 0:00; maxUnavailable promises 4\.$/m,
  );
  expect(code).toBe(0);
});

test('pods start with a ServiceAccount, a claim and a node selector that are not known here', async () => {
  const pod = {
    serviceAccountName: 'robot',
    nodeSelector: { disk: 'fast' },
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  };
  const { out, code } = await rehearsed([shop({ pod })]);
  expect(out).toMatch(/ServiceAccount default\/robot of GameDeployment shop was assumed to exist/);
  expect(out).toMatch(/pods were assumed to fit on nodes: nodeSelector had no effect/);
  expect(code).toBe(0);
});

test('a recorded reply needs no Secret, and the calls of deleted runs are reported', async () => {
  const spec = {
    podManagementPolicy: 'Parallel',
    preDeleteUpdateStrategy: { hook: { templateName: 'check' } },
  };
  writeFileSync(join(folder.path, 'reply.json'), JSON.stringify({ age: 20 }));
  const { out, error, code } = await rehearsed(
    [shop({ kind: 'GameStatefulSet', spec: { ...spec, replicas: 2, serviceName: 'shop' } }), hook],
    '--hook',
    'check=reply.json',
  );
  expect(error).toBe('');
  expect(out.match(/hook check, age: 20 Successful/g)).toHaveLength(2);
  expect(out).toMatch(
    /HookTemplate check needs Secret default\/service-token, .*: its calls would fail without it; add its file/,
  );
  expect(code).toBe(0);
});

test.for([
  {
    name: 'a user has paused it',
    strategy: { paused: true },
    says: /would wait for a user after 0s: Paused/,
  },
  { name: 'users delete pods', strategy: { type: 'OnDelete' }, says: /would wait for a user after/ },
])('$name: exit code 4', async ({ strategy, says }) => {
  const { out, code } = await rehearsed([shop({ strategy })]);
  expect(out).toMatch(says);
  expect(code).toBe(4);
});

test('a live release that waits at a pause is followed by another one', async () => {
  await using server = await startBoathook({ flags: [...wholeCluster, '--profile', 'instant'] });
  const env = { KUBECONFIG: server.kubeconfig };
  const kubectl = async (...args: readonly string[]): Promise<void> => {
    expect(await runProgram('kubectl', args, { env })).toMatchObject({ code: 0 });
  };
  const strategy = { canary: { steps: [{ partition: 4 }, { pause: {} }] } };
  writeFileSync(join(folder.path, 'live.json'), JSON.stringify(shop({ strategy })));
  await kubectl('apply', '-f', join(folder.path, 'live.json'));
  await kubectl('wait', 'gd/shop', '--for=condition=Healthy', '--timeout=60s');
  const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'shop:2' }];
  await kubectl('patch', 'gd', 'shop', '--type=json', '-p', JSON.stringify(image));
  await kubectl('wait', 'gd/shop', '--for=jsonpath={.spec.updateStrategy.paused}=true', '--timeout=60s');
  const { out, error, code } = await rehearse(
    folder.path,
    ['--from-cluster', 'default', '--change', 'image=shop:3', '--profile', 'fast'],
    env,
  );
  expect(error).toBe('');
  expect(out).toMatch(/^The release would complete after/m);
  expect(out).toMatch(/the release that is under way in the cluster was assumed to be complete/);
  expect(code).toBe(0);
});
