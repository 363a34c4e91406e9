import { millis, type Millis } from '#base/time.ts';
import type { ClusterNode, FileDelivery, Policy, NodeRole } from '#machines/decide/model.ts';
import type { DeliveredFolder, JobStep, ValuePiece, MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import type { TestHost } from '../sshd.ts';
import { digestOf } from './operator.ts';

const policy = (changes: Partial<Policy> = {}): Policy => ({
  onFailure: 'abort',
  retry: { initial: millis(200), factor: 2, cap: millis(1000) },
  onUnknown: 'rerun',
  outputLimit: 1024 * 1024,
  ...changes,
});

/** The nodes of some hosts, logged in to by key unless said otherwise. */
export function nodesOfHosts(hosts: readonly TestHost[], key: string): readonly ClusterNode[] {
  return hosts.flatMap((host, at) =>
    host.addresses.map((address, index) =>
      nodeAt(host.addresses.length === 1 ? `node-${at + 1}` : `node-${at + 1}-${index + 1}`, {
        address,
        port: host.port,
        key,
      }),
    ),
  );
}

export function nodeAt(
  name: string,
  { address, port, key }: { readonly address: string; readonly port: number; readonly key: string },
): ClusterNode {
  const roles: readonly NodeRole[] = ['master'];
  return {
    name,
    address,
    port,
    roles,
    login: { user: 'root', sudo: true, methods: [{ type: 'privateKey', key: { type: 'file', path: key } }] },
    origin: { file: 'test', pointer: '' },
  };
}

type HookChanges = {
  readonly id?: string;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | ValuePiece>>;
  readonly policy?: Partial<Policy>;
  readonly timeout?: Millis;
  readonly delivered?: string;
  /** What is delivered with it. */
  readonly folder?: DeliveredFolder;
};

/** A hook that runs a script text on nodes. */
export function hook(script: string, nodes: readonly string[], changes: HookChanges = {}): JobStep {
  const env = Object.entries(changes.env ?? {});
  const pieces = env.map(([, value]): ValuePiece =>
    typeof value === 'string' ? { type: 'text', text: value } : value,
  );
  const id = changes.id ?? 'hook';
  return {
    kind: 'hook',
    id,
    title: id,
    program:
      changes.delivered === undefined
        ? { type: 'text', name: 'script.sh', text: script }
        : {
            type: 'delivered',
            path: changes.delivered,
            ...(changes.folder !== undefined && { folder: changes.folder }),
          },
    digest: digestOf(script),
    argv: changes.argv ?? [],
    envNames: env.map(([name]) => name),
    attachments: [],
    targets: nodes.map((node) => ({ node, env: pieces, fingerprint: digestOf(script) })),
    policy: policy({ ...changes.policy, ...(changes.timeout !== undefined && { timeout: changes.timeout }) }),
  };
}

export const filesStep = (files: readonly FileDelivery[], nodes: readonly string[]): PlanStep => ({
  kind: 'files',
  id: 'files',
  title: 'files',
  files,
  targets: nodes.map((node) => ({ node, env: [], fingerprint: '' })),
  policy: policy(),
});

/** Each list of steps is a stage. */
export const planOf = (
  stages: readonly (readonly PlanStep[])[],
  changes: Partial<MachinePlan> = {},
): MachinePlan => ({
  cluster: 'cls-test',
  operation: 'cluster.create',
  stages: stages.map((steps, at) => ({ id: `stage-${at}`, title: `stage ${at}`, steps })),
  parallel: 20,
  onUnreachable: 'refuse',
  notes: [],
  ...changes,
});
