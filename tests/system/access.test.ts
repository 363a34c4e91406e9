import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { root } from '../support/project-files.ts';
import { definition, kuard, registration } from '../support/kuard.ts';
import {
  clusterOf,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const tkex = 'tkex.tencent.com/v1alpha1';
const mayRead = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
const rbac = 'rbac.authorization.k8s.io';

/** Asks the API as the ServiceAccount `asker` whether it may see pods at all. */
const template: JsonObject = {
  apiVersion: tkex,
  kind: 'HookTemplate',
  metadata: { name: 'ask', namespace: 'default' },
  spec: {
    serviceAccountName: 'asker',
    metrics: [
      {
        name: 'pod',
        count: 1,
        successCondition: 'result == "beacon"',
        provider: {
          kubernetes: { function: 'get', target: { name: 'beacon' }, fields: [{ path: '{.metadata.name}' }] },
        },
      },
    ],
  },
};

const asker: readonly JsonObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'asker', namespace: 'default' } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: 'asker', namespace: 'default' },
    rules: [mayRead],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'asker', namespace: 'default' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'asker' },
    subjects: [{ kind: 'ServiceAccount', name: 'asker', namespace: 'default' }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'asker' },
    rules: [{ apiGroups: ['platform.tkestack.io'], resources: ['clusters'], verbs: ['get'] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'asker' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'asker' },
    subjects: [{ kind: 'ServiceAccount', name: 'asker', namespace: 'default' }],
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'beacon', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'beacon:1' }] },
  },
];

/** Runs a script of the Cluster, which the ServiceAccount must be allowed to get. */
const scriptRun: JsonObject = {
  apiVersion: tkex,
  kind: 'HookRun',
  metadata: { name: 'scripted', namespace: 'default' },
  spec: {
    serviceAccountName: 'asker',
    metrics: [
      {
        name: 'script',
        count: 1,
        successCondition: 'result == ""',
        provider: { machine: { cluster: 'cls-access', role: 'master', script: '/tmp/hook.sh' } },
      },
    ],
  },
};

const registered: JsonObject = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: 'kuards', labels: { 'boathook.dev/registered': 'true' } },
  rules: [
    {
      apiGroups: ['extensions.triggermesh.io'],
      resources: ['kuards', 'kuards/status', 'kuards/finalizers'],
      verbs: ['get', 'list', 'watch', 'update', 'patch'],
    },
  ],
};

const workload = (kind: string, image: string): JsonObject => ({
  apiVersion: tkex,
  kind,
  metadata: { name: 'game', namespace: 'default' },
  spec: {
    replicas: 2,
    ...(kind === 'GameStatefulSet' && {
      serviceName: 'game',
      podManagementPolicy: 'Parallel',
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    selector: { matchLabels: { app: kind } },
    template: {
      metadata: { labels: { app: kind } },
      spec: { containers: [{ name: 'main', image }] },
    },
    preDeleteUpdateStrategy: { hook: { templateName: 'ask' } },
    updateStrategy: {
      type: kind === 'GameDeployment' ? 'InplaceUpdate' : 'RollingUpdate',
      canary: { steps: [{ partition: 1 }, { hook: { templateName: 'ask' } }] },
    },
  },
});

/** A kubeconfig that logs in with a token of the account, and no more. */
async function kubeconfigOf(world: ObjectsWorld): Promise<string> {
  const token = await world.kubectl(['create', 'token', 'boathook-controller', '-n', 'boathook-system']);
  const whole = await world.kubectl(['config', 'view', '--raw', '-o', 'json']);
  const cluster = listAt(JSON.parse(whole.out) as Json, 'clusters')[0] ?? null;
  const path = join(world.own.folder, 'account');
  const user = { name: 'account', user: { token: token.out.trim() } };
  const context = { name: 'here', context: { cluster: textAt(cluster, 'name') ?? '', user: 'account' } };
  const config = { 'current-context': 'here', clusters: [cluster], users: [user], contexts: [context] };
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
  return path;
}

const addresses = ['192.0.2.1', '192.0.2.2'];
const isUpdated = (object: JsonObject): boolean =>
  numberAt(object, 'status', 'updatedReadyReplicas') === 2 &&
  numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation');

const overlay = join(root, 'deploy/overlays/all');

/** How many requests the API server has refused for want of a right, by the metrics of the controllers. */
async function forbiddenRequests(world: ObjectsWorld, port: string): Promise<number> {
  const request = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;
  const { out } = await world.shell(request);
  expect(out).toMatch(/^boathook_api_requests_total\{.*code="200"\} [1-9]/m);
  return [...out.matchAll(/^boathook_api_requests_total\{.*code="403"\} (\d+)$/gm)].length;
}

test('the rights of the overlay with everything are enough for every controller, and it needs no others', async () => {
  await using world = await openObjectsWorld(
    addresses.map((address) => ({ address, password: 'secret-1' })),
    {
      flags: ['--authorization', 'rbac', '--controllers', 'none', '--nodes', '3'],
    },
  );
  expect(await world.shell(`kubectl apply -k ${overlay}`)).toMatchObject({ code: 0 });
  await world.apply(...asker, template, registered, definition());
  const account = ['--kubeconfig', await kubeconfigOf(world)];
  const flags = ['--files-root', world.root, '--metrics-address', '127.0.0.1:0'];
  await using controller = world.follow('controller', ...account, ...flags);
  const [, port = ''] = /:(\d+)\/metrics/.exec(await controller.lineLike(/^metrics at/)) ?? [];
  await controller.lineLike(/^running hookrun/);

  for (const kind of ['GameDeployment', 'GameStatefulSet']) {
    await world.apply(workload(kind, 'game:1'));
    await world.until(kind, 'game', isUpdated);
    await world.apply(workload(kind, 'game:2'));
    await world.until(kind, 'game', (object) => isUpdated(object) && isDone(object));
  }
  await world.apply(registration({ more: { gate: { templateName: 'ask' } } }), kuard());
  await world.until('kuard', 'my-kuard', (object) => isTrue(object, 'Ready'));

  world.noting('hook.sh');
  const hooks = {
    PostInstall: '/tmp/hook.sh',
    PreClusterInstall: { templateName: 'ask', namespace: 'default' },
  };
  const files = [{ src: 'hook.sh', dst: '/tmp/hook.sh' }];
  await world.apply(clusterOf('cls-access', ['192.0.2.1'], { files, hooks }));
  await world.until('cluster', 'cls-access', (object) => isTrue(object, 'Ready'));
  await world.apply(scriptRun);
  await world.until('hookrun', 'scripted', (object) => textAt(object, 'status', 'phase') === 'Successful');
  await world.apply(machineOf('mc-access', 'cls-access', '192.0.2.2'));
  await world.until('machine', 'mc-access', (object) => isTrue(object, 'Ready'));
  for (const each of [
    'machine/mc-access',
    'cluster/cls-access',
    'kuard/my-kuard',
    'gamedeployment/game',
    'gamestatefulset/game',
  ])
    expect(await world.kubectl(['delete', each, '--timeout=300s'])).toMatchObject({ code: 0 });
  expect(controller.errors()).not.toMatch(/forbidden/i);
  expect(await forbiddenRequests(world, port)).toBe(0);
});

const isDone = (object: JsonObject): boolean =>
  textAt(object, 'status', 'updateRevision') === textAt(object, 'status', 'currentRevision');

const login: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: 'default' },
  type: 'boathook.dev/machine-credentials',
  stringData: { username: 'root', password: 'secret-1' },
};

test('a Cluster that names a Secret says in a condition which command lets the controllers read it', async () => {
  await using world = await openObjectsWorld([{ address: '192.0.2.1', password: 'secret-1' }], {
    flags: ['--authorization', 'rbac', '--controllers', 'none'],
  });
  const install = 'boathook install --print --controllers all | kubectl apply -f -';
  expect(await world.shell(install)).toMatchObject({ code: 0 });
  const flags = ['--kubeconfig', await kubeconfigOf(world), '--files-root', world.root];
  await using controller = world.follow('controller', ...flags);
  await controller.lineLike(/^running hookrun/);
  const machine = { ip: '192.0.2.1', port: 22, credentialsFrom: { name: 'login', namespace: 'default' } };
  await world.apply(login, clusterOf('cls-secret', [], {}, { machines: [machine] }));
  const refused = await world.until('cluster', 'cls-secret', (object) =>
    listAt(object, 'status', 'conditions').some((each) => secretsIn.test(textAt(each, 'message') ?? '')),
  );
  const messages = listAt(refused, 'status', 'conditions').map((each) => textAt(each, 'message') ?? '');
  const [command = ''] = messages.flatMap((message) => secretsIn.exec(message)?.[0] ?? []);
  expect(await world.shell(command)).toMatchObject({ code: 0 });
  await world.until('cluster', 'cls-secret', (object) => isTrue(object, 'Ready'));
});

const secretsIn = /boathook access --secrets-in default \| kubectl apply -f -/;
