import { readFileSync, statSync } from 'node:fs';
import type { DeclaredCluster, ClusterNode, OperationKind } from '#machines/decide/model.ts';
import { localNode, stepsOf, type JobStep, type MachinePlan } from '#machines/decide/plan.ts';
import { rolesText } from '#machines/decide/roles.ts';
import type { RehearsedFleet } from './rehearsed-fleet.ts';

const identityFile = '/etc/kubernetes/boathook-identity';
const authority = (cluster: string): string => `simulated authority of ${cluster}\n`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What earlier operations have brought home from the machines of a cluster. */
export const memberArtifacts = (cluster: string): ReadonlyMap<string, Uint8Array> =>
  new Map([
    ['ca.crt', bytes(authority(cluster))],
    ['kubeconfig', bytes(`# simulated: ${cluster}\n`)],
  ]);

/** Whether a machine is a member of its cluster before the operation. */
export function isMemberBefore(operation: OperationKind, nodes: readonly string[], node: string): boolean {
  if (operation === 'cluster.create' || operation === 'bootstrap') return false;
  return operation !== 'node.join' || !nodes.includes(node);
}

/** Writes what kubeadm and Boathook leave on a machine that has joined. */
export function makeMember(
  fleet: RehearsedFleet,
  node: ClusterNode,
  { id }: DeclaredCluster,
  version: string | undefined,
): void {
  const { files } = fleet.machine(node.name);
  const write = (path: string, text: string): void => files.put(path, bytes(text), 0o600);
  const digest = files.digestOf(bytes(authority(id)));
  const isMaster = node.roles.includes('master');
  write('/etc/kubernetes/pki/ca.crt', authority(id));
  write('/etc/kubernetes/kubelet.conf', '# simulated\n');
  if (isMaster) write('/etc/kubernetes/admin.conf', `# simulated: ${id}\n`);
  write(
    identityFile,
    [
      `cluster=${id}`,
      `version=${version ?? ''}`,
      `role=${rolesText(node)}`,
      `node=${node.name}`,
      'operation=before-the-rehearsal',
      `id=sha256:${digest}`,
      '',
    ].join('\n'),
  );
}

/** The version of Kubernetes on a machine, or `unknown`; undefined: it is no member. */
export function versionOn(fleet: RehearsedFleet, node: string): string | undefined {
  const { files } = fleet.machine(node);
  if (files.entry('/etc/kubernetes/kubelet.conf') === undefined) return undefined;
  return /^version=(.+)$/m.exec(files.read(identityFile) ?? '')?.[1] ?? 'unknown';
}

/** Scripts that run on this computer run on a simulated one, which needs their files and a kubectl that reaches the cluster. */
export function makeThisComputer(fleet: RehearsedFleet, plan: MachinePlan): void {
  const { files } = fleet.machine(localNode);
  files.put('/etc/kubernetes/admin.conf', bytes('# simulated\n'), 0o600);
  for (const step of stepsOf(plan)) {
    const isHere = step.targets.some(({ node }) => node === localNode);
    if (!isHere || (step.kind !== 'hook' && step.kind !== 'install')) continue;
    for (const path of localFiles(step)) files.put(path, readFileSync(path), 0o700);
    for (const folder of [step.cwd, step.argv[1]]) if (folder !== undefined) files.makeFolder(folder);
  }
}

/** A script that runs where it is; a wrapper has its path as its first argument. */
function localFiles({ program, argv }: JobStep): readonly string[] {
  const path = program.type === 'delivered' ? program.path : argv[0];
  if (path === undefined) return [];
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? [path] : [];
}
