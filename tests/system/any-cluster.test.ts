import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, listAt, textAt } from '#base/json.ts';
import { closeConnections, connectionTo } from '../cluster/cluster-connection.ts';
import { discover } from '../cluster/discovered.ts';
import { plainRequests, removeForGood, type SendPlain } from '../cluster/own-objects.ts';
import { startBoathook, type Boathook } from '../support/boathook.ts';
import { gameDeployment } from '../support/game-world.ts';
import { followProgram, runProgram, type Ended, type Following } from '../support/program.ts';
import { root } from '../support/project-files.ts';

/** An API server and nothing else, as kube-apiserver with its etcd is. */
const bare = [
  '--controllers',
  'none',
  '--kube-controllers',
  'none',
  '--nodes',
  '0',
  '--authorization',
  'rbac',
];
let server: Boathook;
let send: SendPlain;

beforeAll(async () => {
  server = await startBoathook({ flags: [...bare, '--ephemeral'] });
  send = plainRequests(connectionTo(server.kubeconfig).own.transport);
  const others = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'others' } };
  const made = [
    await send('POST', '/api/v1/namespaces', others),
    await send('POST', '/apis/tkex.tencent.com/v1alpha1/namespaces/others/gamedeployments', {
      ...gameDeployment({}),
      metadata: { name: 'g' },
    }),
    await send('POST', '/apis/scoby.triggermesh.io/v1alpha1/crdregistrations', {
      apiVersion: 'scoby.triggermesh.io/v1alpha1',
      kind: 'CRDRegistration',
      metadata: { name: 'of-others' },
      spec: {
        crd: 'things.example.com',
        workload: { formFactor: { deployment: { replicas: 1 } }, fromImage: { repo: 'app:1' } },
      },
    }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  // The run has to make this one.
  await removeForGood(
    send,
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/simulationprofiles.boathook.dev',
  );
});
afterAll(async () => {
  await closeConnections();
  await server[Symbol.asyncDispose]();
});

/** Every object of the server, as text. */
async function everything(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { base, plural } of await discover(send)) {
    const { body } = await send('GET', `${base}/${plural}`);
    for (const item of listAt(body, 'items').filter(isObject)) {
      const [namespace = '', name = ''] = ['namespace', 'name'].map((key) => textAt(item, 'metadata', key));
      found.set(`${base}/${plural} ${namespace}/${name}`, JSON.stringify(item));
    }
  }
  return found;
}

const words = [join(root, 'scripts/with-node.sh'), join(root, 'scripts/test-cluster.ts')];
const setting = (): { readonly env: Record<string, string> } => ({
  env: { KUBECONFIG: server.kubeconfig, HOME: server.home },
});
const testCluster = (...args: readonly string[]): Promise<Ended> =>
  runProgram('sh', [...words, ...args], setting());
const startTestCluster = (...args: readonly string[]): Following =>
  followProgram('sh', [...words, ...args], { ...setting(), inTerminal: true });

test('stories pass on a server in another process, which is afterwards as it was before', async () => {
  const before = await everything();
  expect([...before.keys()]).toContain('/apis/tkex.tencent.com/v1alpha1/gamedeployments others/g');
  const files = [
    'on-delete',
    'workloads-storage',
    'registration-password',
    'conformance/server',
    'canary-words',
  ];
  const { code, out } = await testCluster(...files);
  expect(code, out).toBe(0);
  expect(out).toContain('controllers of Kubernetes: none, so the tests bring them');
  expect(out).toContain('definitions made for the run: 1\n');
  expect(out).toMatch(/^ +3 +3 +0 +0 {2}workloads-storage\.test\.ts$/m);
  expect(out).toMatch(/^ +(\d+) +0 +0 +\1 {2}canary-words\.test\.ts\n {41}it compares documents/m);
  expect(out).toMatch(/^\d+ stories in 5 files: \d+ passed, 0 failed, \d+ not applicable$/m);
  expect(await everything()).toEqual(before);
});

test('what a killed run leaves is removed by --clean', async () => {
  const before = await everything();
  const running = startTestCluster('release-history');
  await running.lineLike(/^controllers of Kubernetes/);
  const isBegun = async (): Promise<boolean> =>
    [...(await everything()).keys()].some((key) => key.includes('gamedeployments bt-'));
  while (!(await isBegun()));
  await running.stop('SIGKILL');
  expect(await everything()).not.toEqual(before);
  const { code, out } = await testCluster('--clean');
  expect(code, out).toBe(0);
  expect(out).toMatch(/^removed namespaces\/bt-\S+-default$/m);
  expect(await everything()).toEqual(before);
  expect((await testCluster('--clean')).out).toMatch(/^0 removed, 0 kept$/m);
});

test('without a cluster, or with controllers of Boathook in it, nothing is run', async () => {
  const none = await runProgram('sh', words, { env: { KUBECONFIG: '', KUBEBUILDER_ASSETS: '' } });
  expect(none).toMatchObject({ code: 2, out: expect.stringContaining('set KUBECONFIG') as string });
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'boathook-controller' },
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 3600,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  };
  const leases = '/apis/coordination.k8s.io/v1/namespaces/others/leases';
  expect((await send('POST', leases, lease)).status).toBe(201);
  const refused = await testCluster('canary-edited');
  expect(refused).toMatchObject({
    code: 2,
    out: expect.stringContaining('Lease others/boathook-controller') as string,
  });
  await send('DELETE', `${leases}/boathook-controller`);
});
