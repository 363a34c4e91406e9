import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import {
  canaryTerminal,
  gameWorkload,
  hookTemplate,
  imagePath,
  type HookService,
} from './canary-terminal.ts';
import { runBoathook } from './boathook.ts';
import { systemNamespace, type FreshCluster } from './installed.ts';
import { openTerminal } from './kubectl.ts';
import { shortCanary } from './canary-walk.ts';
import { followProgram } from './program.ts';
import { root } from './project-files.ts';
import type { TestHost } from './sshd.ts';

/** A GameDeployment in five steps whose hook first fails and then passes. */
export async function walkDeployment(
  { kubectl, server }: FreshCluster,
  namespace: string,
  hook: HookService,
): Promise<void> {
  const person = canaryTerminal(openTerminal(kubectl, server, namespace));
  const kind = 'gamedeployment';
  await person.apply(...shortCanary('game', hook.url));
  await person.untilRow(kind, 'game', '4 4 4 4 4');
  await person.replace(kind, 'game', imagePath, 'python:3.5');
  await person.untilRow(kind, 'game', '4 1 1 4 4');
  hook.age = 45;
  await person.replace(kind, 'game', '/spec/updateStrategy/paused', false);
  await person.untilRow(kind, 'game', '4 2 2 4 4');
  await person.untilRuns([/^game-\S+-4-game-age Failed$/]);
  await person.untilStatus(kind, 'game', { pauseConditions: [{ reason: 'PausedByStepBasedHook' }] });
  hook.age = 20;
  await person.replace(kind, 'game', '/spec/updateStrategy/paused', false);
  await person.untilRow(kind, 'game', '4 4 4 4 4');
  await person.terminal.run(['delete', kind, 'game', '--timeout=300s']);
}

/** A GameStatefulSet in steps, with a hook that asks before a pod is deleted. */
export async function walkStatefulSet(
  { kubectl, server }: FreshCluster,
  namespace: string,
  hook: HookService,
): Promise<void> {
  const person = canaryTerminal(openTerminal(kubectl, server, namespace));
  const kind = 'gamestatefulset';
  const web = { url: hook.url, jsonPath: '{$.age}' };
  hook.age = 20;
  await person.apply(
    hookTemplate('old-enough', {
      count: 1,
      successCondition: 'asInt(result) < 30',
      provider: { web },
    }),
    gameWorkload('GameStatefulSet', 'web', {
      ...stateful,
      preDeleteUpdateStrategy: { hook: { templateName: 'old-enough' } },
    }),
  );
  await person.untilRow(kind, 'web', '3 3 3 3 3');
  await person.replace(kind, 'web', imagePath, 'python:3.5');
  await person.untilRow(kind, 'web', '3 3 2 1 1');
  await person.replace(kind, 'web', '/spec/updateStrategy/paused', false);
  await person.untilRow(kind, 'web', '3 3 3 3 3');
  await person.terminal.run(['scale', '--replicas=2', `${kind}/web`]);
  await person.untilRow(kind, 'web', '2 2 2 2 2');
  await person.terminal.run(['delete', kind, 'web', '--timeout=300s']);
}

const stateful: JsonObject = {
  replicas: 3,
  serviceName: 'web',
  podManagementPolicy: 'Parallel',
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  updateStrategy: {
    type: 'RollingUpdate',
    canary: { steps: [{ partition: 2 }, { pause: {} }, { partition: 0 }] },
  },
};

const example = (name: string): string => readFileSync(join(root, 'examples/reconcile', name), 'utf8');

/** The registration of the examples with its hook; the rights on its kind come from an aggregated ClusterRole. */
export async function walkRegistration({ kubectl, server, run }: FreshCluster): Promise<void> {
  const terminal = openTerminal(kubectl, server, 'default');
  const apply = (stdin: string): Promise<string> => terminal.run(['apply', '-f', '-'], { stdin });
  await using hook = followProgram(process.execPath, [join(root, 'examples/reconcile/hook.ts')], {
    env: { PORT: '0' },
  });
  const [, port = ''] = /port (\d+)/.exec(await hook.line()) ?? [];
  const service = example('service.yaml').replace('8080', port);
  await run(['apply', '-f', '-'], service.replace('namespace: default', `namespace: ${systemNamespace}`));
  await apply(example('crd.yaml'));
  await run([
    'wait',
    '--for=condition=Established',
    'crd/kuards.extensions.triggermesh.io',
    '--timeout=300s',
  ]);
  await run(['apply', '-f', '-'], JSON.stringify(registeredRole));
  await apply(example('registration.yaml'));
  await apply(example('instance.yaml'));
  const instance = 'kuard/my-kuard-extension';
  await terminal.run(['wait', '--for=condition=Ready', instance, '--timeout=300s']);
  const annotation = ['get', instance, '-o', 'jsonpath={.status.annotations.greetings}'];
  expect(await terminal.run(annotation)).toBe('from hook');
  await terminal.run(['delete', instance, '--timeout=300s']);
  await run(['delete', 'crdregistration', 'kuard', '--timeout=300s']);
}

const registeredRole: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'boathook-kuards', labels: { 'boathook.dev/registered': 'true' } },
  rules: [
    {
      apiGroups: ['extensions.triggermesh.io'],
      resources: ['kuards', 'kuards/status', 'kuards/finalizers'],
      verbs: ['get', 'list', 'watch', 'update', 'patch'],
    },
  ],
};

/** What the examples expect of a machine. */
export const exampleMachine = {
  accounts: [{ name: 'root', password: '123456' }],
  folders: ['/tmp', '/etc/kubernetes'],
};

/** An example for machines with the addresses of machines that exist, in a folder of its own. */
function exampleOnHosts(name: string, folder: string, file: string, hosts: readonly TestHost[]): void {
  cpSync(join(root, 'examples/machines', name), folder, { recursive: true });
  const addresses = new Map<string, TestHost>();
  const text = readFileSync(join(folder, file), 'utf8').replace(/192\.0\.2\.\d+/g, (address) => {
    const host = addresses.get(address) ?? hosts[addresses.size];
    if (host === undefined) throw new Error(`${name} has more than ${hosts.length} machines`);
    addresses.set(address, host);
    return host.address;
  });
  writeFileSync(join(folder, file), text.replace(/("?port"?): 22\b/g, `$1: ${hosts[0]?.port}`));
}

/** A Cluster whose machine gets files and runs hooks before and after it is installed. */
export async function walkMachines({ run, server }: FreshCluster, host: TestHost): Promise<void> {
  // The folder of the controllers' files.
  const folder = server.dataDir;
  exampleOnHosts('single-files', folder, 'cluster.yaml', [host]);
  const file = join(folder, 'cluster.yaml');
  const wish = ['-f', file, '--installer', 'none', '--kubeconfig', server.kubeconfig];
  const created = await runBoathook(['cluster', 'create', ...wish]);
  expect(created, created.error + created.out).toMatchObject({ code: 0, error: '' });
  expect(created.out).toMatch(/EnsurePreInstallHook: True\n(.*\n)*.*EnsurePostInstallHook: True\n/);
  expect(host.run('ls', '/tmp/hooks')).toBe('post-install\npre-install\n');
  const name = /cls-[0-9a-f]{8}/.exec(created.out)?.[0] ?? '';
  await run(['delete', 'cluster', name, '--timeout=300s']);
}

/** Scripts around a deployment over SSH: the command needs machines and no cluster. */
export async function walkDeployed(folder: string, hosts: readonly TestHost[]): Promise<void> {
  exampleOnHosts('eggo', folder, 'deploy.yaml', hosts);
  const file = join(folder, 'deploy.yaml');
  const etcd = readFileSync(file, 'utf8').replace(
    /(- name: etcd-0\n {2}ip: \S+\n)/,
    `$1  port: ${hosts[0]?.port}\n`,
  );
  writeFileSync(file, etcd);
  const common = ['-f', file, '--data-dir', join(folder, 'data')];
  const hooks = [`--cluster-prehook=${join(folder, 'cluster-hooks')}`, '--installer', 'none'];
  const deployed = await runBoathook(['cluster', 'deploy', ...common, ...hooks]);
  expect(deployed, deployed.error + deployed.out).toMatchObject({ code: 0, error: '' });
  const { out } = await runBoathook(['cluster', 'logs', ...common, '--step', '10-show.sh']);
  expect(out).toMatch(/^EGGO_HOOK_TYPE=prehook$/m);
  expect(out).toMatch(/^EGGO_NODE_NAME=master-0$/m);
}
