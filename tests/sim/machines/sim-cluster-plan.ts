import { createHash } from 'node:crypto';
import { seconds } from '#base/time.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import { compileEggo } from '#machines/decide/eggo.ts';
import { kubeadmInstaller } from '#machines/decide/kubeadm/installer.ts';
import type { Binding, Facts, OperationKind } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import type { Undo } from '#machines/decide/plan-stages.ts';
import { eggoPolicy, tkestackPolicy } from '#machines/decide/presets.ts';
import { withRetries } from '#machines/decide/retries.ts';

export type SimFormat = 'eggo' | 'tkestack';

/** A cluster of a simulated world. */
export type SimClusterShape = {
  readonly format: SimFormat;
  readonly masters: number;
  readonly workers: number;
};

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const hookText = '#!/bin/sh\necho hook\n';
const hookPath = '/hooks/hook.sh';
export const hookSource = { content: new TextEncoder().encode(hookText), digest: sha256(hookText) };

const facts: Facts = {
  sources: new Map([
    [
      hookPath,
      {
        type: 'file',
        digest: hookSource.digest,
        size: hookText.length,
        mode: 0o755,
        interpreter: true,
      },
    ],
  ]),
  nodes: new Map(),
  sha256,
};

const operations: readonly OperationKind[] = [
  'cluster.create',
  'cluster.upgrade',
  'cluster.delete',
  'node.join',
  'node.upgrade',
  'node.delete',
];

const hookLimit = seconds(60);

const hook = (format: SimFormat, point: 'pre' | 'post'): Binding => ({
  name: `${point}hook`,
  operations,
  point,
  scope: { type: 'each' },
  action: { type: 'source', candidates: [hookPath], argv: [] },
  policies: Object.fromEntries(
    operations.map((each) => [
      each,
      format === 'eggo' ? eggoPolicy(each, hookLimit) : tkestackPolicy(hookLimit),
    ]),
  ),
  depth: 0,
  dialect: 'eggo',
  origin: { file: `--${point}hook`, pointer: '' },
  declared: hookPath,
});

export const masterName = (at: number): string => `master-${at}`;
export const workerName = (at: number): string => `worker-${at}`;

/** The declaration of a cluster with hooks before and after each operation. */
export function declarationOf({ format, masters, workers }: SimClusterShape, version: string): Declaration {
  const node = (name: string, ip: string): object => ({ name, ip, port: 22, arch: 'amd64' });
  const document = {
    'cluster-id': 'harbour',
    username: 'root',
    password: 'x',
    'kubernetes-version': version,
    masters: Array.from({ length: masters }, (_, at) => node(masterName(at), `192.0.2.${10 + at}`)),
    workers: Array.from({ length: workers }, (_, at) => node(workerName(at), `192.0.2.${20 + at}`)),
  };
  const declared = compileEggo(JSON.parse(JSON.stringify(document)), 'cluster.yaml', {
    agent: false,
    home: '/root',
  });
  return {
    ...declared,
    cluster: { ...declared.cluster, format },
    bindings: [hook(format, 'pre'), hook(format, 'post')],
  };
}

/** An operation on the nodes of these names; none: on all. */
export type SimOperation = {
  readonly operation: OperationKind;
  readonly nodes: readonly string[];
  readonly version: string;
};

export function simPlan(
  shape: SimClusterShape,
  { operation, nodes, version }: SimOperation,
  undo?: Undo,
): MachinePlan {
  const plan = planOperation({
    operation,
    declaration: declarationOf(shape, version),
    facts,
    nodes,
    installer: kubeadmInstaller('/crds'),
    parallel: 20,
    force: undo !== undefined,
    ...(undo !== undefined && { undo }),
  });
  return withRetries(plan, 10);
}
