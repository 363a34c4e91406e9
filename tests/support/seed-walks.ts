import { readFileSync } from 'node:fs';
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
import { systemNamespace, type FreshCluster } from './installed.ts';
import { openTerminal } from './kubectl.ts';
import { shortCanary } from './canary-walk.ts';
import { followProgram } from './program.ts';
import { root } from './project-files.ts';

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
  await person.terminal.run(['delete', kind, 'game', '--timeout=60s']);
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
  await person.terminal.run(['delete', kind, 'web', '--timeout=60s']);
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
  await run(['wait', '--for=condition=Established', 'crd/kuards.extensions.triggermesh.io', '--timeout=30s']);
  await run(['apply', '-f', '-'], JSON.stringify(registeredRole));
  await apply(example('registration.yaml'));
  await apply(example('instance.yaml'));
  const instance = 'kuard/my-kuard-extension';
  await terminal.run(['wait', '--for=condition=Ready', instance, '--timeout=60s']);
  const annotation = ['get', instance, '-o', 'jsonpath={.status.annotations.greetings}'];
  expect(await terminal.run(annotation)).toBe('from hook');
  await terminal.run(['delete', instance, '--timeout=30s']);
  await run(['delete', 'crdregistration', 'kuard', '--timeout=30s']);
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
