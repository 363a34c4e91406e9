import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { componentNames } from '#cli/install/components.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { kindOf } from '#kube/object.ts';
import { launchBoathook, runBoathook } from '../support/boathook.ts';
import { gameWorkload, startHookService } from '../support/canary-terminal.ts';
import {
  accountKubeconfig,
  freshCluster,
  newestKubectl,
  objectsIn,
  runInstalled,
  systemNamespace,
  type FreshCluster,
  type InstalledControllers,
} from '../support/installed.ts';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import {
  exampleMachine,
  walkDeployed,
  walkDeployment,
  walkMachines,
  walkRegistration,
  walkStatefulSet,
} from '../support/seed-walks.ts';
import { openHosts, type TestHost } from '../support/sshd.ts';

const deploy = (...path: readonly string[]): string => join(root, 'deploy', ...path);
/** Hook services of the tests are on this machine. */
const toLoopback = ['--outgoing-allow', '127.0.0.1,::1,localhost'];
/** Older versions of kubectl know no components of kustomize. */
const isOld = (await newestKubectl()).minor < 21;

async function printed(...flags: readonly string[]): Promise<string> {
  const { code, out, error } = await runBoathook(['install', '--print', ...flags]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out;
}

/** The simulated nodes play the pods: the Deployment is complete when its pods are accepted and ready. */
const deployed = (cluster: FreshCluster): Promise<string> =>
  cluster.run([
    'rollout',
    'status',
    'deployment/boathook-controller',
    '-n',
    systemNamespace,
    '--timeout=300s',
  ]);

test.skipIf(isOld)('the base is applied with kubectl and is enough for hooks and releases', async () => {
  await using cluster = await freshCluster();
  const said = await cluster.run(['apply', '-k', deploy('base')]);
  expect(said).toMatch(/^deployment\.apps\/boathook-controller created$/m);
  expect(said).toMatch(/^poddisruptionbudget\.policy\/boathook-controller created$/m);
  expect(said).toMatch(/^networkpolicy\.networking\.k8s\.io\/boathook-controller created$/m);
  await deployed(cluster);
  await using hook = await startHookService(20);
  await using controllers = await runInstalled(cluster, toLoopback);
  await walkDeployment(cluster, 'default', hook);
  await cluster.run(['create', 'namespace', 'team-a']);
  await walkStatefulSet(cluster, 'team-a', hook);
  expect(controllers.process.errors()).not.toMatch(/forbidden/i);
  expect(await controllers.forbidden()).toBe(0);
});

test.skipIf(isOld)('the overlay with everything is enough for all that Boathook does', async () => {
  await using cluster = await freshCluster();
  await cluster.run(['apply', '-k', deploy('overlays/all')]);
  await deployed(cluster);
  await using hook = await startHookService(20);
  await using controllers = await runInstalled(cluster, toLoopback);
  await walkRegistration(cluster);
  await walkDeployment(cluster, 'default', hook);
  await walkStatefulSet(cluster, 'default', hook);
  await using machines = openHosts();
  const hosts: TestHost[] = [];
  for (let count = 0; count < 5; count += 1) hosts.push(await machines.add(exampleMachine));
  const [first] = hosts;
  if (first !== undefined) await walkMachines(cluster, first);
  await walkDeployed(join(machines.folder, 'operator'), hosts);
  const doctor = await runBoathook(['doctor', '--kubeconfig', cluster.server.kubeconfig, '-o', 'json']);
  expect(doctor, doctor.out).toMatchObject({ code: 0, error: '' });
  expect(JSON.parse(doctor.out)).toMatchObject({ isInstalled: true, isHealthy: true });
  expect(controllers.process.errors()).not.toMatch(/forbidden/i);
  expect(await controllers.forbidden()).toBe(0);
});

test('what boathook install prints passes strict validation, and runs in two namespaces with Roles alone', async () => {
  await using cluster = await freshCluster();
  for (const name of ['team-a', 'team-b', 'team-c']) await cluster.run(['create', 'namespace', name]);
  const text = await printed('--namespaces', 'team-a,team-b');
  expect([...objectsIn(text).values()].map(kindOf)).not.toContain('ClusterRole');
  await cluster.run(['apply', '--validate=true', '-f', '-'], text);
  await using hook = await startHookService(20);
  await using controllers = await runInstalled(cluster, toLoopback);
  await cluster.run(
    ['apply', '-n', 'team-c', '-f', '-'],
    JSON.stringify(gameWorkload('GameDeployment', 'unseen', { replicas: 1 })),
  );
  await walkDeployment(cluster, 'team-a', hook);
  await walkStatefulSet(cluster, 'team-b', hook);
  expect(controllers.process.errors()).not.toMatch(/forbidden/i);
  expect(await controllers.forbidden()).toBe(0);
  expect(await cluster.run(['get', 'pods', '-n', 'team-c'])).toBe('');
});

test.skipIf(isOld).for([
  { name: 'the base', folder: 'base', flags: [] },
  {
    name: 'the overlay with everything',
    folder: 'overlays/all',
    flags: ['--controllers', 'all', '--dashboard', '--with', 'impersonation,secrets'],
  },
])('$name is what boathook install prints', async ({ folder, flags }) => {
  const { file } = await newestKubectl();
  const built = await runProgram(file, ['kustomize', deploy(folder)]);
  expect(built).toMatchObject({ code: 0, error: '' });
  const own = objectsIn(await printed(...flags));
  expect(objectsIn(built.out)).toEqual(own);
  expect(own.size).toBeGreaterThan(10);
});

test('an image, a namespace and a choice of controllers change what they name and nothing else', async () => {
  const flags = [
    '--namespace',
    'ops',
    '--image',
    'registry.example.com/boathook:9',
    '--controllers',
    'hookrun',
  ];
  const objects = objectsIn(await printed(...flags));
  const deployment = objects.get('Deployment ops/boathook-controller') ?? {};
  const [container = null] = listAt(deployment, 'spec', 'template', 'spec', 'containers');
  expect(textAt(container, 'image')).toBe('registry.example.com/boathook:9');
  expect(listAt(container, 'args')).toContain('--controllers=hookrun');
  const rules = listAt(objects.get('ClusterRole /boathook-controller'), 'rules');
  expect(rules.flatMap((rule) => listAt(rule, 'resources'))).toEqual([
    'events',
    'hookruns',
    'hookruns/status',
  ]);
  for (const [wrong, says] of [
    [['--controllers', 'cluster', '--namespaces', 'a'], /cluster-scoped/],
    [['--image', 'a b'], /is no name of an image/],
    [['--namespace', 'A'], /is no name of a namespace/],
    [['--with', 'dashboard-proxy'], /needs --dashboard/],
  ] as const) {
    const ended = await runBoathook(['install', '--print', ...wrong]);
    expect(ended).toMatchObject({ code: 2, error: expect.stringMatching(says) as string });
  }
});

/** The fields of a ServiceMonitor that we use, as the Prometheus Operator defines them. */
const serviceMonitors: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'servicemonitors.monitoring.coreos.com' },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: { kind: 'ServiceMonitor', plural: 'servicemonitors', singular: 'servicemonitor' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['endpoints', 'selector'],
                properties: {
                  endpoints: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { port: { type: 'string' }, interval: { type: 'string' } },
                    },
                  },
                  selector: {
                    type: 'object',
                    properties: {
                      matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

test.skipIf(isOld)('every component is accepted by a server that knows every field', async () => {
  await using cluster = await freshCluster();
  await cluster.run(['apply', '-f', '-'], JSON.stringify(serviceMonitors));
  await cluster.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=300s']);
  using folder = tempDir();
  const kustomization = {
    resources: [relative(folder.path, deploy('base'))],
    components: componentNames.map((name) => relative(folder.path, deploy('components', name))),
    namespace: 'ops',
  };
  writeFileSync(join(folder.path, 'kustomization.yaml'), JSON.stringify(kustomization));
  const built = await cluster.run(['kustomize', folder.path]);
  expect(built).not.toContain('boathook-system');
  const said = await cluster.attempt(['apply', '-f', '-'], built);
  expect(said, said.error).toMatchObject({ code: 0 });
  for (const object of ['servicemonitor.monitoring.coreos.com/boathook', 'service/boathook-dashboard'])
    expect(said.out).toContain(`${object} created\n`);
  const proxied = ['get', 'deployment', 'boathook-dashboard', '-n', 'ops', '-o'];
  expect(await cluster.run([...proxied, 'jsonpath={.spec.template.spec.containers[*].name}'])).toBe(
    'dashboard proxy',
  );
  const wrong = built.replace('endpoints:\n  - port:', 'endpoints:\n  - prot:');
  expect(await cluster.attempt(['apply', '-f', '-'], wrong)).toMatchObject({
    code: 1,
    error: expect.stringContaining('prot') as string,
  });
});

const secretive: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: { generateName: 'secretive-' },
  spec: {
    metrics: [
      {
        name: 'm',
        count: 1,
        consecutiveErrorLimit: 0,
        successCondition: 'asInt(result) < 30',
        provider: {
          web: {
            url: '',
            jsonPath: '{$.age}',
            headers: [{ key: 'Authorization', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } }],
          },
        },
      },
    ],
  },
};

let shared: FreshCluster;
let controllers: InstalledControllers;
beforeAll(async () => {
  shared = await freshCluster();
  await shared.run(['apply', '-f', '-'], await printed('--dashboard'));
  controllers = await runInstalled(shared, toLoopback);
});
afterAll(async () => {
  await controllers?.[Symbol.asyncDispose]();
  await shared?.[Symbol.asyncDispose]();
});

// The first of those that share a cluster: later ones grant rights.
test('without the component nothing is impersonated', async () => {
  const cluster = shared;
  const account = `system:serviceaccount:${systemNamespace}:boathook-controller`;
  for (const wish of [
    ['impersonate', 'serviceaccounts', '-n', 'default'],
    ['get', 'secrets', '-n', 'default'],
    ['get', 'secrets', '-n', systemNamespace],
    ['get', 'clusters.platform.tkestack.io'],
  ])
    expect(await cluster.attempt(['auth', 'can-i', ...wish, '--as', account])).toMatchObject({
      code: 1,
      out: 'no\n',
    });
  expect(await cluster.attempt(['auth', 'can-i', 'create', 'pods', '--as', account])).toMatchObject({
    code: 0,
  });
});

test('a hook that names a Secret says which command lets the controllers read it', async () => {
  const cluster = shared;
  await cluster.run(['create', 'namespace', 'team-a']);
  await cluster.run([
    'create',
    'secret',
    'generic',
    'token',
    '-n',
    'team-a',
    '--from-literal=token=open-sesame',
  ]);
  await using hook = await startHookService(20);
  const text = JSON.stringify(secretive).replace('"url":""', `"url":"${hook.url}"`);
  const start = async (): Promise<string> =>
    (await cluster.run(['create', '-n', 'team-a', '-f', '-', '-o', 'name'], text)).trim();
  const first = await start();
  await cluster.run(['wait', first, '-n', 'team-a', '--for=condition=Failed', '--timeout=300s']);
  const message = await cluster.run([
    'get',
    first,
    '-n',
    'team-a',
    '-o',
    'jsonpath={.status.conditions[?(@.type=="Failed")].message}',
  ]);
  const command = /boathook (access --secrets-in team-a) \| kubectl apply -f -/.exec(message)?.[1] ?? '';
  expect(command, message).not.toBe('');
  const roles = await runBoathook(command.split(' '));
  expect(objectsIn(roles.out).size).toBe(2);
  await cluster.run(['apply', '-f', '-'], roles.out);
  await cluster.run([
    'wait',
    await start(),
    '-n',
    'team-a',
    '--for=jsonpath={.status.phase}=Successful',
    '--timeout=300s',
  ]);
  expect(hook.asked).toHaveLength(1);
  expect(controllers.process.errors()).not.toContain('open-sesame');
});

const asking: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: { generateName: 'asking-' },
  spec: {
    serviceAccountName: 'default',
    metrics: [
      {
        name: 'm',
        count: 1,
        consecutiveErrorLimit: 0,
        successCondition: 'result == "x"',
        provider: {
          kubernetes: { function: 'get', target: { name: 'x' }, fields: [{ path: '{.metadata.name}' }] },
        },
      },
    ],
  },
};

test('a hook that acts as a ServiceAccount says which command lets it', async () => {
  const cluster = shared;
  const start = async (): Promise<string> => {
    const made = ['create', '-n', 'default', '-f', '-', '-o', 'name'];
    const run = (await cluster.run(made, JSON.stringify(asking))).trim();
    await cluster.run(['wait', run, '-n', 'default', '--for=condition=Failed', '--timeout=300s']);
    const message = 'jsonpath={.status.conditions[?(@.type=="Failed")].message}';
    return cluster.run(['get', run, '-n', 'default', '-o', message]);
  };
  const command = /boathook (access .*) \| kubectl apply -f -/.exec(await start())?.[1] ?? '';
  expect(command).toBe('access --controllers none --with impersonation');
  const roles = await runBoathook(command.split(' '));
  expect(objectsIn(roles.out).size).toBe(2);
  await cluster.run(['apply', '-f', '-'], roles.out);
  // Now it is the ServiceAccount that may not.
  expect(await start()).toMatch(/User "system:serviceaccount:default:default" cannot get resource "pods"/);
});

test('the dashboard needs no rights of its own: each user sees what that user may', async () => {
  const cluster = shared;
  const account = `system:serviceaccount:${systemNamespace}:boathook-dashboard`;
  const rights = await cluster.run(['auth', 'can-i', '--list', '--as', account]);
  expect(rights).not.toMatch(/pods|secrets|gamedeployments|impersonate/);
  const kubeconfig = await accountKubeconfig(cluster, 'boathook-dashboard');
  const flags = ['--in-cluster', '--port', '0', '--host', '127.0.0.1', '--kubeconfig', kubeconfig];
  await using dashboard = launchBoathook(['dashboard', ...flags]);
  const url = /http:\S+/.exec(await dashboard.lineLike(/^dashboard of /))?.[0] ?? '';
  await cluster.run(['create', 'serviceaccount', 'alice', '-n', 'default']);
  const token = (await cluster.run(['create', 'token', 'alice', '-n', 'default'])).trim();
  const reply = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(await reply.json()).toMatchObject({ isSignedIn: true, user: 'system:serviceaccount:default:alice' });
});
